"""The slices that a command shows: --sort, --top and --min-rows, as `Result.select` has them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from steelyard import errors
from steelyard.cli import terminal

if TYPE_CHECKING:
    from steelyard.result.result import Result  # imports NumPy, which the help does not need

OPTIONS = ("sort", "top", "min_rows")
WITHOUT_NOTES = ("csv", "jsonl")  # formats that have no place for a note


class ShownSlices(NamedTuple):
    """The options given, and the metric that slices are sorted by."""

    options: Mapping[str, Any]
    metrics: tuple[str, ...] = ()
    quiet: bool = False

    def of(self, result: "Result", format: str) -> "Result":
        """The result with the slices to show; a message says how many, if the format cannot."""
        from steelyard.report import display

        if not self.options:
            return result
        found = result.select(**self.options)
        if format in WITHOUT_NOTES and not self.quiet:
            terminal.print_message(display.selection_note(found.conventions.selection))
        return found


def read(typed: Mapping[str, Any], reads: str) -> ShownSlices:
    """The options typed, checked before a long file is read."""
    options = {name: typed[name] for name in OPTIONS if typed[name] is not None}
    if not options:
        return ShownSlices(options)
    if not typed["by"] and not typed["by_file"]:
        raise errors.NO_SLICES()
    return ShownSlices(options, tuple(_metric(typed, reads)), typed["quiet"])


def _metric(typed: Mapping[str, Any], reads: str) -> list[str]:
    """The metric that slices are sorted by."""
    from steelyard import plan
    from steelyard.report.selecting import SORT_FIELDS, Order

    if typed["sort"] is None:
        return []
    order = Order.read(typed["sort"])
    if order.name in SORT_FIELDS:
        order.directed("")
        return []
    (bound,) = plan.numbers([order.name], typed["preset"], reads)
    order.directed(bound.metric.better)
    return [bound.name]
