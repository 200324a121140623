"""A property that is computed once, without the lock that `functools` has before Python 3.12.

That lock is shared by all objects of a class. If a process forks while another thread computes
such a property, the child has the lock as taken, and waits for ever. Here two threads may both
compute a property, which costs time and harms nothing: the values are equal.
"""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Computed = TypeVar("Computed")


class cached_property(Generic[Computed]):  # noqa: N801 - a decorator, named as that of functools
    """Decorator of a method without arguments: its value becomes an attribute of the object.

    >>> class Circle:
    ...     @cached_property
    ...     def area(self) -> float:
    ...         print("computed")
    ...         return 3.14
    >>> circle = Circle()
    >>> circle.area, circle.area
    computed
    (3.14, 3.14)
    """

    def __init__(self, compute: Callable[[Any], Computed]) -> None:
        self.compute = compute
        self.name = ""
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Computed: ...
    def __get__(self, instance: object | None, owner: type) -> Self | Computed:
        if instance is None:
            return self
        value = self.compute(instance)
        kept: Computed = instance.__dict__.setdefault(self.name, value)
        return kept
