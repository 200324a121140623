"""What a preset sets for a metric, where its tool still differs, and what it leaves alone."""

from collections.abc import Iterator

from steelyard import presets
from steelyard.errors import SteelyardError
from steelyard.metrics import catalogue
from steelyard.metrics.record import Metric
from steelyard.model import Conventions
from steelyard.presets import Preset
from steelyard.spec import parse, written


def settings(preset: Preset, metric: Metric) -> list[str]:
    """What a preset sets for a metric: `ties=trec`, `0 where there is no value`."""
    given = preset.defaults(metric.function, metric.family)
    own = {parameter.name for parameter in metric.parameters}
    found = [f"{name}={written(value)}" for name, value in given.items() if name in own]
    if metric.function in preset.undefined:
        found.append(f"{written(preset.undefined[metric.function])} where there is no value")
    return found


def every_setting(metric: Metric) -> Iterator[tuple[str, str]]:
    """The presets that set something for a metric, and what."""
    for tool, preset in presets.every().items():
        if found := settings(preset, metric):
            yield tool, ", ".join(found)


def notes(conventions: Conventions) -> list[str]:
    """Which numbers of a result differ from the tool's, and which were not compared with it."""
    tool = conventions.preset or ""
    preset = presets.every().get(tool)
    if preset is None:
        return []
    found: dict[str, None] = {}
    alone: dict[str, None] = {}
    for printed, params in conventions.metrics.items():
        metric = _metric(printed, conventions.reads)
        if metric is None:
            continue
        if metric.function not in preset.metrics:
            alone[metric.name] = None
        if where := preset.difference(conventions.reads, metric.function, params):
            found[f"{metric.name} differs from {tool}: {where}"] = None
    return [*found, *([f"not compared with {tool}: {', '.join(alone)}"] if alone else [])]


def _metric(printed: str, reads: str) -> Metric | None:
    """The metric of a printed name; None if a result of another release has it."""
    try:
        spec = parse(printed)
        return catalogue.find(spec.name, cut=spec.k is not None, reads=reads)
    except SteelyardError:
        return None
