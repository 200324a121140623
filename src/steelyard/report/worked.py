"""AUC and NDCG step by step: each row of a short list, and what it adds to the value."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal, NamedTuple

import numpy as np

from steelyard.kernels.digits import integers
from steelyard.kernels.gains import GAINS, discounts
from steelyard.kernels.interface import KeyedRun
from steelyard.metrics.group_metrics import RankingMetric
from steelyard.metrics.record import Metric
from steelyard.model import Array, Value
from steelyard.report import display
from steelyard.report.text_table import Cell, Column, TextTable
from steelyard.states.score_table import SortedTable
from steelyard.views.group_rows import GroupRows
from steelyard.views.groups import GroupsView
from steelyard.views.scores import ScoreView

MOST = 50  # rows that are shown
LARGEST = 10**15  # a whole number with all its digits
EXPECTED = "expected"
RANK = Column("rank", is_key=True)
COLUMNS = (
    "won, tied, lost: the negatives with a lower, an equal and a higher score than the positive"
)
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")  # of equal scores
Steps = Callable[[Any, Any, Mapping[str, Any], Value], Iterator[TextTable]]


# --- AUC ------------------------------------------------------------------------------------------
class _Pairs(NamedTuple):
    """The weight of the pairs of one positive, or of all, with a lower, equal, higher negative."""

    won: Fraction
    tied: Fraction
    lost: Fraction

    @property
    def points(self) -> Fraction:
        return self.won + self.tied / 2


def auc_steps(
    view: ScoreView, metric: Metric, params: Mapping[str, Any], value: Value
) -> Iterator[TextTable]:
    """Each positive against all negatives: pairs that it wins, ties and loses."""
    table = view.table
    weighted = table.positives.digits is not None or table.negatives.digits is not None
    up, down = (_weights(side, table.unit) for side in (table.positives, table.negatives))
    pairs = _pairs(table, up, down)
    lines = [*_lines(table.positives, up, "positive", pairs), *_lines(table.negatives, down)]
    lines.sort(key=lambda line: line[0])
    cells = [
        [Cell(text) for at, text in enumerate(texts) if weighted or at != 2] for _, texts in lines
    ]
    total = _Pairs(*(sum((each[at] for each in pairs), Fraction(0)) for at in range(3)))
    won, tied = _exact(total.won), _exact(total.tied)
    points, every = _exact(total.points), _exact(sum(up, Fraction(0)) * sum(down, Fraction(0)))
    weight = ("weight",) if weighted else ()
    yield TextTable(
        [
            Column("score", is_key=True),
            *Column.texts("class"),
            *Column.numbers(*weight, "won", "tied", "lost", "points"),
        ],
        [cells[:MOST]],
        (
            *_left_out(len(cells), "rows"),
            f"{COLUMNS}{', as products of weights' if weighted else ''}; a tie is half a point",
            f"all pairs: {won} won + {tied} tied / 2 = {points}, of {every}",
            _last(f"auc = {points} / {every}", value),
        ),
        title="Rows from the highest score down",
    )


def _weights(side: KeyedRun, unit: int) -> list[Fraction]:
    if side.digits is None:
        return [Fraction(1)] * len(side.scores)
    return [int(each) * Fraction(2) ** unit for each in integers(side.digits)]


def _pairs(table: SortedTable, up: Sequence[Fraction], down: Sequence[Fraction]) -> list[_Pairs]:
    """Of each positive, what it adds."""
    below = [Fraction(0), *accumulate(down)]
    scores, wanted = table.negatives.scores, table.positives.scores
    ends = zip(up, *(scores.searchsorted(wanted, side).tolist() for side in SIDES), strict=True)
    return [
        _Pairs(w * below[low], w * (below[high] - below[low]), w * (below[-1] - below[high]))
        for w, low, high in ends
    ]


def _lines(
    side: KeyedRun,
    weights: Sequence[Fraction],
    name: str = "negative",
    pairs: Sequence[_Pairs] = (),
) -> Iterator[tuple[tuple[float, bool], tuple[str, ...]]]:
    """The texts of each row, behind what sorts them: positives come first in a tie."""
    for place, (score, weight) in enumerate(zip(side.scores, weights, strict=True)):
        added = (
            [_exact(each) for each in (*pairs[place], pairs[place].points)] if pairs else [""] * 4
        )
        yield (-float(score), not pairs), (str(score), name, _exact(weight), *added)


# --- NDCG -----------------------------------------------------------------------------------------
def ndcg_steps(
    view: GroupsView, metric: RankingMetric, params: Mapping[str, Any], value: Value
) -> Iterator[TextTable]:
    """Each list: gain, discount and their product by rank, the best order, and the quotient."""
    rows, room, shown = view.rows, MOST, 0
    lists = rows.lists(params["ties"])
    measured = metric.measure(rows, dict(params))
    both = [
        lists.term(name, gain=params["gain"], k=params["k"]).tolist()
        for name in ("discounted_gain", "ideal_gain")
    ]
    none = f"no row is relevant, and empty={params['empty']}"
    quotients = [
        f"DCG / IDCG = {found!r} / {best!r}" if best else none
        for found, best in zip(*both, strict=True)
    ]
    several = len(rows) != 1
    for group in rows.by_key.tolist() if several else range(1):
        size = int(lists.sizes[group])
        if shown and size > room:
            break
        of = f" of {', '.join(map(display.key, rows.key(group)))}" if several else ""
        ranked, others = rows.members(group, params["ties"])
        grades = rows.joined.grade[np.append(ranked, others)]
        best = _best(grades, params, f"The best order{of}")
        if several and measured.used[group]:
            said = _last(quotients[group], measured.values[group].item())
            best = replace(best, notes=(*best.notes, said))
        elif several:
            best = replace(best, notes=("no row is relevant: the list is left out",))
        yield _list(rows, ranked, params, f"The list{of}")
        yield best
        room, shown = room - size, shown + 1
    count = int(measured.used.sum())
    weight, used = params["group_weight"], "1 list" if count == 1 else f"{count:,} lists"
    mean = f"the mean of {used}" + ("" if weight == "equal" else f", weighted by {weight}")
    last = _last(f"ndcg = {mean if several else quotients[0]}", value)
    yield TextTable(notes=(*_left_out(len(rows), "lists", shown), last))


def _list(rows: GroupRows, members: Array, params: Mapping[str, Any], title: str) -> TextTable:
    scores, grades = rows.joined.score[members], rows.joined.grade[members]
    size, expected = len(members), params["ties"] == EXPECTED
    cut, ranks = params["k"] or size, np.arange(1, size + 1)
    gains, weights = GAINS[params["gain"]](grades), discounts(ranks)
    tied = bool((scores[1:] == scores[:-1]).any())
    if tied and expected:
        block = np.unique(-scores, return_inverse=True)[1]
        gains = (np.bincount(block, gains) / np.bincount(block))[block]
    lines = [
        [
            Cell(str(rank)),
            Cell(str(score)),
            Cell(_exact(grade)),
            Cell(_short(gain)),
            Cell(_short(discount) if rank <= cut else display.DASH),
            Cell(_short(gain * discount) if rank <= cut else display.DASH),
        ]
        for rank, score, grade, gain, discount in zip(
            ranks.tolist(), scores, grades, gains.tolist(), weights.tolist(), strict=True
        )
    ]
    columns = [RANK, *Column.numbers("score", "grade", "gain", "discount", "gain · discount")]
    notes = [*_left_out(len(lines), "rows"), "discount = 1 / log2(rank + 1)"]
    if cut < size:
        notes.append(f"ranks after {cut} do not count")
    if tied and expected:
        notes.append(
            "rows of equal score may be in any order: the gain of each is the mean of theirs, "
            "which is the expected value over all orders"
        )
    elif tied:
        notes.append(f"rows of equal score are in the order of ties={params['ties']}")
    return TextTable(columns, [lines[:MOST]], tuple(notes), title=title)


def _best(grades: Array, params: Mapping[str, Any], title: str) -> TextTable:
    grades = np.sort(grades[grades > 0])[::-1][: params["k"]]
    ranks = np.arange(1, len(grades) + 1)
    gains, weights = GAINS[params["gain"]](grades), discounts(ranks)
    lines = [
        [Cell(str(rank)), Cell(_exact(grade)), *(Cell(_short(n)) for n in (gain, by, gain * by))]
        for rank, grade, gain, by in zip(
            ranks.tolist(), grades, gains.tolist(), weights.tolist(), strict=True
        )
    ]
    columns = [RANK, *Column.numbers("grade", "gain", "discount", "gain · discount")]
    notes = (*_left_out(len(lines), "rows"), "rows of grade 0 add nothing, and are not shown")
    return TextTable(columns, [lines[:MOST]], notes, title=title)


# --- texts ----------------------------------------------------------------------------------------
def _left_out(count: int, what: str, shown: int = MOST) -> list[str]:
    if count <= shown:
        return []
    return [f"the first {shown} of {count:,} {what} are shown; all of them count"]


def _last(text: str, value: Value) -> str:
    """The last line: the value with all its digits, or the reason for none."""
    return f"{text} = {value!r}" if isinstance(value, float) else f"{text}: no value, {value.why}"


def _exact(number: Any) -> str:
    """A number with all its digits, without a point where it is whole."""
    exact = Fraction(number)
    if exact.denominator == 1 and abs(exact) < LARGEST:
        return str(int(exact))
    try:
        return str(float(exact))
    except OverflowError:  # products of large weights
        return f"{Decimal(exact.numerator) / Decimal(exact.denominator):.6e}"


def _short(number: float) -> str:
    return f"{number:.6g}"


STEPS: dict[str, Steps] = {"auc": auc_steps, "ndcg": ndcg_steps}
