"""Every metric there is, found by looking; names, aliases and defaults resolve here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from steelyard import errors
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import Metric
from steelyard.spec import Spec, parse


@dataclass(frozen=True)
class Bound:
    """A metric with its parameters settled; the printed name is its identity."""

    metric: Metric
    params: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The first parameter by position, others by name, defaults left out."""
        args, options = [], []
        for place, parameter in enumerate(self.metric.parameters):
            value = self.params[parameter.name]
            if parameter.default is not REQUIRED and value == parameter.default:
                continue
            if place == 0:
                args.append(value)
            else:
                options.append((parameter.name, value))
        return str(Spec(self.metric.name, tuple(args), tuple(options)))


@cache
def metrics() -> dict[str, Metric]:
    """Every metric by its own name, in alphabetical order."""
    found = {metric.name: metric for _, metric in _discover()}
    return dict(sorted(found.items()))


@cache
def families() -> dict[str, str]:
    """The family of every metric, which is the folder that its file stands in."""
    found = {metric.name: family for family, metric in _discover()}
    return dict(sorted(found.items()))


@cache
def by_any_name() -> dict[str, Metric]:
    """Every metric by each of its names."""
    return {name: metric for metric in metrics().values() for name in metric.names}


def find(name: str) -> Metric:
    """The metric of that name or alias."""
    known = by_any_name()
    if name not in known:
        close = get_close_matches(name.lower(), known, n=1)
        hint = f"did you mean {close[0]}" if close else f"there are {', '.join(metrics())}"
        raise errors.UNKNOWN_METRIC(name=name, hint=hint)
    return known[name]


def resolve(spec: Spec | str, preset: Mapping[str, Mapping[str, Any]] | None = None) -> Bound:
    """A metric and all its parameters, from what was written; a preset has defaults of its own."""
    if not isinstance(spec, Spec):
        spec = parse(spec)
    metric = find(spec.name)
    if spec.k is not None:
        raise errors.NO_CUT(metric=metric.name, k=spec.k)
    if spec.approximate:
        raise errors.NO_APPROXIMATION(metric=metric.name)
    return bind(metric, {**(preset or {}).get(metric.name, {}), **_by_name(metric, spec)})


def bind(metric: Metric, given: Mapping[str, Any]) -> Bound:
    """A metric with the parameters given, the others at their defaults."""
    params = {}
    for parameter in metric.parameters:
        value = given.get(parameter.name, parameter.default)
        if value is REQUIRED:
            raise errors.MISSING_PARAMETER(metric=metric.name, name=parameter.name)
        params[parameter.name] = parameter.take(value, metric.name)
    return Bound(metric, params)


def _by_name(metric: Metric, spec: Spec) -> dict[str, Any]:
    """What was written, by parameter name."""
    known = [parameter.name for parameter in metric.parameters]
    listed = ", ".join(known) or "none"
    if len(spec.args) > len(known):
        raise errors.TOO_MANY_PARAMETERS(
            metric=metric.name, most=len(known), count=len(spec.args), known=listed
        )
    given: dict[str, Any] = dict(zip(known, spec.args, strict=False))
    for name, value in spec.options:
        if name not in known:
            raise errors.UNKNOWN_PARAMETER(metric=metric.name, name=name, known=listed)
        if name in given:
            raise errors.REPEATED_PARAMETER(metric=metric.name, name=name)
        given[name] = value
    return given


def _discover() -> Iterator[tuple[str, Metric]]:
    """The METRIC of every file in the folders of metrics, and the folder."""
    here = Path(__file__).parent
    for path in sorted(here.glob("*/*.py")):
        module = import_module(f"{__package__}.{path.parent.name}.{path.stem}")
        if hasattr(module, "METRIC"):
            yield path.parent.name, module.METRIC
