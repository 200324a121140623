"""Work done once a batch, however many states ask for it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from steelyard.reading.batch import Batch

Rest = TypeVarTuple("Rest")
Found = TypeVar("Found")
_FOUND: WeakKeyDictionary[Batch, dict[Any, Any]] = WeakKeyDictionary()  # goes with the batch


def once_a_batch(
    work: Callable[[Batch, *Rest], Found],
) -> Callable[[Batch, *Rest], Found]:
    """A function of a batch that remembers what it found."""

    @wraps(work)
    def remembered(batch: Batch, *rest: *Rest) -> Found:
        known = _FOUND.setdefault(batch, {})
        asked = (work, *rest)
        if asked not in known:
            known[asked] = work(batch, *rest)
        found: Found = known[asked]
        return found

    return remembered
