"""The arguments of functions whose signature is made at run time."""

import inspect
from collections.abc import Callable
from typing import Any


class _NotGiven:
    """The default of an argument that is left out, where None would mean something."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"

    def __reduce__(self) -> str:
        return "NOT_GIVEN"  # copies and pickles are the object itself


NOT_GIVEN: Any = _NotGiven()


def argument_reader(function: str, signature: inspect.Signature) -> Callable[..., dict[str, Any]]:
    """A function of that name and signature that returns its arguments by name.

    Python itself refuses a wrong call of it. An optional argument that is left out is NOT_GIVEN.

    >>> read = argument_reader("auc", inspect.signature(lambda y_true, *, k=3: None))
    >>> read([0, 1])
    {'y_true': [0, 1], 'k': NOT_GIVEN}
    >>> read([0, 1], n=2)
    Traceback (most recent call last):
    TypeError: auc() got an unexpected keyword argument 'n'
    """
    parameters = [
        each.replace(
            annotation=each.empty, default=each.empty if each.default is each.empty else NOT_GIVEN
        )
        for each in signature.parameters.values()
    ]
    namespace: dict[str, Any] = {repr(NOT_GIVEN): NOT_GIVEN}
    exec(f"def {function}{inspect.Signature(parameters)}: return locals()", namespace)
    made: Callable[..., dict[str, Any]] = namespace[function]
    return made
