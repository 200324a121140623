"""The roles of columns, recognised by their usual names.

Case is ignored. An earlier rank wins over a later one; two columns of the same rank are an error,
because only the user knows which one is meant.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from steelyard import errors
from steelyard.phrases import listing
from steelyard.request.options import Request


class Role(NamedTuple):
    """Whether a role is needed, and usual names of its column, best first."""

    needed: bool
    ranks: tuple[tuple[str, ...], ...]


ROLES = {
    "label": Role(
        True,
        (
            ("label", "labels"),
            ("click", "clicked", "is_click"),
            ("y_true", "y"),
            ("target",),
            ("converted", "conversion", "is_conversion"),
            ("outcome",),
        ),
    ),
    "score": Role(
        True,
        (
            ("score", "scores"),
            ("pctr", "p_ctr"),
            ("prediction", "predictions", "pred", "predicted"),
            ("probability", "prob", "proba"),
            ("y_score", "y_pred", "y_prob", "y_proba"),
            ("pcvr", "p_cvr"),
            ("p",),
        ),
    ),
    "weight": Role(False, (("weight", "weights"), ("sample_weight",), ("w",))),
    "group": Role(
        False,
        (("user_id", "uid"), ("query_id", "qid"), ("session_id",), ("request_id",)),
    ),
}
REQUIRED_ROLES = [name for name, role in ROLES.items() if role.needed]


UNUSED_WEIGHT = "unused_weight"  # among the roles of a result: a column that has none
WEIGHTS = ("weight", "weights", "sample_weight")  # w may be anything
IN_PYTHON = "{role}=..."  # how to name the column of a role


def is_needed(request: Request) -> bool:
    """Whether a request with a source leaves out the label, or both score and prediction."""
    if request.source is None and request.sql is None:
        return False  # the roles are arrays
    return request.label is None or (request.score is None and request.prediction is None)


def recognise(
    columns: Sequence[str], given: Mapping[str, Any], option: str = IN_PYTHON
) -> dict[str, str]:
    """The columns recognised for roles that are not given; "" is given and means none.

    A weight and a group are recognised only if the label or the score is: a user who names both
    means these columns and no others. Beside a prediction there is no score, and no metric reads
    a group.
    """
    absent = [role for role in ROLES if given.get(role) is None]
    if given.get("prediction"):
        absent = [role for role in absent if role not in ("score", "group")]
    taken: dict[str, str] = {}
    if any(ROLES[role].needed for role in absent):
        for role in absent:
            column = _find(role, columns, option.format(role=role))
            if column is not None:
                taken[role] = column
    return taken


def unused_weight(columns: Sequence[str], texts: Iterable[str]) -> str | None:
    """A column that is called weight and that none of the texts mentions."""
    used = re.findall(r"\w+", " ".join(texts).lower())
    return next((c for c in columns if c.lower() in WEIGHTS and c.lower() not in used), None)


def text(taken: Mapping[str, str]) -> str:
    """The columns that were recognised: `click as label, pctr as score`."""
    return ", ".join(f"{column} as {role}" for role, column in taken.items())


def _find(role: str, columns: Sequence[str], option: str) -> str | None:
    needed, ranks = ROLES[role]
    for rank in ranks:
        found = [column for column in columns if column.lower() in rank]
        if len(set(found)) > 1:  # one name twice is refused where the column is read
            raise errors.ROLE_TIE(role=role, found=" and ".join(found), option=option)
        if found:
            return found[0]
    if needed:
        raise errors.NO_ROLE(role=role, option=option, listed=listing(columns))
    return None
