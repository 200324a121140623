"""Oracles of calibration and ads: what each number is, literally, on fractions.

A probability is the float64 that the row has; with `downsampled` it is the float64 that
p/(p + (1−p)/r) gives, operation by operation, for that is how the library defines it. Everything
after that is exact, save for logarithms and roots, which are decimals.

An answer is a number, the reason why there is none, or `Near`: a number with the size of what was
added up to make it, where the terms have both signs and cancel.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from tests.oracles.answers import Answer, Near, Rows, Why
from tests.oracles.special import (
    DIGITS,
    decimal,
    sqrt,
    two_sided,
)

ZERO, ONE = Fraction(0), Fraction(1)

NO_ROWS = Why("there are no rows")
NO_POSITIVES = Why("there are no positives")
NO_NEGATIVES = Why("there are no negatives")
NO_CLICKS_PREDICTED = Why("no click is predicted: every probability is 0")


class Row(NamedTuple):
    """One row: did it happen, how likely was it said to be, what it counts for."""

    y: Fraction
    p: Fraction
    w: Fraction
    score: float  # as it was before any correction: rows tie by it
    field: Any = None
    bid: Fraction = ZERO
    revenue: Fraction = ZERO


def read(
    rows: Rows,
    downsampled: float | None = None,
    field: Sequence[Any] | None = None,
    bid: Sequence[float] | None = None,
    revenue: Sequence[float] | None = None,
) -> list[Row]:
    """The rows of an oracle; further columns have one value for each of them."""
    every = []
    for i, row in enumerate(rows.rows):
        p = float(row.score)
        if downsampled is not None:
            p = p / (p + (1.0 - p) / downsampled)
        every.append(
            Row(
                Fraction(row.label),
                Fraction(p),
                row.weight,
                row.score,
                None if field is None else field[i],
                ZERO if bid is None else Fraction(bid[i]),
                ZERO if revenue is None else Fraction(revenue[i]),
            )
        )
    return every


def total(rows: Iterable[Row], term: Callable[[Row], Fraction]) -> Fraction:
    return sum((row.w * term(row) for row in rows), ZERO)


def mass(rows: Iterable[Row]) -> Fraction:
    return total(rows, lambda _: ONE)


def clicks(rows: Iterable[Row]) -> Fraction:
    return total(rows, lambda row: row.y)


def predicted(rows: Iterable[Row]) -> Fraction:
    return total(rows, lambda row: row.p)


def lacks_a_class(rows: Sequence[Row]) -> Why | None:
    if not rows:
        return NO_ROWS
    if clicks(rows) == 0:
        return NO_POSITIVES
    return NO_NEGATIVES if clicks(rows) == mass(rows) else None


# --- sums ----------------------------------------------------------------------------------------


def copc(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return clicks(rows) / predicted(rows) if predicted(rows) else NO_CLICKS_PREDICTED


def pcoc(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return predicted(rows) / clicks(rows) if clicks(rows) else NO_POSITIVES


def surprised(rows: Iterable[Row]) -> int:
    """Rows in which what happened was said to be impossible."""
    return sum((row.p if row.y else 1 - row.p) == 0 for row in rows)


def cut(rows: Iterable[Row], clip: float | None) -> list[Row]:
    """The rows as logarithms see them: probabilities in [c, 1 − c]."""
    if clip is None:
        return list(rows)
    low, high = Fraction(clip), Fraction(1.0 - clip)
    return [row._replace(p=min(max(row.p, low), high)) for row in rows]


def loss_sum(rows: Iterable[Row]) -> Decimal:
    with localcontext(prec=DIGITS):
        parts = [decimal(row.w) * -log_of(row.p if row.y else 1 - row.p) for row in rows]
        return sum(parts, Decimal(0))


def log_of(share: Fraction) -> Decimal:
    """ln, all of whose digits hold for what is nearly 1."""
    rest = 1 - share
    with localcontext(prec=DIGITS + (len(str(int(1 / rest))) if rest else 0)):
        return decimal(share).ln()


def logloss(rows: Sequence[Row], clip: float | None = None) -> Answer:
    if not rows:
        return NO_ROWS
    seen = cut(rows, clip)
    if surprised(seen):
        return impossible(surprised(seen))
    with localcontext(prec=DIGITS):
        return loss_sum(seen) / decimal(mass(rows))


def impossible(count: int) -> Why:
    rows = "1 row has" if count == 1 else f"{count} rows have"
    return Why(
        f"the loss is infinite: {rows} a probability of 0 for what happened; pass clip=1e-15 to "
        "limit probabilities"
    )


def entropy(share: Fraction) -> Decimal:
    digits = DIGITS + len(str(int(1 / min(share, 1 - share))))  # ln(1 − b) of a tiny b is −b
    with localcontext(prec=digits):
        parts = [decimal(each) * decimal(each).ln() for each in (share, 1 - share)]
        return -sum(parts, Decimal(0))


def ne(rows: Sequence[Row], clip: float | None = None) -> Answer:
    absent = lacks_a_class(rows)
    if absent:
        return absent
    loss = logloss(rows, clip)
    if isinstance(loss, Why):
        return loss
    assert isinstance(loss, Decimal)
    with localcontext(prec=DIGITS):
        return loss / entropy(clicks(rows) / mass(rows))


def rig(rows: Sequence[Row], clip: float | None = None) -> Answer:
    normal = ne(rows, clip)
    if isinstance(normal, Why):
        return normal
    assert isinstance(normal, Decimal)
    with localcontext(prec=DIGITS):
        return Near(1 - normal, 1 + normal)


def brier(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return total(rows, lambda row: (row.p - row.y) ** 2) / mass(rows)


def unc(rows: Sequence[Row]) -> Answer:
    """What is left to a forecast that knows the base rate alone."""
    if not rows:
        return NO_ROWS
    base = clicks(rows) / mass(rows)
    return base * (1 - base)


def spiegelhalter(rows: Sequence[Row]) -> Answer:
    """Σ(y−p)(1−2p) / √Σ(1−2p)²p(1−p)."""
    if not rows:
        return NO_ROWS
    below = total(rows, lambda row: (1 - 2 * row.p) ** 2 * row.p * (1 - row.p))
    if below == 0:
        return Why("every probability is 0, ½ or 1: the statistic does not vary")
    above = total(rows, lambda row: (row.y - row.p) * (1 - 2 * row.p))
    size = total(rows, lambda row: abs((row.y - row.p) * (1 - 2 * row.p)))
    with localcontext(prec=DIGITS):
        return Near(decimal(above) / sqrt(below), decimal(size) / sqrt(below))


def spiegelhalter_p_value(rows: Sequence[Row]) -> Answer:
    z = spiegelhalter(rows)
    return two_sided(z.value) if isinstance(z, Near) else z


def ecpm(
    rows: Sequence[Row], kind: str = "predicted", *, bid: str = "", revenue: str = ""
) -> Answer:
    """What a thousand impressions bring; bid and revenue name the columns that there are."""
    if not rows:
        return NO_ROWS
    if kind == "predicted":
        worth = total(rows, lambda row: row.p * row.bid)
    elif revenue:
        worth = total(rows, lambda row: row.revenue)
    else:
        worth = total(rows, lambda row: row.y * row.bid)
    return 1000 * worth / mass(rows)


# --- fields --------------------------------------------------------------------------------------


def by_field(rows: Iterable[Row]) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(row.field, []).append(row)
    return found


def gap(rows: Iterable[Row]) -> Fraction:
    return total(rows, lambda row: row.y - row.p)


def field_ece(rows: Sequence[Row], field: str = "") -> Answer:
    if not rows:
        return NO_ROWS
    return sum((abs(gap(part)) for part in by_field(rows).values()), ZERO) / mass(rows)


def field_rce(rows: Sequence[Row], field: str = "", eps: float | None = None) -> Answer:
    """Each value's gap relative to its clicks; eps is added to each row.

    Without eps, values without clicks are left out.

    Left out means of both: neither their gap nor their rows count.
    """
    if not rows:
        return NO_ROWS
    parts = list(by_field(rows).values())
    if eps is None:
        parts = [part for part in parts if clicks(part)]
        if not parts:
            return NO_POSITIVES
    more = ZERO if eps is None else Fraction(repr(eps))
    above = sum(
        (mass(part) * abs(gap(part)) / total(part, lambda row: row.y + more) for part in parts),
        ZERO,
    )
    return above / sum(map(mass, parts), ZERO)
