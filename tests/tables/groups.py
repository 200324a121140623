"""The table of means over groups: AUC within groups, and rankings."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import chain
from math import isnan
from typing import Any, NamedTuple

from steelyard.metrics import catalogue
from steelyard.metrics.group_metrics import RankingMetric
from steelyard.metrics.parameter import REQUIRED
from steelyard.model import Row
from steelyard.result.result import Result
from tests.oracles import groups as group_oracles
from tests.oracles.answers import Answer, AnyAnswer, rounded
from tests.oracles.group_rows import GroupRow, Key, Line, Lines
from tests.oracles.ranking import METRICS, ranking, reaches
from tests.tables.case import Family, Options, Sample, functions_of, parsed, resolved
from tests.tables.group_data import COLUMN, DATA
from tests.tables.harness import is_right

# A sum of n terms that are none below zero is off by at most n − 1 roundings, and by those of the
# worst term. `a·n + b` is how many a metric's group may have before the last one; n is how many
# rows have a rank within the cut. Other metrics are ratios of whole numbers, rounded once.
ROUNDINGS = {
    "cg": (1, 2),  # the block's mean, each sum
    "dcg": (1, 4),  # the discount and its product too
    "ndcg": (2, 10),  # two such sums, one division
    "map": (1, 7),  # r/n, the share of those above, the precision; R at the end
    "mrr": (3, 3),  # each chance comes of the one before by two roundings
    "hit_rate": (3, 3),
    "rbp": (2, 4),  # p^i is a product of i factors
    "err": (6, 7),  # the block's symmetric means, each from those of a row less
}

# Parameters that a ranking metric has of its own; those that all share are in SHARED.
OWN = {
    "cg": ("gain=exp2", "gain=exp2, ties=pessimistic"),
    "dcg": ("gain=exp2", "gain=exp2, ties=optimistic"),
    "ndcg": ("gain=exp2", "gain=exp2, ties=pessimistic", "gain=exp2, rel=2"),
    "map": ("denominator=min", "denominator=min, ties=pessimistic"),
    "precision": ("denominator=min", "denominator=min, rel=2"),
    "recall": (
        "denominator=min",
        "average=micro",
        "average=micro, rel=2",
        f"average=micro, group_weight={COLUMN}",
    ),
    "rbp": ("p=0.5", "p=0.95, ties=optimistic"),
    "err": ("max_grade=6", "max_grade=5, ties=pessimistic"),
}
SHARED = (
    *(f"ties={ties}" for ties in ("stable", "pessimistic", "optimistic", "trec")),
    *(f"group_weight={weight}" for weight in ("rows", "positives", "pairs", COLUMN)),
    "empty=0",
    "empty=1",
    "rel=2",
    "rel=0.5",
    "empty=1, rel=2",
    "empty=0, group_weight=rows, ties=optimistic",
)
CUTS = ("@1", "@3", "@10")
LISTS = {m.name: m for m in catalogue.every() if isinstance(m, RankingMetric)}


def cuts(name: str) -> tuple[str, ...]:
    """The cuts to try, with no cut where the metric allows it."""
    cut = LISTS[name].cut
    if cut is None:
        return ("",)
    return CUTS if cut.default is REQUIRED else ("", *CUTS)


def _ranking(name: str) -> Iterator[str]:
    """Every cut alone; parameters that all share at one cut, the metric's own at three."""
    of_name = cuts(name)
    yield from (f"{name}(){cut}" for cut in of_name)
    few = (of_name[0], of_name[-1], of_name[min(1, len(of_name) - 1)])
    yield from (f"{name}({own}){cut}" for own in OWN.get(name, ()) for cut in few)
    middle = of_name[-2] if len(of_name) > 1 else ""
    yield from (f"{name}({shared}){middle}" for shared in SHARED)


CLICKS = (
    "gauc()",
    *(f"gauc(group_weight={weight})" for weight in ("positives", "pairs", "equal", COLUMN)),
    "gauc(single_class=0.5)",
    "gauc(single_class=0)",
    "gauc(min_rows=3)",
    "gauc(min_rows=100)",
    "gauc(group_weight=positives, single_class=0.5)",
    "gauc(group_weight=pairs, single_class=0)",
    "gauc(group_weight=equal, min_rows=4, single_class=0.5)",
    "uauc()",
    "uauc(min_rows=2, single_class=0.5)",
)
# The values of these are ratios of whole numbers, rounded once: no value is near another bin.
HISTOGRAMS = (
    "group_values()",
    "group_values(bins=1)",
    "group_values(metric=uauc, bins=7)",
    'group_values(metric="gauc(single_class=0.5)", bins=3)',
    'group_values(metric="gauc(min_rows=3)")',
    f'group_values(metric="gauc(group_weight={COLUMN})")',
    'group_values(metric="precision()@3", bins=4)',
    'group_values(metric="recall(rel=2)@3")',
    'group_values(metric="recall(empty=1, ties=stable)@3", bins=3)',
    'group_values(metric="r_precision(ties=trec)")',
)
SPECS = (*CLICKS, *HISTOGRAMS, *chain.from_iterable(map(_ranking, LISTS)))


def inner(spec: str) -> str:
    """Of a histogram, the mean over groups whose values it has; of a mean, itself."""
    name, params = parsed(spec)
    return params.get("metric", "gauc()") if name == "group_values" else spec


KEYS_ALONE = {id(data) for name, data in DATA.items() if name.endswith("_keys")}
FEW = set(SPECS[::6])


def fits(spec: str, data: Sample) -> bool:
    """Whether a data set has what the spec reads; few specs, where its keys alone are new."""
    if id(data) in KEYS_ALONE and spec not in FEW:
        return False
    name, params = parsed(inner(spec))
    label, columns = data.columns["label"].tolist(), data.columns
    if name not in LISTS and (not set(label) <= {0, 1} or "unscored" in data.roles):
        return False
    if (params.get("gain") == "exp2" or name == "err") and any(y != int(y) for y in label):
        return False
    if params.get("ties") == "trec" and "document" not in columns:
        return False
    if name in LISTS and not reaches(name, longest_tie(data)):
        return False
    return params.get("group_weight") != COLUMN or COLUMN in columns


def longest_tie(data: Sample) -> int:
    """The most rows of one group that have one score."""
    keys = [data.columns[name].tolist() for name in data.roles["group"]]
    found = Counter(zip(*keys, data.columns["score"].tolist(), strict=True))
    return max(found.values(), default=0)


def rows(data: Sample, options: Options) -> list[GroupRow]:
    """The rows of the oracles, with the values that the columns' types hold."""
    columns, count = data.columns, len(data)
    weights = columns[COLUMN].tolist() if COLUMN in columns else None
    documents = columns["document"].tolist() if "document" in columns else [""] * count
    every = zip(
        zip(*(columns[name].tolist() for name in data.roles["group"]), strict=True),
        map(Fraction, columns["label"].tolist()),
        (None if isnan(score) else float(score) for score in columns["score"].tolist()),
        map(Fraction, data.weights),
        [None] * count if weights is None else map(Fraction, weights),
        (name.encode() for name in documents),
        strict=True,
    )
    return [GroupRow(*row) for row in every]


def splits(spec: str) -> bool:
    """Whether states merge: the rows of two have no order in common."""
    return parsed(inner(spec))[1].get("ties") != "stable"


def histogram(rows: list[GroupRow], bins: int = 20, metric: str = "gauc()") -> AnyAnswer:
    """The histogram of the lines of the mean over groups."""
    name, params = parsed(metric)
    return group_oracles.group_values(MEANS[name](rows, **params), bins)


# --- what accompanies the mean -------------------------------------------------------------------


class Reported(NamedTuple):
    """A line of the group table, as the library has it."""

    rows: int
    positives: int
    weight: int | float  # a whole weight as it is, however large
    value: float | None


def group_table(result: Result, spec: str, data: Sample) -> dict[Key, Reported]:
    """The lines of `result.groups`, by key."""
    name = resolved(spec, data).name
    table = result.groups(name)
    found = {
        tuple(line[key] for key in data.roles["group"]): Reported(
            line["n"], line["positives"], line["weight"], line[name]
        )
        for line in table
    }
    assert len(found) == len(table)
    return found


def details(
    spec: str, data: Sample, row: Row, result: Result, lines: Lines, options: Options
) -> Answer:
    """The lines of the group table and the counts; the mean is that of the groups' floats."""
    table = group_table(result, spec, data)
    assert table.keys() == {line.key for line in lines.lines}, spec
    for line in lines.lines:
        assert is_line(spec, table[line.key], line), (spec, table[line.key], line)
    expected: dict[str, Any] = {
        "groups": len(lines.lines),
        "groups_used": len(lines.used),
        "rows_used": sum(line.rows for line in lines.used),
    }
    if "weight" in data.roles and lines.lines and parsed(spec)[0] in LISTS:
        expected["weights"] = "unused"
    assert row.details == expected, spec
    assert row.n == sum(line.rows for line in lines.lines), spec
    return lines.mean_of({key: one.value for key, one in table.items() if one.value is not None})


def is_line(spec: str, found: Reported, line: Line) -> bool:
    """Counts and weight of a group, and its value within the roundings of its ranks."""
    if (found.rows, found.positives) != (line.rows, line.positives):
        return False
    if line.value is None or found.value is None:
        return line.value is None and found.value is None
    weight = line.weight if isinstance(found.weight, int) else rounded(line.weight)
    name, params = parsed(spec)
    a, b = ROUNDINGS.get(name, (0, 0))
    ranks = min(line.rows, params.get("k") or line.rows)
    return found.weight == weight and is_right(found.value, line.value, a * ranks + b)


MEANS = functions_of(group_oracles) | {name: partial(ranking, name) for name in METRICS}
FAMILY = Family(
    name="groups",
    data=DATA,
    specs=SPECS,
    rows=rows,
    oracles={**MEANS, "group_values": histogram},
    fits=fits,
    details=details,
    splits=splits,
)
