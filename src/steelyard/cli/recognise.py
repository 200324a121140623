"""The roles of columns, recognised by their usual names.

Case is ignored. An earlier rank wins over a later one; two columns of the same rank are an error,
because only the user knows which one is meant.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from steelyard import errors


class Role(NamedTuple):
    """The option that names the column of a role, and usual names of the column, best first."""

    option: str
    needed: bool
    ranks: tuple[tuple[str, ...], ...]


ROLES = {
    "label": Role(
        "--label",
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
        "--score",
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
    "weight": Role("--weight", False, (("weight", "weights"), ("sample_weight",), ("w",))),
    "group": Role(
        "--group",
        False,
        (("user_id", "uid"), ("query_id", "qid"), ("session_id",), ("request_id",)),
    ),
}
REQUIRED_ROLES = [name for name, role in ROLES.items() if role.needed]


def recognise(columns: Sequence[str], given: Mapping[str, str | None]) -> dict[str, str]:
    """The columns recognised for roles that are not given; "" is given and means none.

    A weight and a group are recognised only if the label or the score is: a user who names both
    means these columns and no others.
    """
    absent = [role for role in ROLES if given.get(role) is None]
    taken: dict[str, str] = {}
    if any(ROLES[role].needed for role in absent):
        for role in absent:
            column = _find(role, columns)
            if column is not None:
                taken[role] = column
    return taken


def message(taken: Mapping[str, str]) -> str:
    """The message that tells the user which columns were recognised."""
    pairs = ", ".join(f"{column} as {role}" for role, column in taken.items())
    options = ", ".join(ROLES[role].option for role in taken)
    return f"using {pairs}; name {'another' if len(taken) == 1 else 'others'} with {options}"


def _find(role: str, columns: Sequence[str]) -> str | None:
    option, needed, ranks = ROLES[role]
    for rank in ranks:
        found = [column for column in columns if column.lower() in rank]
        if len(found) > 1:
            raise errors.ROLE_TIE(role=role, found=" and ".join(found), option=option)
        if found:
            return found[0]
    if needed:
        raise errors.NO_ROLE(role=role, option=option, listed=errors.listing(columns))
    return None
