"""The hot loops, behind one small interface.

`numpy` is the readable specification; compiled kernels may stand in for it, function by function,
and must return the same bits. States and views call `kernels.active()`, and the few
metrics with a logarithm of their own.
"""

from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Kernels


def available() -> dict[str, Kernels]:
    """Every set of kernels that can run here, by name."""
    return {"numpy": _numpy}


def active() -> Kernels:
    """The kernels in use."""
    return _numpy
