"""The table of group and ranking metrics: specs, the data they fit, and the oracles' answers."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

from tests.oracles import groups as group_oracles
from tests.oracles.group_rows import GroupRow, Lines
from tests.oracles.ranking import LITERAL, ranking
from tests.tables.group_data import COLUMN, DATA, GroupData

GROUPED = ("gauc", "uauc")
RANKING = tuple(LITERAL)
CUT = ("precision", "recall", "f1")  # @k is part of their name
UNCUT = ("r_precision",)
TIES = ("stable", "pessimistic", "optimistic", "trec")
WEIGHTS = ("rows", "positives", "pairs", COLUMN)
CUTS = ("@1", "@3", "@10")

# What a metric has of its own, beside what all ranking metrics share.
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


def _cuts(name: str) -> tuple[str, ...]:
    if name in UNCUT:
        return ("",)
    return CUTS if name in CUT else ("", *CUTS)


def _ranking(name: str) -> Iterator[str]:
    """Every cut alone; every parameter at one cut, or at two where it is the metric's own."""
    cuts = _cuts(name)
    yield from (f"{name}(){cut}" for cut in cuts)
    own = OWN.get(name, ())
    yield from (f"{name}({params}){cut}" for params in own for cut in (cuts[0], cuts[-1], cuts[1]))
    middle = cuts[-2] if len(cuts) > 1 else ""
    shared = (
        *(f"ties={ties}" for ties in TIES),
        *(f"group_weight={weight}" for weight in WEIGHTS),
        "empty=0",
        "empty=1",
        "rel=2",
        "rel=0.5",
        "empty=1, rel=2",
        "empty=0, group_weight=rows, ties=optimistic",
    )
    yield from (f"{name}({params}){middle}" for params in shared)


SPECS = (
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
    *chain.from_iterable(map(_ranking, RANKING)),
)

# NDCG, (D)CG, AP, RR, RBP and ERR add rounded terms; all else is a ratio of whole numbers.
EXACT = (*GROUPED, "precision", "recall", "f1", "r_precision")


@dataclass(frozen=True)
class Parsed:
    """A spec read by Python's own parser, not by the library's."""

    name: str
    k: int | None
    params: dict[str, Any]


@cache
def parse(spec: str) -> Parsed:
    """`name(key=value, …)@k`."""
    text, _, k = spec.partition("@")
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    params = {word.arg or "": _value(word.value) for word in call.keywords}
    return Parsed(call.func.id, int(k) if k else None, params)


def _value(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def fits(spec: str, data: GroupData) -> bool:
    """Whether the metric can be asked of the data; what is refused is in test_group_input."""
    found = parse(spec)
    if found.name in GROUPED and (not data.binary or data.unscored):
        return False
    if (found.params.get("gain") == "exp2" or found.name == "err") and not data.whole:
        return False
    if found.params.get("ties") == "trec" and data.document is None:
        return False
    return found.params.get("group_weight") != COLUMN or data.group_weight is not None


@cache
def answer(spec: str, data: str) -> Lines:
    """The oracle's answer."""
    return answer_on(spec, DATA[data].rows())


def answer_on(spec: str, rows: list[GroupRow]) -> Lines:
    found = parse(spec)
    if found.name in GROUPED:
        oracle = getattr(group_oracles, found.name)
        lines: Lines = oracle(rows, **found.params)
        return lines
    return ranking(found.name, rows, found.k, **found.params)


def specs_for(data: str, names: tuple[str, ...] = (*GROUPED, *RANKING)) -> list[str]:
    """Those that fit; of data whose keys alone are new, every sixth is enough."""
    fitting = [spec for spec in SPECS if parse(spec).name in names and fits(spec, DATA[data])]
    return fitting[::6] if data.endswith("_keys") and data != "two_keys" else fitting


def splittable(spec: str) -> bool:
    """Whether two tallies merge: the rows of two have no order in common."""
    return parse(spec).params.get("ties") != "stable"
