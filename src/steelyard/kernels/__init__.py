"""The hot loops, behind one small interface.

`numpy` is the readable specification. Compiled kernels may replace it, function by function, and
must return the same bits. States, views and the few metrics that take a logarithm call
`kernels.active()`.
"""

from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Kernels


def available() -> dict[str, Kernels]:
    """Every set of kernels that can run here, by name."""
    return {"numpy": _numpy}


def active() -> Kernels:
    """The kernels in use."""
    return _numpy
