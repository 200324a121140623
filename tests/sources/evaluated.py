"""Sources evaluated by their columns y and s: the AUC, and how many rows were read."""

from typing import Any

import steelyard

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def auc_of(source: Any, **roles: Any) -> float:
    """The AUC by the columns y and s, unless the roles are others."""
    asked = {"label": "y", "score": "s", "metrics": "auc"} | roles
    value: float = sy.evaluate(source, **asked)["auc"]
    return value


def row_count(source: Any) -> int:
    """How many rows were read."""
    count: int = sy.evaluate(source, label="y", score="s", metrics="auc").row("auc").n
    return count
