"""steelyard weighs models: exact metrics, one definition of every number.

>>> import steelyard as sy
>>> sy.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
"""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """A public name is made when first used, so that importing steelyard is fast."""
    from steelyard.public import load, names

    if name == "__all__":  # `from steelyard import *` gives the public names, no packages
        return names()
    return load(name, globals())


def __dir__() -> list[str]:
    from steelyard.public import names

    return sorted([*(name for name in globals() if name.startswith("__")), *names()])
