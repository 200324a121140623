"""The operations that are measured, one file for each family."""

from itertools import chain

from bench.operations import curves, groups, predictions, rankings, small, sums, tables
from bench.operations.operation import Operation

FAMILIES = (curves, groups, rankings, sums, predictions, tables, small)
OPERATIONS: dict[str, Operation] = {
    each.name: each for each in chain(*(family.OPERATIONS for family in FAMILIES))
}
