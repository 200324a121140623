"""The slices of one `by`, worst first, as columns that the page and its script show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any, NamedTuple

from steelyard.metrics.influence import LOG
from steelyard.model import Row
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.layout import same_keys
from steelyard.report.report_page.headline import (
    DIGITS,
    difference_text,
    has_interval,
    metric_of,
)
from steelyard.report.report_page.pictures import Pictures
from steelyard.report.slice_order import badness, is_small, worst_first
from steelyard.result.result_rows import Section
from steelyard.result.sections import SliceKey, TypedKey

MOST = 300  # slices of a `by`: half of them the largest, half the worst of the others
LINES = 25  # lines before the script runs
NAME = 60  # characters of a name; its title has all of them
TITLES = 200_000  # characters of all titles of a `by`

Values = tuple[float | None, ...]
# The keys of a slice, and how many rows, positives and negatives it has.
SliceSample = tuple[SliceKey, int, int | None, int | None]


class ValueText(NamedTuple):
    """A value and its interval as text; the interval is empty where there is none."""

    number: str
    interval: str = ""


@dataclass(frozen=True)
class SliceLine:
    """A line of the table, as text; start, end: of its bar, from 0 to 100."""

    name: str
    title: str
    rows: str
    positives: str
    small: bool
    values: tuple[ValueText, ...]
    start: float
    end: float
    worse: bool
    difference: str = ""


@dataclass(frozen=True)
class SliceTable:
    """The slices of one `by`.

    names, titles: of each slice, cut and whole; small: whether its numbers are mostly chance
    values: by metric and score, of each slice; totals: by metric and score
    betters: which way is better, by metric; scales: those of the intervals, by metric
    count: how many slices there are in the result
    texts: the values as text with their intervals, by metric and score; empty: there are none
    """

    by: str
    scores: tuple[str, ...]
    names: tuple[str, ...]
    titles: tuple[str, ...]
    rows: tuple[int, ...]
    positives: tuple[int | None, ...]
    small: tuple[bool, ...]
    values: Mapping[str, tuple[Values, ...]]
    totals: Mapping[str, Values]
    betters: Mapping[str, str]
    scales: Mapping[str, str]
    count: int
    texts: Mapping[str, tuple[tuple[ValueText, ...], ...]] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.values)

    @property
    def has_positives(self) -> bool:
        return any(count is not None for count in self.positives)

    @property
    def left_out(self) -> str:
        if self.count <= len(self.names):
            return ""
        half = len(self.names) // 2
        return (
            f"{len(self.names):,} of {self.count:,} slices are on this page: the {half:,} with the "
            f"most rows, and the worst of the others by {self.metrics[0]}."
        )

    def order(self, metric: str) -> list[int]:
        """The places of the slices: worst first, then small ones, then those without a value."""
        values, better = self.values[metric][0], self.betters[metric]
        return sorted(
            range(len(self.names)),
            key=lambda place: worst_first(values[place], small=self.small[place], better=better),
        )

    @property
    def worst(self) -> list[tuple[str, str, str]]:
        """Of each metric of the first score: the worst slice below the total, and its value."""
        found = []
        for metric, better in self.betters.items():
            place = self.order(metric)[0]
            value = self.values[metric][0][place]
            if not self.small[place] and _worse(value, self.totals[metric][0], better):
                assert value is not None
                found.append((metric, self.names[place], display.number(value, DIGITS)))
        return found

    def lines(self, metric: str) -> list[SliceLine]:
        """The first lines, worst first."""
        return [self._line(metric, place) for place in self.order(metric)[:LINES]]

    def _line(self, metric: str, place: int) -> SliceLine:
        columns, totals = self.values[metric], self.totals[metric]
        values = [column[place] for column in columns]
        start, end = self.bar(metric, place)
        positives = self.positives[place]
        return SliceLine(
            self.names[place],
            self.titles[place],
            f"{self.rows[place]:,}",
            "" if positives is None else f"{positives:,}",
            self.small[place],
            tuple(self._text(metric, score, place) for score in range(len(columns))),
            start,
            end,
            _worse(values[0], totals[0], self.betters[metric]),
            self._difference(metric, values),
        )

    def _difference(self, metric: str, values: Sequence[float | None]) -> str:
        if len(values) < 2:
            return ""
        return difference_text(values, self.betters[metric], self.scales[metric])

    def _text(self, metric: str, score: int, place: int) -> ValueText:
        if self.texts:
            return self.texts[metric][score][place]
        return ValueText(_shown(self.values[metric][score][place]))

    def bar(self, metric: str, place: int) -> tuple[float, float]:
        """The ends of the bar from the total, in the middle, to the value of the first score."""
        values, total = self.values[metric][0], self.totals[metric][0]
        value = values[place]
        if value is None or total is None:
            return 50.0, 50.0
        widest = max(abs(v - total) for v in values if v is not None)
        end = 50 + 50 * (value - total) / widest if widest else 50.0
        return min(50.0, end), max(50.0, end)

    @property
    def as_json(self) -> dict[str, Any]:
        """What the script needs."""
        cut = {str(at): whole for at, whole in enumerate(self.titles) if whole != self.names[at]}
        return {
            "by": self.by,
            "names": self.names,
            "titles": cut,
            "rows": self.rows,
            "positives": self.positives if self.has_positives else None,
            "small": [int(each) for each in self.small],
            "values": self.values,
            "totals": self.totals,
            "betters": self.betters,
            "ratios": [metric for metric, scale in self.scales.items() if scale == LOG],
            **({"texts": self.texts} if self.texts else {}),
        }


def _shown(value: float | None) -> str:
    return display.DASH if value is None else display.number(value, DIGITS)


def _worse(value: float | None, total: float | None, better: str) -> bool:
    if value is None or total is None or better == "depends":
        return False
    return badness(value, better) > badness(total, better)


def slice_tables(pictures: Pictures) -> list[SliceTable]:
    """One table for each `by` of the result."""
    found: dict[tuple[str, ...], dict[str, list[Section]]] = {}
    for section in pictures.result.rows.sections:
        if section.names and section.metrics:
            found.setdefault(section.names, {}).setdefault(section.score, []).append(section)
    return [
        _table(names, sections, pictures)
        for names, sections in found.items()
        if any(len(each.keys) for parts in sections.values() for each in parts)
    ]


def _table(
    names: tuple[str, ...], sections: Mapping[str, Sequence[Section]], pictures: Pictures
) -> SliceTable:
    """The columns of a `by`; a score may lack some slices, which then have no value."""
    conventions = pictures.result.conventions
    sample, places = _places(sections)
    metrics = list(
        dict.fromkeys(m for parts in sections.values() for s in parts for m in s.metrics)
    )
    records = {metric: metric_of(metric, conventions) for metric in metrics}
    betters = {name: each.better if each else "depends" for name, each in records.items()}
    values = {
        metric: [
            _column(metric, sections.get(score, ()), places.get(score, ()), len(sample))
            for score in pictures.scores
        ]
        for metric in metrics
    }
    kept = _kept(sample, values[metrics[0]][0], betters[metrics[0]])
    texts = [_name(sample[place][0]) for place in kept]
    most = max(NAME, min(10_000, TITLES // max(len(kept), 1)))
    numbers = {score: pictures.numbers(score) for score in pictures.scores}
    return SliceTable(
        by=", ".join(map(display.key, names)),
        scores=tuple(map(display.key, pictures.scores)),
        names=tuple(shortened(text, NAME) for text in texts),
        titles=tuple(shortened(text, most) for text in texts),
        rows=tuple(sample[place][1] for place in kept),
        positives=tuple(sample[place][2] for place in kept),
        small=tuple(is_small(*sample[place][1:]) for place in kept),
        values={
            metric: tuple(tuple(column[place] for place in kept) for column in columns)
            for metric, columns in values.items()
        },
        totals={
            metric: tuple(numbers[score].get(metric) for score in pictures.scores)
            for metric in metrics
        },
        betters=betters,
        scales={name: each.scale if each else "" for name, each in records.items()},
        count=len(sample),
        texts={} if conventions.confidence is None else _texts(metrics, sections, places, kept),
    )


def _texts(
    metrics: Sequence[str],
    sections: Mapping[str, Sequence[Section]],
    places: Mapping[str, Sequence[Sequence[int]]],
    kept: Sequence[int],
) -> dict[str, tuple[tuple[ValueText, ...], ...]]:
    """The values and intervals of the slices that are kept, by metric and score."""
    found: dict[str, list[tuple[ValueText, ...]]] = {metric: [] for metric in metrics}
    for score, parts in sections.items():
        texts: dict[tuple[str, int], ValueText] = {}
        wanted = set(kept)
        for section, where in zip(parts, places[score], strict=True):
            for own, place in enumerate(where):
                if place in wanted:
                    texts |= {(r.metric, place): _value_text(r) for r in section.rows_of(own)}
        for metric in metrics:
            none = ValueText(display.DASH)
            found[metric].append(tuple(texts.get((metric, place), none) for place in kept))
    return {metric: tuple(columns) for metric, columns in found.items()}


def _value_text(row: Row) -> ValueText:
    if has_interval(row):
        return ValueText(display.value_text(row), display.bounds(row))
    return ValueText(_shown(row.value))


def _places(
    sections: Mapping[str, Sequence[Section]],
) -> tuple[list[SliceSample], dict[str, list[Sequence[int]]]]:
    """The sample of each slice, and by score the places of the slices of each section."""
    every = [section for parts in sections.values() for section in parts]
    if same_keys(every):  # the usual case, and quick for many slices
        same: Sequence[int] = range(len(every[0].keys))
        return _sample(every[0]), {score: [same] * len(parts) for score, parts in sections.items()}
    places: dict[TypedKey, int] = {}
    sample: list[SliceSample] = []
    found: dict[str, list[Sequence[int]]] = {}
    for score, parts in sections.items():
        for section in parts:
            own = []
            for each in _sample(section):
                key = tuple(map(type, each[0])), tuple(each[0])
                own.append(places.setdefault(key, len(sample)))
                if own[-1] == len(sample):
                    sample.append(each)
            found.setdefault(score, []).append(own)
    return sample, found


def _sample(section: Section) -> list[SliceSample]:
    counts = (section.of_slices(name) for name in ("n", "positives", "negatives"))
    return list(zip(section.keys, *counts, strict=True))


def _column(
    metric: str, sections: Sequence[Section], places: Sequence[Sequence[int]], count: int
) -> list[float | None]:
    column: list[float | None] = [None] * count
    for section, where in zip(sections, places, strict=True):
        if section.has(metric):
            for place, value in zip(where, section.values_of(metric), strict=True):
                column[place] = value
    return column


def _kept(sample: Sequence[SliceSample], values: Sequence[float | None], better: str) -> list[int]:
    """The places of the slices that the page has: all, or the largest and the worst."""
    if len(sample) <= MOST:
        return list(range(len(sample)))
    by_size = sorted(range(len(sample)), key=lambda place: -sample[place][1])
    half, others = MOST // 2, by_size[MOST // 2 :]
    valued = [place for place in others if values[place] is not None]
    large = [place for place in valued if not is_small(*sample[place][1:])]
    chosen = large if len(large) >= MOST - half else valued or others
    worst = nsmallest(MOST - half, chosen, key=lambda place: -badness(values[place] or 0.0, better))
    return sorted([*by_size[:half], *worst])


def _name(keys: SliceKey) -> str:
    """The keys of a slice, in the order of the columns of the `by`."""
    return " · ".join(map(display.key, keys))
