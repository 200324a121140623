"""The catalogue of all metrics: it finds their files, and resolves names, aliases and defaults."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from steelyard import errors
from steelyard.cached import cached_property
from steelyard.metrics import names
from steelyard.metrics.influence import BOOTSTRAP, INFLUENCE
from steelyard.metrics.parameter import REQUIRED, Parameter
from steelyard.metrics.record import CUT, PREDICTION, ROLES, Metric, StateSpec
from steelyard.model import RequiredColumns
from steelyard.phrases import phrase
from steelyard.presets import Preset
from steelyard.spec import Spec, parse


@dataclass(frozen=True)
class BoundMetric:
    """A metric with a value for each of its parameters; the printed name is its identity.

    preset_defaults: defaults of a table or a preset; like those of functions, they are not printed
    """

    metric: Metric
    params: dict[str, Any]
    preset_defaults: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def name(self) -> str:
        """The printed name: the first parameter by position, others by name, without defaults."""
        args, options = [], []
        for place, parameter in enumerate(written(self.metric)):
            if not self._is_default(parameter):
                value = self.params[parameter.name]
                if place == 0:
                    args.append(value)
                else:
                    options.append((parameter.name, value))
        cut = self.metric.cut
        k = None if cut is None or self._is_default(cut) else self.params[CUT]
        return str(Spec(self.metric.name, tuple(args), tuple(options), k))

    def without(self, name: str) -> "BoundMetric":
        """The same with the default of a parameter, if it has that parameter."""
        defaults = {p.name: p.default for p in self.metric.parameters if p.name == name}
        return replace(self, params=self.params | defaults)

    @cached_property
    def state_spec(self) -> StateSpec:
        """The state that the metric reads."""
        return self.metric.state_spec(self.params)

    @cached_property
    def cluster_spec(self) -> StateSpec | None:
        """The state that its influence values are read from; None where it has none."""
        has_any = self.metric.shape is None and self.metric.interval.kind == INFLUENCE
        return self.metric.cluster_spec(self.params) if has_any else None

    @cached_property
    def details_spec(self) -> StateSpec | None:
        """The state that its details by cluster are read from; None where it has none."""
        return self.metric.details_spec(self.params)

    @property
    def is_resampled(self) -> bool:
        """Whether its intervals are by bootstrap."""
        return self.metric.shape is None and self.metric.interval.kind == BOOTSTRAP

    @cached_property
    def required_columns(self) -> RequiredColumns:
        """The columns that the metric reads, apart from score and weight."""
        return self.metric.required_columns(self.params)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by the metric's name: the record itself holds functions, which cannot be."""
        known = (self.metric.function, self.metric.reads)
        return _rebind, (*known, self.params, dict(self.preset_defaults))

    def _is_default(self, parameter: Parameter) -> bool:
        default = self.preset_defaults.get(parameter.name, parameter.default)
        return default is not REQUIRED and bool(self.params[parameter.name] == default)


def _rebind(
    function: str, reads: str, params: dict[str, Any], preset_defaults: Mapping[str, Any]
) -> BoundMetric:
    return BoundMetric(by_any_name(reads)[function], params, preset_defaults)


def written(metric: Metric) -> list[Parameter]:
    """The parameters written in parentheses: all but the cut, which is written after the @."""
    return [parameter for parameter in metric.parameters if parameter is not metric.cut]


@cache
def every() -> tuple[Metric, ...]:
    """Every metric, sorted by its function name; of two with one name, that of scores first."""
    order = sorted(_discover(), key=lambda each: (each.function, ROLES.index(each.reads)))
    return tuple(order)


@cache
def by_any_name(reads: str) -> dict[str, Metric]:
    """The metrics that read a role, by every name of their functions."""
    found = [metric for metric in every() if metric.reads == reads]
    return {name: metric for metric in found for name in metric.names}


@cache
def functions() -> dict[str, tuple[Metric, ...]]:
    """The metrics of each function name: one, or one of scores and one of predictions."""
    of_roles = [by_any_name(role) for role in ROLES]
    every_name = dict.fromkeys(name for metric in every() for name in metric.names)
    return {name: tuple(known[name] for known in of_roles if name in known) for name in every_name}


@cache
def _cuts() -> dict[str, Metric]:
    """Every metric that cuts ranked lists, by the names that may be written before the @."""
    found = [metric for metric in every() if metric.cut is not None]
    return {name: metric for metric in found for name in (metric.name, *metric.names)}


def find(name: str, *, cut: bool = False, reads: str | None = None) -> Metric:
    """The metric of that name or alias; with a cut, the one that cuts ranked lists.

    reads: the role that rows have; None: that of scores is preferred
    """
    name = spelled(name)
    if cut and name in _cuts() and reads != PREDICTION:
        return _cuts()[name]
    if name not in functions():
        raise unknown(name, cut=cut)
    found = [metric for metric in functions()[name] if reads in (None, metric.reads)]
    if not found:
        raise _other_role(functions()[name][0], reads)
    return found[0]


def spelled(name: str) -> str:
    """The name as the catalogue spells it, for one in any case, with hyphens, or in Chinese.

    >>> spelled("AUC"), spelled("F1-Score"), spelled("查全率"), spelled("unknown")
    ('auc', 'f1_score', 'recall', 'unknown')
    """
    return name if name in functions() else _spellings().get(names.folded(name), name)


@cache
def _spellings() -> dict[str, str]:
    return names.spellings(every())


def unknown(name: str, *, cut: bool = False) -> errors.SteelyardError:
    """The error for a name that no metric has, with the most similar names."""
    same = spelled(name)
    similar = [same] if same != name else names.similar_names(name, functions(), cut=cut)
    return errors.unknown_metric(name, similar)


def _other_role(metric: Metric, given: str | None) -> errors.SteelyardError:
    """The error for a metric that reads a role which the rows do not have."""
    reads, give = f"a {metric.reads}", phrase(f"{metric.reads}=...")
    if metric.reads == PREDICTION and "y_score" in metric.argument_names:
        reads = "a score for each class"
        give = phrase("score=[...] with classes=[...], or a matrix")
    found = "a score" if given != PREDICTION else "a prediction or a score for each class"
    return errors.OTHER_ROLE(metric=metric.name, reads=reads, give=give, given=found)


def resolve(
    spec: Spec | str, preset: Preset | None = None, reads: str | None = None
) -> BoundMetric:
    """The metric of a spec, with all its parameters; a preset has other defaults."""
    if not isinstance(spec, Spec):
        spec = parse(spec)
    return bind_spec(find(spec.name, cut=spec.k is not None, reads=reads), spec, preset)


def bind_spec(metric: Metric, spec: Spec, preset: Preset | None = None) -> BoundMetric:
    """A metric with the parameters of a spec, the others at their defaults."""
    if spec.k is not None and metric.cut is None:
        raise errors.NO_CUT(metric=metric.name, k=spec.k)
    if spec.approximate:
        raise errors.NO_APPROXIMATION(metric=metric.name)
    if spec.k is None and metric.cut is not None and metric.cut.default is REQUIRED:
        raise errors.CUT_NEEDED(metric=metric.name)
    given = _by_name(metric, spec) | ({} if spec.k is None else {CUT: spec.k})
    preset_defaults = dict(metric.table_defaults)
    if preset is not None:
        preset_defaults |= preset.defaults(metric.function, metric.family)
    bound = bind(metric, {**preset_defaults, **given}, preset)
    return replace(bound, preset_defaults=preset_defaults)


def bind(metric: Metric, given: Mapping[str, Any], preset: Preset | None = None) -> BoundMetric:
    """A metric with the parameters given, the others at their defaults."""
    params = {}
    for parameter in metric.parameters:
        value = given.get(parameter.name, parameter.default)
        if value is REQUIRED:
            raise errors.MISSING_PARAMETER(metric=metric.name, name=parameter.name)
        params[parameter.name] = parameter.take(value, metric.name)
    return BoundMetric(metric, metric.completed(params, preset))


def _by_name(metric: Metric, spec: Spec) -> dict[str, Any]:
    """The parameters of a spec, by name."""
    known = [parameter.name for parameter in written(metric)]
    if metric.cut is not None and CUT in dict(spec.options):
        raise errors.CUT_AS_PARAMETER(
            metric=metric.name, k=str(dict(spec.options)[CUT]).removesuffix(".0")
        )
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


def _discover() -> Iterator[Metric]:
    """The METRIC of every metric's file, with the names of file and folder, and the docstring."""
    for path in Path(__file__).parent.glob("*/*.py"):
        name, family = path.stem, path.parent.name
        module = import_module(f"{__package__}.{family}.{name}")
        if hasattr(module, "METRIC"):
            yield replace(module.METRIC, name=name, family=family, doc=module.__doc__)
