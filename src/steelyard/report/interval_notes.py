"""Notes on intervals below a table: what they rest on, and which metrics have none."""

from collections.abc import Iterator, Sequence

from steelyard import presets
from steelyard.metrics.catalogue import resolve
from steelyard.metrics.influence import BOOTSTRAP
from steelyard.model import Conventions
from steelyard.presets import Preset
from steelyard.report import display
from steelyard.report.display import unique
from steelyard.rows import Section
from steelyard.sections import ABSENT
from steelyard.stats.intervals import FEW_FREEDOM, LARGE_SHARE

LISTED = 5  # slices that a note names
RESAMPLING = "with bootstrap=1000 (--bootstrap 1000) it has one"


def interval_notes(sections: Sequence[Section], conventions: Conventions) -> Iterator[str]:
    """What intervals rest on; metrics and slices that have none; few or unequal clusters."""
    if conventions.confidence is None:
        return
    yield heading(conventions)
    metrics = unique(metric for section in sections for metric in section.metrics)
    for why, names in _without(metrics, conventions).items():
        yield f"no interval: {', '.join(names)} ({why})"
    without = [name for names in _without(metrics, conventions).values() for name in names]
    others = [metric for metric in metrics if metric not in without]
    for why, places in _whys(sections, others).items():
        yield f"no interval of {_listed(places)}: {why}"
    few = _places(sections, metrics, "freedom", lambda found: found < FEW_FREEDOM)
    if few:
        yield f"fewer than {FEW_FREEDOM} degrees of freedom, so rough: {_listed(few)}"
    large = _places(sections, metrics, "largest_cluster", lambda found: found > LARGE_SHARE)
    if large:
        yield f"one cluster has more than a tenth of the variance: {_listed(large)}"


def heading(conventions: Conventions) -> str:
    """The probability of intervals, and the clusters they are made of."""
    share = f"{100 * (conventions.confidence or 0):g} % intervals"
    if conventions.cluster == "row":
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
        more = f"; {RESAMPLING}" if interval.kind == BOOTSTRAP else ""
        found.setdefault(f"{interval.why}{more}", []).append(name)
    return found


def _whys(sections: Sequence[Section], metrics: Sequence[str]) -> dict[str, list[str]]:
    """The metrics and slices without an interval, by the reason."""
    found: dict[str, list[str]] = {}
    for section in sections:
        for metric in metrics:
            for place, why in enumerate(section.detail(metric, "no_interval")):
                if why is not ABSENT:
                    found.setdefault(why, []).append(_named(section, metric, place))
    return found


def _places(
    sections: Sequence[Section], metrics: Sequence[str], detail: str, holds: object
) -> list[str]:
    """The metrics and slices for which a detail has some property."""
    assert callable(holds)
    return [
        _named(section, metric, place)
        for section in sections
        for metric in metrics
        for place, value in enumerate(section.detail(metric, detail))
        if value is not ABSENT and holds(value)
    ]


def _named(section: Section, metric: str, place: int) -> str:
    (slice_,) = display.slice_names(section.names, [section.keys[place]])
    return f"{metric} in {slice_}" if section.names else metric


def _listed(names: Sequence[str]) -> str:
    some = unique(names)
    more = len(some) - LISTED
    return ", ".join(some[:LISTED]) + (f" and {more:,} more" if more > 0 else "")
