"""steelyard weighs models: exact metrics, one definition of every number.

>>> import steelyard as sy
>>> sy.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
"""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Public names are made when first used, so that importing steelyard costs next to nothing."""
    from steelyard.public import load, names

    if name == "__all__":  # `from steelyard import *`: the public names, none of the rooms
        return names()
    return load(name, globals())


def __dir__() -> list[str]:
    from steelyard.public import names

    return sorted([*(name for name in globals() if name.startswith("__")), *names()])
