"""Which kernels are in use, known without loading NumPy or them."""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

VARIABLE = "STEELYARD_KERNELS"
FOLDER = Path(__file__).parent / "kernels"


def preferred() -> str:
    """The kernels of STEELYARD_KERNELS, else the compiled ones where they were built."""
    built = any((FOLDER / f"_rust{suffix}").exists() for suffix in EXTENSION_SUFFIXES)
    return os.environ.get(VARIABLE) or ("rust" if built else "numpy")
