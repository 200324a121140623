"""The grammar of metric names: what is printed is what is parsed, and the name is the identity."""

import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import SpecError
from steelyard.metrics import catalogue
from steelyard.metrics.names import folded
from steelyard.metrics.parameter import REQUIRED
from steelyard.spec import Spec, parse

words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.]{0,8}", fullmatch=True)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 50).map(float)
values = st.one_of(
    numbers, st.booleans(), words, st.text(max_size=8), st.sampled_from(["true", "1"])
)
specs = st.builds(
    Spec,
    name=words,
    args=st.lists(values, max_size=3).map(tuple),
    options=st.dictionaries(words, values, max_size=3).map(lambda d: tuple(sorted(d.items()))),
    k=st.none() | st.integers(1, 10**6),
    approximate=st.booleans(),
)


@given(specs)
def test_round_trip(spec: Spec) -> None:
    again = parse(str(spec))
    assert again == spec
    assert [type(value) for value in again.args] == [type(value) for value in spec.args]
    assert str(again) == str(spec)


@given(specs, st.text(" \t\n", max_size=2))
def test_white_space_means_nothing(spec: Spec, space: str) -> None:
    bare = Spec(spec.name, (), (), spec.k, spec.approximate)
    text = str(bare).replace("@", f"{space}@{space}").replace("~", f"{space}~{space}")
    assert parse(f"{space}{text}{space}") == bare


# What is written, and the Spec it is. Why: each line is one rule of the grammar.
READ: list[tuple[str, Spec, str]] = [
    ("auc", Spec("auc"), "auc"),
    ("auc()", Spec("auc"), "auc"),
    ("mean absolute error", Spec("mean_absolute_error"), "mean_absolute_error"),
    ("log-loss@10", Spec("log_loss", k=10), "log_loss@10"),
    ("precision(0.3)", Spec("precision", (0.3,)), "precision(0.3)"),
    ("fbeta(2,)", Spec("fbeta", (2.0,)), "fbeta(2)"),
    ("f(b=1, a=2)", Spec("f", (), (("b", 1.0), ("a", 2.0))), "f(a=2, b=1)"),
    ("f(x, 1e3, -.5, +2.)", Spec("f", ("x", 1000.0, -0.5, 2.0)), "f(x, 1000, -0.5, 2)"),
    ("f(a=true, b=false)", Spec("f", (), (("a", True), ("b", False))), "f(a=true, b=false)"),
    ('f("true")', Spec("f", ("true",)), 'f("true")'),
    ('f("ad slot")', Spec("f", ("ad slot",)), 'f("ad slot")'),
    ('f("a")', Spec("f", ("a",)), "f(a)"),
    (r'f("say \"hi\"")', Spec("f", ('say "hi"',)), r'f("say \"hi\"")'),
    (r'f("\u00e9 )")', Spec("f", ("é )",)), 'f("é )")'),
    ("f(table.column)", Spec("f", ("table.column",)), "f(table.column)"),
    ("f(größe=Größe)", Spec("f", (), (("größe", "Größe"),)), "f(größe=Größe)"),
    ("f(true=1)", Spec("f", (), (("true", 1.0),)), "f(true=1)"),
    ("ndcg@10", Spec("ndcg", k=10), "ndcg@10"),
    ("ndcg@010", Spec("ndcg", k=10), "ndcg@10"),
    ("ndcg(gain=exp2)@10~", Spec("ndcg", (), (("gain", "exp2"),), 10, True), "ndcg(gain=exp2)@10~"),
    ("auc~", Spec("auc", approximate=True), "auc~"),
    ("f(1e16)", Spec("f", (1e16,)), "f(1e+16)"),
    ("f(a=1, a=b)", Spec("f", (), (("a", 1.0), ("a", "b"))), "f(a=1, a=b)"),
]


@pytest.mark.parametrize(("text", "spec", "printed"), READ)
def test_parse_and_print(text: str, spec: Spec, printed: str) -> None:
    assert parse(text) == spec
    assert str(spec) == printed


# What cannot be read, the 1-based character that does not fit, and what was meant there.
UNREADABLE: list[tuple[str, int, str]] = [
    ("", 1, "the text ends where a metric's name is expected"),
    ("   ", 4, "the text ends where a metric's name is expected"),
    ("10", 1, "'10' is where a metric's name is expected"),
    ("(auc)", 1, "'(' is where a metric's name is expected"),
    ('"auc"', 1, "where a metric's name is expected"),
    ("auc 3", 5, "'3' is where the end is expected"),
    ("auc)", 4, "')' is where the end is expected"),
    ("auc;", 4, "';' is where the end is expected"),
    ("auc-1", 4, "'-1' is where the end is expected"),
    ("f(", 3, "the text ends where a value is expected"),
    ("f(1", 4, "the text ends where ',' or ')' is expected"),
    ("f(1 2)", 5, "'2' is where ',' or ')' is expected"),
    ("f(,)", 3, "',' is where a value is expected"),
    ("f(1,,2)", 5, "',' is where a value is expected"),
    ("f(a=)", 5, "')' is where a value is expected"),
    ("f(=1)", 3, "'=' is where a value is expected"),
    ("f(a==1)", 5, "'=' is where a value is expected"),
    ("f(1=2)", 4, "'=' is where ',' or ')' is expected"),
    ("f(a=1, 2)", 9, "')' is where = (a parameter without a name comes first) is expected"),
    ("f(1x)", 3, "'1' is where a value is expected"),
    ("f(1.2.3)", 3, "'1' is where a value is expected"),
    ('f("open)', 3, "'\"' is where a value is expected"),
    (r'f("\x")', 3, "where a text with JSON's escapes is expected"),
    ("f(1e999)", 3, "'1e999' is where a number that fits float64 is expected"),
    ("ndcg@", 6, "the text ends where a positive whole number is expected"),
    ("ndcg@0", 6, "'0' is where a positive whole number is expected"),
    ("ndcg@-1", 6, "'-1' is where a positive whole number is expected"),
    ("ndcg@1.5", 6, "'1.5' is where a positive whole number is expected"),
    ("ndcg@1e3", 6, "'1e3' is where a positive whole number is expected"),
    ("ndcg@k", 6, "'k' is where a positive whole number is expected"),
    ("ndcg@" + "9" * 5000, 6, "where a positive whole number is expected"),
    ("ndcg@10@10", 8, "'@' is where the end is expected"),
    ("auc~@10", 5, "'@' is where the end is expected"),
    ("auc~~", 5, "'~' is where the end is expected"),
    ("ndcg@10(1)", 8, "'(' is where the end is expected"),
]


@pytest.mark.parametrize(("text", "position", "reason"), UNREADABLE)
def test_unreadable(text: str, position: int, reason: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(text)
    message = str(caught.value)
    assert f"at character {position}: " in message
    assert reason in message


@given(st.text(string.ascii_letters + '0123456789()=,@~"\\. -', max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        spec = parse(text)
    except SpecError:
        return
    assert parse(str(spec)) == parse(str(parse(str(spec))))
    assert str(parse(str(spec))) == str(spec)


@pytest.mark.parametrize("value", [5, None, 0.5, ["auc"], b"auc"])
def test_only_text_is_a_name(value: Any) -> None:
    with pytest.raises(SpecError, match=f"it is of type {type(value).__name__}"):
        catalogue.resolve(value)


# --- from text to a metric -----------------------------------------------------------------------

# Two texts of one metric, and its printed name.
SAME: list[tuple[str, str]] = [
    ("roc_auc", "auc"),
    ("average_precision", "ap"),
    ("precision(0.5)", "precision"),
    ("precision(threshold=0.5)", "precision"),
    ("precision(threshold=0.3)", "precision(0.3)"),
    ("precision(3e-1)", "precision(0.3)"),
    ("precision(-0.0)", "precision(0)"),
    ("tpr(0.25)", "recall(0.25)"),
    ("fbeta(beta=2)", "fbeta(2)"),
    ("fbeta(threshold=0.3, beta=2)", "fbeta(2, threshold=0.3)"),
    ("fbeta(2, 0.3)", "fbeta(2, threshold=0.3)"),
    ("fbeta(2, threshold=0.5)", "fbeta(2)"),
    ("partial_auc(1)", "partial_auc"),
    ("partial_auc(0.1, 0)", "partial_auc(0.1)"),
    ("partial_auc(standardize=true)", "partial_auc(standardize=true)"),
    ("partial_auc(standardize=true, min_tpr=.5)", "partial_auc(min_tpr=0.5, standardize=true)"),
    ("best_threshold(youden)", "best_threshold"),
    ('best_threshold("f1")', "best_threshold(f1)"),
]


@pytest.mark.parametrize(("text", "name"), SAME)
def test_the_printed_name_is_the_identity(text: str, name: str) -> None:
    bound = catalogue.resolve(text)
    assert bound.name == name
    again = catalogue.resolve(name)
    assert (again.metric, dict(again.params), again.name) == (bound.metric, bound.params, name)


@pytest.mark.parametrize("name", catalogue.functions())
def test_every_name_resolves_to_its_metric(name: str) -> None:
    for metric in catalogue.functions()[name]:
        given = {p.name: "x" if p.column else 0.5 for p in metric.parameters}
        needed = [p.name for p in catalogue.written(metric) if p.default is REQUIRED]
        cut = "@5" if metric.cut is not None else ""
        text = f"{name}({', '.join(f'{each}={given[each]}' for each in needed)}){cut}"
        assert catalogue.resolve(text, reads=metric.reads).metric is metric
        assert parse(catalogue.resolve(text, reads=metric.reads).name).name == metric.name


# What is refused, and the whole message.
REFUSED: list[tuple[str, str]] = [
    ("aucc", "there is no metric 'aucc': did you mean auc, uauc or gauc."),
    ("zzzzzz", "there is no metric 'zzzzzz': steelyard list shows every metric."),
    ("f2", "there is no metric 'f2': did you mean fbeta(2)."),
    ("recall10", "there is no metric 'recall10': did you mean recall@10."),
    ("precision_at_10", "there is no metric 'precision_at_10': did you mean precision@10."),
    ("map_at_5", "there is no metric 'map_at_5': did you mean map@5."),
    ("precision0.3", "there is no metric 'precision0.3': did you mean precision(0.3)."),
    ("top5_accuracy", "there is no metric 'top5_accuracy': did you mean top_k_accuracy(5)."),
    ("lift10", "there is no metric 'lift10': did you mean lift."),
    ("p@10", "there is no metric 'p': did you mean precision."),
    ("auc(0.5)", "auc takes 0 parameters but is given 1: it takes none."),
    ("auc(x=1)", "auc has no parameter 'x': it takes none."),
    (
        "precision(1, 2)",
        "precision takes 1 parameter but is given 2: it takes threshold.",
    ),
    ("fbeta(2, gamma=1)", "fbeta has no parameter 'gamma': it takes beta, threshold."),
    ("fbeta(2, beta=2)", "fbeta is given 'beta' twice: give it once."),
    ("precision(threshold=1, threshold=2)", "precision is given 'threshold' twice: give it once."),
    ("fbeta", "fbeta needs beta: write fbeta(beta=...)."),
    ("fbeta(0)", "fbeta takes beta as a number above 0, not 0.0."),
    ("fbeta(-1)", "fbeta takes beta as a number above 0, not -1.0."),
    ("precision(high)", "precision takes threshold as a number, not 'high'."),
    ("precision(true)", "precision takes threshold as a number, not True."),
    ("partial_auc(0)", "partial_auc takes max_fpr as a number above 0 up to 1, not 0.0."),
    ("partial_auc(2)", "partial_auc takes max_fpr as a number above 0 up to 1, not 2.0."),
    (
        "partial_auc(min_tpr=1)",
        "partial_auc takes min_tpr as a number from 0 below 1, not 1.0.",
    ),
    (
        "partial_auc(standardize=1)",
        "partial_auc takes standardize as true or false, not 1.0.",
    ),
    ("best_threshold(f2)", "best_threshold takes criterion as one of youden, f1, cost, not 'f2'."),
    ("best_threshold(1)", "best_threshold takes criterion as one of youden, f1, cost, not 1.0."),
    ("auc@10", "auc does not cut a ranked list, so auc@10 has no meaning: write auc."),
    ("roc_auc~", "there is no auc~: auc has no certified approximation; write auc."),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        catalogue.resolve(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AUC", "auc"),
        ("Roc-Auc", "auc"),
        ("rocauc", "auc"),
        ("NDCG@10", "ndcg@10"),
        ("Mean Absolute Error", "mae"),
        ("召回率", "recall"),
        ("召回率@10", "recall@10"),
        ("查准率(0.3)", "precision(0.3)"),
        ("KS 值", "ks"),
        ("归一化折损累计增益@5", "ndcg@5"),
    ],
)
def test_names_in_any_case_and_in_chinese(typed: str, name: str) -> None:
    assert catalogue.resolve(typed).name == name


def test_a_spelling_means_one_name() -> None:
    """Names that are equal but for case and separators are of metrics with one name."""
    meant: dict[str, set[str]] = {}
    for metric in catalogue.every():
        for name in (metric.name, *metric.names, *metric.chinese_names):
            meant.setdefault(folded(name), set()).add(metric.name)
    assert {name: found for name, found in meant.items() if len(found) > 1} == {}


# --- the same parameters, as keywords of plain functions -----------------------------------------

Y, S = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 10**400, "0.5", b"0.5", None, True, [0.5], np.array([0.5]), 0.5j],
    ids=repr,
)
def test_invalid_numbers_are_refused(value: Any) -> None:
    with pytest.raises(SpecError, match="precision takes threshold as a number, not"):
        sy.precision(Y, S, threshold=value)


@pytest.mark.parametrize("value", [np.float32(0.25), np.int64(0), 0, True is False, 0.25])
def test_numbers_of_any_type(value: Any) -> None:
    if isinstance(value, bool):
        with pytest.raises(SpecError):
            sy.recall(Y, S, threshold=value)
    else:
        called = [score >= float(value) for score in S]
        assert sy.recall(Y, S, threshold=value) == (called[1] + called[3]) / 2


@pytest.mark.parametrize("points", [2.5, "10", True, 0, float("nan"), float("inf"), [3]], ids=repr)
def test_invalid_counts_are_refused(points: Any) -> None:
    with pytest.raises(SpecError, match="roc takes points as a whole number from"):
        sy.roc(Y, S, points=points)


@pytest.mark.parametrize("points", [None, 3, np.int64(3), 3.0])
def test_counts_of_any_type(points: Any) -> None:
    curve = sy.roc(Y, S, points=points)
    assert curve.fpr[0] == 0
    assert curve.fpr[-1] == 1


# A wrong call, and what Python says of it.
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("auc", (Y, S), {"treshold": 1}, "auc() got an unexpected keyword argument 'treshold'"),
    ("roc_auc", (Y, S), {"k": 1}, "roc_auc() got an unexpected keyword argument 'k'"),
    ("fbeta", (Y, S), {}, "fbeta() missing 1 required keyword-only argument: 'beta'"),
    ("precision", (Y, S, 0.3), {}, "takes from 1 to 2 positional arguments but 3 were given"),
    ("auc", (Y,), {}, "missing 1 required positional argument: 'y_score'"),
    ("auc", (), {}, "missing 2 required positional arguments: 'y_true' and 'y_score'"),
    ("auc", (Y, S), {"y_true": Y}, "got multiple values for argument 'y_true'"),
]


@pytest.mark.parametrize(("name", "args", "keywords", "message"), CALLS)
def test_wrong_calls(
    name: str, args: tuple[Any, ...], keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        getattr(sy, name)(*args, **keywords)
    assert message in str(caught.value)
