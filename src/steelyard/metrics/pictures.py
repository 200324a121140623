"""The shapes that pictures draw, of those whose columns a plan reads anyway."""

from collections.abc import Iterator, Sequence
from dataclasses import fields

from steelyard.metrics.catalogue import BoundMetric, bind_spec, every, resolve
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.model import RequiredColumns
from steelyard.presets import Preset
from steelyard.spec import Spec

# Not a column of its own: whether the scores are probabilities shows in the finished states.
CHECKED_LATER = ("probability",)


def pictures(
    metrics: Sequence[BoundMetric], required: RequiredColumns, reads: str, preset: Preset
) -> Iterator[BoundMetric]:
    """The shapes, each with the parameters that pictures use.

    metrics: those of the plan; required: the columns that they read
    """
    for metric in every():
        if metric.reads == reads and metric.picture is not None:
            spec = Spec(metric.name, (), tuple(metric.picture.items()), None)
            bound = bind_spec(metric, spec, preset)
            if _implied(bound.required_columns, required):
                yield bound
    for bound in metrics:
        if isinstance(bound.metric, GroupMetric):
            yield resolve(Spec("group_values", (bound.name,), (), None), preset, reads)


def _implied(wanted: RequiredColumns, read: RequiredColumns) -> bool:
    """Whether columns that are read have all that is wanted."""
    names = [each.name for each in fields(RequiredColumns) if each.name not in CHECKED_LATER]
    return all(getattr(read, name) or not getattr(wanted, name) for name in names)
