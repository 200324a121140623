"""Values that no table has: lists without groups, each class alone, fits without an oracle."""

import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from tests.oracles import classes as oracles
from tests.oracles.answers import rounded
from tests.tables import binary, calibration, classes, groups
from tests.tables.case import Sample
from tests.tables.groups import LISTS
from tests.tables.harness import by_function, evaluated


def test_rows_without_a_group_column_are_one_list() -> None:
    """To the plain functions; a table wants a column of groups."""
    data = groups.FAMILY.data["one_group"]
    roles = {role: name for role, name in data.roles.items() if role != "group"}
    alone = Sample("no column of groups", data.columns, roles)
    for spec in groups.FAMILY.specs_on("one_group"):
        if spec.partition("(")[0] in LISTS:
            assert repr(by_function(spec, alone)) == repr(by_function(spec, data)), spec
    with pytest.raises(sy.InputError, match="computed by group"):
        evaluated(["ndcg()"], alone)


@pytest.mark.parametrize("data", classes.CLASSES)
@pytest.mark.parametrize("name", classes.RATIOS)
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_average_none_is_the_value_of_each_class(name: str, data: str) -> None:
    """The classes in order, NaN for 0/0."""
    sample = classes.CLASSES[data]
    found = getattr(sy, name)(
        sample.columns["label"],
        y_pred=sample.columns["prediction"],
        sample_weight=sample.column("weight"),
        average=None,
    )
    rows = classes.called_rows(sample, {})
    values = oracles.class_values(rows, getattr(oracles, f"{name}_ratio")).values()
    expected = [float("nan") if value is None else rounded(value) for value in values]
    assert repr(found.tolist()) == repr(expected)


@pytest.mark.parametrize("name", calibration.ITERATED)
def test_a_fit_to_extreme_weights_ends(name: str) -> None:
    """At a number or with a reason; which one is not for 60 digits to say."""
    spec = f"{name}()"
    extreme = [data for data in calibration.DATA.values() if not calibration.fits(spec, data)]
    assert len(extreme) > 3
    for data in extreme:
        (row,) = evaluated([spec], data)
        assert (row.value is None) != (row.why is None)


def test_sums_beyond_float64_are_infinite_not_an_error() -> None:
    (row,) = evaluated(["auc()"], binary.FAMILY.data["heaviest"])
    assert row.weighted_positives == row.weighted_negatives == float("inf")


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "aliases"),
    [
        ("recall", ("sensitivity", "tpr")),
        ("specificity", ("tnr",)),
        ("auc", ("roc_auc",)),
        ("ap", ("average_precision",)),
    ],
)
def test_the_names_of_the_field_are_kept(name: str, aliases: tuple[str, ...]) -> None:
    metric = catalogue.find(name)
    assert metric.name == name
    assert metric.aliases[: len(aliases)] == aliases  # other tools' names come after them


def test_every_name_is_a_function() -> None:
    for metric in catalogue.every():
        for name in metric.names:
            assert catalogue.find(name, reads=metric.reads) is metric
            assert getattr(sy, name).__name__ == name


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("precision_at_recall(0.95)", "precision_at_recall(0.95)"),
        ("recall_at_precision(precision=0.9)", "recall_at_precision(0.9)"),
        ("tpr_at_fpr(0.1)", "tpr_at_fpr(0.1)"),
        ("best_threshold(youden)", "best_threshold"),
        ("best_threshold(f1)", "best_threshold(f1)"),
        ("lift(0.1)", "lift(0.1)"),
        ("precision(threshold=0.3)", "precision(0.3)"),
        ("roc_auc", "auc"),
        ("tpr(0.5)", "recall"),
        ("partial_auc(standardize=true, max_fpr=0.1)", "partial_auc(0.1, standardize=true)"),
    ],
)
def test_the_printed_name_is_the_identity(spec: str, name: str) -> None:
    assert catalogue.resolve(spec).name == name
    assert catalogue.resolve(name) == catalogue.resolve(spec)


def test_the_details_of_auc_have_the_area() -> None:
    """Three of four pairs are in the right order; weights count as copies of rows."""
    row = sy.evaluate(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics="auc").row("auc")
    assert row.details == {"area": 3}
    weighted = sy.evaluate(label=[0, 1], score=[0.5, 0.5], weight=[3, 5], metrics="auc")
    assert weighted.row("auc").details == {"area": 7.5}  # 15 tied pairs, each half
