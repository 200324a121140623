"""The hot loops, behind one small interface.

`numpy` is the readable specification. Compiled kernels (`rust`) replace it, function by function,
and return the same bits. They are in use where they were built, unless STEELYARD_KERNELS says
otherwise. States, views and the few metrics that take a logarithm call `kernels.active()`.
"""

from steelyard.errors import BAD_CHOICE
from steelyard.kernel_names import VARIABLE, preferred
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Kernels

_found: dict[str, Kernels] = {}
_chosen: list[Kernels] = []


def available() -> dict[str, Kernels]:
    """Every set of kernels that can run here, by name."""
    if not _found:
        found: dict[str, Kernels] = {"numpy": _numpy}
        try:
            from steelyard.kernels import rust
        except ImportError:  # they were not built
            pass
        else:
            found["rust"] = rust
        _found.update(found)
    return dict(_found)


def active() -> Kernels:
    """The kernels in use."""
    return _chosen[0] if _chosen else _choose()


def _choose() -> Kernels:
    found = available()
    name = preferred()
    if name not in found:
        raise BAD_CHOICE(name=VARIABLE, value=name, choices=", ".join(found))
    _chosen.append(found[name])
    return found[name]
