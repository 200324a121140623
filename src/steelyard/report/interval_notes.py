"""Notes on intervals below a table: what they rest on, and which metrics have none."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from steelyard import presets
from steelyard.metrics.catalogue import resolve
from steelyard.metrics.influence import BOOTSTRAP
from steelyard.model import Conventions
from steelyard.presets import Preset
from steelyard.reading.clusters import ROW
from steelyard.report import display
from steelyard.report.display import unique
from steelyard.result.metric_column import ABSENT
from steelyard.result.result_rows import Section
from steelyard.result.sections import SliceKey
from steelyard.stats.intervals import FEW_FREEDOM, LARGE_SHARE

Place = tuple[str, tuple[str, ...], SliceKey]  # a metric, the columns of a `by`, and a slice of it

LISTED = 5  # slices that a note names
RESAMPLING = "with bootstrap=1000 (--bootstrap 1000) it has one"


def interval_notes(sections: Sequence[Section], conventions: Conventions) -> Iterator[str]:
    """What intervals rest on; metrics and slices that have none; few or unequal clusters."""
    if conventions.confidence is None:
        return
    yield heading(conventions)
    metrics = unique(metric for section in sections for metric in section.metrics)
    without = _without(metrics, conventions)
    for why, names in without.items():
        yield f"no interval: {', '.join(names)} ({why})"
    others = [metric for metric in metrics if metric not in chain(*without.values())]
    whys: dict[str, list[Place]] = {}
    for place, why in _details(sections, others, "no_interval"):
        whys.setdefault(why, []).append(place)
    for why, places in whys.items():
        yield f"no interval of {_listed(places)}: {why}"
    freedoms = _details(sections, metrics, "freedom")
    if few := [place for place, freedom in freedoms if freedom < FEW_FREEDOM]:
        yield f"fewer than {FEW_FREEDOM} degrees of freedom, so rough: {_listed(few)}"
    shares = _details(sections, metrics, "largest_cluster")
    if large := [place for place, share in shares if share > LARGE_SHARE]:
        yield f"one cluster has more than a tenth of the variance: {_listed(large)}"


def heading(conventions: Conventions) -> str:
    """The probability of intervals, and the clusters they are made of."""
    share = f"{100 * (conventions.confidence or 0):g} % intervals"
    if conventions.cluster == ROW:
        return f"{share}, each row taken as independent of all others"
    return f"{share}, rows of one {display.key(conventions.cluster)} taken as dependent"


def _without(metrics: Sequence[str], conventions: Conventions) -> dict[str, list[str]]:
    """The metrics without intervals, by the reason."""
    preset = presets.every().get(conventions.preset or "", Preset())
    found: dict[str, list[str]] = {}
    for name in metrics:
        interval = resolve(name, preset, conventions.reads).metric.interval
        if not interval.why or (interval.kind == BOOTSTRAP and conventions.bootstrap):
            continue
        more = [RESAMPLING] if interval.kind == BOOTSTRAP else []
        more += [interval.note] if interval.note and conventions.cluster != ROW else []
        found.setdefault("; ".join([interval.why, *more]), []).append(name)
    return found


def _details(
    sections: Sequence[Section], metrics: Sequence[str], name: str
) -> Iterator[tuple[Place, Any]]:
    """A detail of every metric and slice that has it."""
    for section in sections:
        for metric in metrics:
            for number, value in enumerate(section.detail(metric, name)):
                if value is not ABSENT:
                    yield (metric, section.names, section.keys[number]), value


def _listed(places: Sequence[Place]) -> str:
    """The first places by name; scores share them."""
    some = list(dict.fromkeys(places))
    more = len(some) - LISTED
    return ", ".join(map(_named, some[:LISTED])) + (f" and {more:,} more" if more > 0 else "")


def _named(place: Place) -> str:
    metric, names, keys = place
    (slice_,) = display.slice_names(names, [keys])
    return f"{metric} in {slice_}" if names else metric
