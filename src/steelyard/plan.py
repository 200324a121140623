"""Request → Job: the metrics, the states that they read, each once, and the columns to read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from steelyard import errors, presets
from steelyard.cached import cached_property
from steelyard.metrics.catalogue import BoundMetric, resolve
from steelyard.metrics.pictures import pictures
from steelyard.metrics.record import PREDICTION, SCORE, StateSpec, sums_of
from steelyard.model import (
    A_PREDICTION,
    TWO_CLASSES,
    Conventions,
    Label,
    RequiredColumns,
    Undefined,
    Value,
)
from steelyard.phrases import listing, phrase
from steelyard.presets import Preset
from steelyard.reading import recognise, roles
from steelyard.reading.class_scores import named_classes
from steelyard.reading.clusters import is_row
from steelyard.reading.options import checked_share
from steelyard.reading.reader import Reader
from steelyard.request.options import (
    FEWEST_REPLICATES,
    MOST_REPLICATES,
    ROLES,
    RecordedOptions,
    Request,
)
from steelyard.sources.blocks import SourceColumn
from steelyard.spec import Spec, split_at_commas
from steelyard.states import Groups
from steelyard.stats.intervals import DEFAULT_CONFIDENCE

# The sums shown with every value: the number of its rows, their weight, and so on.
SAMPLES = {
    SCORE: sums_of(
        *("rows", "positives", "dropped", "weight", "weighted_positives"),
        *("prediction_sum", "weighted_prediction_sum"),
    ),
    PREDICTION: sums_of("rows", "dropped", "weight", "number_sum", "weighted_number_sum"),
}
GROUPS = StateSpec(Groups)
NO_PRESET = Preset()
DEFAULT_METRICS = ("auc", "ap", "ks", "best_f1", "accuracy", "precision", "recall", "f1")
GROUP_METRICS = ("gauc",)  # added to the default metrics where there are groups
CLASS_AVERAGES = ("precision(macro)", "recall(macro)", "f1(macro)")
PREDICTED_CLASSES = ("accuracy", "balanced_accuracy", *CLASS_AVERAGES)
CLASS_METRICS = (*PREDICTED_CLASSES, "auc")
PREDICTED_NUMBERS = ("mae", "rmse", "r2", "bias")
MOST_PLANS = 128
NO_WEIGHT = ""  # given as the weight: every row counts once, whatever columns there are
SCORE_OPTIONS = ("unscored", "downsampled")  # they do not apply to predictions


@dataclass(frozen=True)
class Plan:
    """The requested metrics, each once and in order, and the states that they read.

    pictures: shapes of the total beyond the requested metrics
    """

    metrics: tuple[BoundMetric, ...]
    state_specs: tuple[StateSpec, ...]
    preset: Preset = NO_PRESET
    reads: str = SCORE
    pictures: tuple[BoundMetric, ...] = ()

    def with_clusters(self) -> "Plan":
        """The plan with the states of its metrics by cluster, for intervals."""
        found = [s for bound in self.metrics for s in (bound.cluster_spec, bound.details_spec)]
        specs = [*self.state_specs, *(spec for spec in found if spec is not None)]
        return replace(self, state_specs=combined(specs))

    @property
    def sample(self) -> StateSpec:
        """The sums shown with every value."""
        return SAMPLES[self.reads]

    def shown_value(self, bound: BoundMetric, value: Value) -> Value:
        """The value; where there is none, the number that the preset's tool shows, if any."""
        if isinstance(value, Undefined):
            return self.preset.undefined.get(bound.metric.function, value)
        return value

    def with_pictures(self) -> "Plan":
        """The plan with every shape that pictures draw and that its columns allow."""
        known = {bound.name for bound in self.metrics}
        found = pictures(self.metrics, self.required_columns, self.reads, self.preset)
        added = tuple(bound for bound in found if bound.name not in known)
        specs = combined([*self.state_specs, *(bound.state_spec for bound in added)])
        return replace(self, state_specs=specs, pictures=added)

    @cached_property
    def required_columns(self) -> RequiredColumns:
        """The columns that the metrics read, apart from score and weight."""
        if not self.metrics:
            return TWO_CLASSES if self.reads == SCORE else A_PREDICTION  # of the sample
        return reduce(or_, (bound.required_columns for bound in self.metrics))


@dataclass(frozen=True)
class Job:
    """A resolved request: the metrics, the columns they are computed from, and the conventions.

    plan: the metrics and the states that they read; roles: the columns to read
    conventions: as far as they are known before the source is open
    carried: columns that must exist, although no metric of the plan reads them
    where: an SQL condition that a row must satisfy
    """

    plan: Plan
    roles: roles.Roles
    conventions: Conventions
    carried: tuple[str, ...] = ()
    where: str | None = None

    def noting_unused_weight(self, columns: Sequence[str]) -> "Job":
        """The job whose result names a column that is called weight and is not used.

        Of rankings alone nothing is said: the weight of a row does not enter them.
        """
        texts = [*(each.text for each in self.roles.column_requests()), self.where or ""]
        unused = recognise.unused_weight(columns, texts)
        needed = self.plan.required_columns
        if unused is None or (needed.graded and not needed.binary):
            return self
        written = {**self.conventions.roles, recognise.UNUSED_WEIGHT: unused}
        return replace(self, conventions=replace(self.conventions, roles=written))

    def reader(self) -> Reader:
        """A reader of the job's columns; it refuses options outside of their range."""
        chosen, preset = self.conventions, self.plan.preset
        of_scores: dict[str, Any] = {}
        if self.plan.reads == SCORE:
            of_scores = {name: getattr(chosen, name) for name in SCORE_OPTIONS}
            of_scores["score_type"] = preset.score_type
        options = {name: getattr(chosen, name) for name in ("nan", "rows", "positive", "clip")}
        return Reader(self.roles, **options, clips=preset.clips, **of_scores)

    def resolved(self, source: str, seen: Mapping[str, Any]) -> Conventions:
        """The complete conventions, with the source's name and the types that the reader saw."""
        written = {"source": source, **self.conventions.roles}
        return replace(self.conventions, roles=written, **seen)


def as_columns(request: Request) -> Request:
    """The request with column names as roles; roles that are arrays become the source."""
    if request.source is not None or request.sql is not None:
        return request
    return roles.from_arrays(request)


def recognised(request: Request, columns: Sequence[str]) -> tuple[Request, str]:
    """The request with columns of usual names for roles left out, and which these are."""
    roles_given = {name: getattr(request, name) for name in (*recognise.ROLES, "prediction")}
    taken: dict[str, Any] = {**recognise.recognise(columns, roles_given)}
    return replace(request, **taken), recognise.text(taken)


def make_job(request: Request, recognised: str = "") -> Job:
    """The job of a request whose roles are column names.

    recognised: the columns that were recognised by their names
    """
    request = _with_confidence(request)
    if isinstance(request.weight, str) and request.weight == NO_WEIGHT:
        request = replace(request, weight=None)
    classes = None if request.classes is None else named_classes(request.classes)
    of_scores = {name: getattr(request, name) for name in SCORE_OPTIONS}
    reads = roles.kind_of_rows(request, classes=len(classes or ()), how=of_scores)
    todo = make(_metrics(request, reads), request.preset, reads)
    if request.shapes:
        todo = todo.with_pictures()
    if request.cluster is not None:
        todo = todo.with_clusters()
    _refuse_unused(request, todo)
    columns = roles.named_roles(request, todo.required_columns, classes)
    for bound in todo.metrics:
        check(
            bound,
            group=bool(columns.group),
            document=columns.document is not None,
            trials=columns.trials is not None,
            unscored=request.unscored == "not_retrieved",
            classes=bool(columns.class_columns),
            chosen="classes" if columns.classes and not columns.class_columns else "",
        )
    carried = [*columns.group, columns.document]
    names = tuple(name for name in carried if name is not None)
    conventions = _conventions(request, todo, columns)
    if recognised:
        conventions = replace(conventions, roles={**conventions.roles, "recognised": recognised})
    return Job(todo, columns, conventions, names, request.where)


def _with_confidence(request: Request) -> Request:
    """The request with checked options of intervals, which need a cluster."""
    for name in ("confidence", "bootstrap"):
        if getattr(request, name) is not None and request.cluster is None:
            raise errors.CLUSTER_NEEDED(option=phrase(f"{name}=..."))
    if request.cluster is None:
        return request
    if is_row(request.cluster) and request.trials is not None:
        raise errors.CLUSTER_OF_TRIALS()
    share = checked_confidence(request.confidence, request.bootstrap)
    return replace(request, confidence=DEFAULT_CONFIDENCE if share is None else share)


def checked_confidence(confidence: float | None, replicates: int | None) -> float | None:
    """The confidence of intervals, within its limits, as is the number of replicates."""
    wanted = f"a whole number from {FEWEST_REPLICATES} to {MOST_REPLICATES:,}"
    if replicates is not None and not FEWEST_REPLICATES <= replicates <= MOST_REPLICATES:
        raise errors.OUT_OF_RANGE(name=phrase("bootstrap"), value=replicates, wanted=wanted)
    return checked_share("confidence", confidence, "a number above 0 and below 1", below=1.0)


def _refuse_unused(request: Request, todo: Plan) -> None:
    """Refuse options that no value would depend on."""
    if todo.reads == PREDICTION and request.positive is not None:
        refuse_unused_positive(todo.metrics, request.positive)


def refuse_unused_positive(metrics: Iterable[BoundMetric], positive: Label) -> None:
    """Refuse a positive class of predictions if no metric's average is binary."""
    if not any(bound.required_columns.positive_class for bound in metrics):
        names = listing([bound.name for bound in metrics])
        raise errors.POSITIVE_UNUSED(positive=positive, metrics=names)


def default_metrics(reads: str, *, group: bool, classes: bool) -> tuple[str, ...]:
    """The metrics of a request that names none; those of a prediction depend on its type."""
    if reads == PREDICTION:
        return CLASS_METRICS if classes else ()
    return (*DEFAULT_METRICS, *GROUP_METRICS) if group else DEFAULT_METRICS


def depends_on_types(request: Request) -> bool:
    """Whether the default metrics are those of the types of truth and prediction."""
    return request.prediction is not None and request.metrics is None


def with_default_metrics(request: Request, columns: Sequence[SourceColumn]) -> Request:
    """The request with the default metrics of predictions.

    columns: truth and predictions; a fraction's type means numbers, any other type classes, as in
        the plain functions
    """
    numbers = any(each.keys is None and each.values.dtype.kind == "f" for each in columns)
    classes = any(each.keys is not None for each in columns)
    found = PREDICTED_NUMBERS if numbers and not classes else PREDICTED_CLASSES
    return replace(request, metrics=found)


def _metrics(request: Request, reads: str) -> str | Iterable[str]:
    """The requested metrics, or the default ones."""
    if request.metrics is not None:
        return request.metrics
    if depends_on_types(request):  # until they are known
        return PREDICTED_CLASSES
    group = request.group is not None
    classes = request.classes is not None and request.prediction is None
    return default_metrics(reads, group=group, classes=classes)


def _conventions(request: Request, todo: Plan, columns: roles.Roles) -> Conventions:
    """The conventions of a request, before its source is open."""
    written = {name: getattr(request, name) for name in ROLES if name != "source"}
    written["by"] = columns.slicings.text() or None
    return Conventions(
        reads=todo.reads,
        classes=columns.classes,
        roles={name: _text(value) for name, value in written.items() if value is not None},
        scores=dict(columns.scores),
        by=columns.slicings.names,
        group=columns.group,
        cluster=columns.cluster,
        metrics=parameters(todo),
        pictures=tuple(bound.name for bound in todo.pictures),
        **{each.name: getattr(request, each.name) for each in fields(RecordedOptions)},
    )


def parameters(todo: Plan) -> dict[str, dict[str, Any]]:
    """The parameters of each metric, by its printed name."""
    return {bound.name: dict(bound.params) for bound in todo.metrics}


def _text(columns: str | Iterable[str]) -> str:
    return columns if isinstance(columns, str) else ", ".join(columns)


def check(
    bound: BoundMetric,
    *,
    document: bool,
    group: bool = True,
    trials: bool = False,
    unscored: bool = False,
    classes: bool = False,
    chosen: str = "",
) -> None:
    """Refuse a metric that lacks a role, or that a role does not apply to.

    classes: whether each class has a score; chosen: the option that chooses predicted classes
    """
    required = bound.required_columns
    if chosen and not bound.metric.takes_classes(bound.params):
        raise errors.CLASSES_UNUSED(option=phrase(chosen), metric=bound.name)
    if required.group and not group:
        raise errors.GROUP_NEEDED(metric=bound.name)
    if required.document and not document:
        raise errors.DOCUMENT_NEEDED(metric=bound.name)
    if required.graded and trials:
        raise errors.NOT_BY_TRIALS(metric=bound.name)
    if required.binary and unscored:
        raise errors.NO_RANKS(metric=bound.name)
    if required.class_scores and not classes:
        raise errors.SCORES_NEEDED(metric=bound.name)
    if required.numbers and classes:
        raise errors.NUMBERS_NEEDED(metric=bound.name)


def make(specs: str | Iterable[str | Spec], preset: str | None = None, reads: str = SCORE) -> Plan:
    """The plan of some metrics, given by name; a text may name several, as in "auc,ks"."""
    specs = (specs,) if isinstance(specs, str) else tuple(specs)
    if all(type(each) is str for each in (*specs, reads if preset is None else preset)):
        return _known(specs, preset, reads)
    return _made(specs, preset, reads)


def _made(specs: Iterable[str | Spec], preset: str | None, reads: str) -> Plan:
    chosen = _preset(preset)
    bounds = [resolve(spec, chosen, reads) for spec in _each(specs)]
    metrics = {bound.name: bound for bound in bounds}
    state_specs = combined([SAMPLES[reads], *(bound.state_spec for bound in metrics.values())])
    return Plan(tuple(metrics.values()), state_specs, chosen, reads)


# The plans of the texts that came last: a plan is never changed. Of texts alone, because parameters
# of other specs may be equal and not the same, as 1 and True are.
_known = lru_cache(MOST_PLANS)(_made)


def _each(specs: Iterable[str | Spec]) -> Iterator[str | Spec]:
    """The specs one by one; commas separate those of one text."""
    for spec in specs:
        yield from split_at_commas(spec) if isinstance(spec, str) else [spec]


def numbers(
    specs: str | Iterable[str | Spec], preset: str | None = None, reads: str = SCORE
) -> tuple[BoundMetric, ...]:
    """Some metrics, given by name, that are one number each."""
    metrics = make(specs, preset, reads).metrics
    for bound in metrics:
        if bound.metric.shape is not None:
            raise errors.NOT_COMPARABLE(metric=bound.name)
    return metrics


def combined(state_specs: Iterable[StateSpec]) -> tuple[StateSpec, ...]:
    """The fewest states that serve all specs."""
    found: dict[StateSpec, list[StateSpec]] = {}
    for each in state_specs:
        found.setdefault(each.identity, []).append(each)
    return tuple(first.serving(others) for first, *others in found.values())


def _preset(name: str | None) -> Preset:
    if name is None:
        return NO_PRESET
    if name not in presets.names():
        raise errors.BAD_CHOICE(
            name=phrase("preset"), value=name, choices=", ".join(presets.names())
        )
    return presets.every()[name]
