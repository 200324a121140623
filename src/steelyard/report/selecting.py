"""Some of the slices of a result, in another order; the total is always kept."""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from steelyard import errors
from steelyard.report.slice_order import badness
from steelyard.result.result_rows import ResultRows, Section
from steelyard.result.sections import TypedKey

SORT_FIELDS = {"rows": "n", "positives": "positives"}  # what slices can be sorted by, or a metric
WORST = "worst"
# What is first: as `better` in the record of a metric, slices of which the worst is first.
SMALLEST, LARGEST = "higher", "lower"
ORDERS = {"desc": LARGEST, "descending": LARGEST, "asc": SMALLEST, "ascending": SMALLEST}
DIRECTIONS = ("higher", "lower", "nearer 1", "nearer 0")  # those that have a worst value


class Order(NamedTuple):
    """What slices are sorted by: a metric or a number of rows, and which value is first.

    better: which values are better if the worst is first; the largest is if lower were better
    worst: whether the worst is first by the metric's own direction
    """

    name: str
    better: str = LARGEST
    worst: bool = False

    @classmethod
    def read(cls, text: str) -> "Order":
        """The order of a text.

        >>> Order.read("auc asc"), str(Order.read("precision(0.3) worst"))
        (Order(name='auc', better='higher', worst=False), 'precision(0.3) worst')
        """
        if not isinstance(text, str):
            wanted = "the name of a metric, rows or positives"
            raise errors.OPTION_TYPE(name="sort", type=type(text).__name__, wanted=wanted)
        name, _, word = (part.strip() for part in text.strip().rpartition(" "))
        if name and word.lower() == WORST:
            return cls(name, worst=True)
        return (
            cls(name, ORDERS[word.lower()])
            if name and word.lower() in ORDERS
            else cls(text.strip())
        )

    def __str__(self) -> str:
        ending = f" {WORST}" if self.worst else " asc" if self.better == SMALLEST else ""
        return f"{self.name}{ending}"

    def directed(self, better: str) -> "Order":
        """The order with the metric's own direction, if it is needed; some metrics have none."""
        if not self.worst:
            return self
        if better not in DIRECTIONS:
            raise errors.NO_WORST(metric=self.name)
        return self._replace(better=better)

    def sorted(self, slices: Iterable["Slice"]) -> list["Slice"]:
        """The slices in this order; those without a value last, equal ones as they were."""
        found = list(slices)
        without = [each for each in found if each.value is None]
        valued = [each for each in found if each.value is not None]
        return sorted(valued, key=lambda s: -badness(s.value, self.better)) + without


class Slice(NamedTuple):
    """A slice of all scores: its rows, the value it is sorted by, and its places by section."""

    rows: int
    value: Any
    places: Mapping[int, Sequence[int]]


def select(
    rows: ResultRows, order: Order | None, top: int | None, least: int | None
) -> tuple[ResultRows, dict[str, int]]:
    """The rows of the slices chosen, and how many slices there were and are.

    top: how many slices of each `by`; least: the fewest rows that a slice has
    """
    for name, count in (("top", top), ("min_rows", least)):
        if count is not None and not (isinstance(count, Integral) and count >= 1):
            raise errors.NOT_A_COUNT(name=name, value=count)
    by = list(dict.fromkeys(section.names for section in rows.sections if section.names))
    if not by:
        raise errors.NO_SLICES()
    taken: dict[int, list[int]] = {}
    counts = {"slices": 0, "slices_shown": 0}
    for names in by:
        sections = {i: s for i, s in enumerate(rows.sections) if s.names == names}
        every = _slices(sections, order)
        chosen = [each for each in every if each.rows >= (least or 0)]
        chosen = (chosen if order is None else order.sorted(chosen))[:top]
        counts["slices"] += len(every)
        counts["slices_shown"] += len(chosen)
        for number in sections:
            taken[number] = [place for each in chosen for place in each.places.get(number, ())]
    sections_ = (s.take(taken[i]) if i in taken else s for i, s in enumerate(rows.sections))
    return ResultRows(sections_), counts


def _slices(sections: Mapping[int, Section], order: Order | None) -> list[Slice]:
    """The slices of one `by`, in the order of the rows; sorted by the value of the first score."""
    first = next(iter(sections.values())).score
    places: dict[TypedKey, dict[int, list[int]]] = {}
    rows: dict[TypedKey, int] = {}
    values: dict[TypedKey, Any] = {}
    for number, section in sections.items():
        column = _column(section, order) if order and section.score == first else None
        for place, (keys, n) in enumerate(zip(section.keys, section.of_slices("n"), strict=True)):
            key = tuple(map(type, keys)), keys
            places.setdefault(key, {}).setdefault(number, []).append(place)
            rows[key] = max(n, rows.get(key, 0))
            if column is not None and values.get(key) is None:
                values[key] = column[place]
    return [Slice(rows[key], values.get(key), found) for key, found in places.items()]


def _column(section: Section, order: Order) -> Sequence[Any]:
    """What the slices of a section are sorted by."""
    if order.name in SORT_FIELDS:
        return section.of_slices(SORT_FIELDS[order.name])
    return section.values_of(order.name)
