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
    chi_square_tail,
    decimal,
    ln,
    pi,
    range_tail,
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


# --- bins ----------------------------------------------------------------------------------------


def blocks(rows: Iterable[Row]) -> list[list[Row]]:
    """Rows of one score, the lowest first."""
    found: dict[float, list[Row]] = {}
    for row in rows:
        found.setdefault(row.score, []).append(row)
    return [found[score] for score in sorted(found)]


def binned(rows: Sequence[Row], bins: int, kind: str) -> list[list[Row]]:
    """The bins that have rows, the lowest first."""
    found: dict[int, list[Row]] = {}
    number = mass_bins(rows, bins) if kind == "mass" else width_bins(rows, bins)
    for row, bin_ in zip(rows, number, strict=True):
        found.setdefault(bin_, []).append(row)
    return [found[bin_] for bin_ in sorted(found)]


def mass_bins(rows: Sequence[Row], bins: int) -> list[int]:
    """Each row's bin: where the middle of its tied block lies, ⌊B(2C + w)/2W⌋."""
    whole, before, place = mass(rows), ZERO, {}
    for block in blocks(rows):
        here = mass(block)
        place[block[0].score] = int(bins * (2 * before + here) // (2 * whole))
        before += here
    return [place[row.score] for row in rows]


def width_bins(rows: Sequence[Row], bins: int) -> list[int]:
    """Each row's bin: how many of the edges 1/B, 2/B, … it has reached.

    An edge is the float64 nearest to it, so that 0.3 starts a tenth; 1 belongs to the last.
    """
    edges = [Fraction(k / bins) for k in range(1, bins)]
    return [sum(row.p >= edge for edge in edges) for row in rows]


def ece(rows: Sequence[Row], bins: int = 10, kind: str = "mass") -> Answer:
    if not rows:
        return NO_ROWS
    return sum((abs(gap(part)) for part in binned(rows, bins, kind)), ZERO) / mass(rows)


def ece_null(rows: Sequence[Row], bins: int = 10, kind: str = "mass") -> Answer:
    """What a perfect model has in the mean: Σ √(2V/π)/W, V = Σ w·p(1−p), a weight being copies."""
    if not rows:
        return NO_ROWS
    with localcontext(prec=DIGITS):
        parts = (
            (2 * decimal(total(part, lambda row: row.p * (1 - row.p))) / pi()).sqrt()
            for part in binned(rows, bins, kind)
        )
        return sum(parts, Decimal(0)) / decimal(mass(rows))


def calibration_curve(
    rows: Sequence[Row], bins: int = 10, kind: str = "mass"
) -> Why | list[tuple[Fraction, Fraction, Fraction]]:
    """For each bin with rows: the mean probability, the share that happened, the weight."""
    if not rows:
        return NO_ROWS
    return [
        (predicted(part) / mass(part), clicks(part) / mass(part), mass(part))
        for part in binned(rows, bins, kind)
    ]


def hosmer_lemeshow(rows: Sequence[Row], bins: int = 10) -> Answer:
    """Σ (O − E)²/E over the bins and both classes."""
    if not rows:
        return NO_ROWS
    found = ZERO
    for part in binned(rows, bins, "mass"):
        expected, here = predicted(part), mass(part)
        apart = (clicks(part) - expected) ** 2
        if apart and expected in (0, here):  # what was certain, and was not so
            end = 1 if expected else 0
            return Why(f"a bin in which every probability is {end} did not come true…")
        if apart:
            found += apart / expected + apart / (here - expected)
    return found


def hosmer_lemeshow_df(rows: Sequence[Row], bins: int = 10) -> int:
    """Held-out rows fit nothing: as many degrees as bins that chance can move."""
    return sum(0 < predicted(part) < mass(part) for part in binned(rows, bins, "mass"))


def hosmer_lemeshow_p_value(rows: Sequence[Row], bins: int = 10) -> Answer:
    found = hosmer_lemeshow(rows, bins)
    if isinstance(found, Why):
        return found
    assert isinstance(found, Fraction)
    freedom = hosmer_lemeshow_df(rows, bins)
    if freedom == 0:
        return Why("all probabilities are 0 or all are 1 in every bin")
    return chi_square_tail(found, freedom)


# --- without bins --------------------------------------------------------------------------------


def ecce(rows: Sequence[Row]) -> Answer:
    """The range of the cumulative gaps, at nothing and at the end of each tied block."""
    if not rows:
        return NO_ROWS
    reached = [ZERO]
    for block in blocks(rows):
        reached.append(reached[-1] + gap(block))
    return (max(reached) - min(reached)) / mass(rows)


def ecce_p_value(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    variance = total(rows, lambda row: row.p * (1 - row.p))
    found = ecce(rows)
    assert isinstance(found, Fraction)
    if variance == 0:
        return Why("every probability is 0 or 1: the sums do not vary")
    with localcontext(prec=DIGITS):
        return range_tail(decimal(found * mass(rows)) / sqrt(variance))


def recalibrated(rows: Sequence[Row]) -> dict[float, Fraction]:
    """Each score's isotonic rate: the largest over starts of the smallest over ends of the mean."""
    parts = blocks(rows)
    up, all_ = [ZERO], [ZERO]
    for block in parts:
        up.append(up[-1] + clicks(block))
        all_.append(all_[-1] + mass(block))

    count = len(parts)
    best = [ZERO] * count
    for i in range(count):
        smallest = ONE
        for k in reversed(range(i, count)):
            smallest = min(smallest, (up[k + 1] - up[i]) / (all_[k + 1] - all_[i]))
            best[k] = max(best[k], smallest)
    return {block[0].score: rate for block, rate in zip(parts, best, strict=True)}


def recalibrated_brier(rows: Sequence[Row]) -> Fraction:
    rate = recalibrated(rows)
    return total(rows, lambda row: (rate[row.score] - row.y) ** 2) / mass(rows)


def mcb(rows: Sequence[Row]) -> Answer:
    """What isotonic recalibration would gain."""
    if not rows:
        return NO_ROWS
    raw = brier(rows)
    assert isinstance(raw, Fraction)
    return Near(raw - recalibrated_brier(rows), raw + recalibrated_brier(rows))


def dsc(rows: Sequence[Row]) -> Answer:
    """What the recalibrated forecast gains on the base rate."""
    if not rows:
        return NO_ROWS
    flat = unc(rows)
    assert isinstance(flat, Fraction)
    return Near(flat - recalibrated_brier(rows), flat + recalibrated_brier(rows))


# --- logistic recalibration ----------------------------------------------------------------------

CERTAIN = Why("the probability is 0 or 1 in rows of weight …")
SEPARABLE = Why("the classes are separable by score: the slope has no finite value")
CONSTANT = Why("all rows have the same score, so that there is no slope")


def logits(rows: Sequence[Row]) -> list[tuple[Decimal, Decimal, Decimal]]:
    with localcontext(prec=DIGITS):
        return [(ln(row.p) - ln(1 - row.p), decimal(row.y), decimal(row.w)) for row in rows]


def no_fit(rows: Sequence[Row]) -> Why | None:
    absent = lacks_a_class(rows)
    if absent:
        return absent
    return CERTAIN if any(row.p in (0, 1) for row in rows) else None


def calibration_intercept(rows: Sequence[Row], clip: float | None = None) -> Answer:
    """The a of logit P(y) = a + logit p that fits best: Σ w(y − σ(a + logit p)) = 0."""
    seen = cut(rows, clip)
    absent = no_fit(seen)
    return absent or _fit(seen, slope=False)[0]


def calibration_slope(rows: Sequence[Row], clip: float | None = None) -> Answer:
    """The b of logit P(y) = a + b·logit p that fits best, a and b both free."""
    seen = cut(rows, clip)
    absent = no_fit(seen)
    if absent:
        return absent
    up, down = ([row.p for row in seen if row.y == label] for label in (1, 0))
    if len({*up, *down}) == 1:
        return CONSTANT
    if min(up) >= max(down) or max(up) <= min(down):
        return SEPARABLE
    return _fit(seen, slope=True)[1]


def _fit(rows: Sequence[Row], slope: bool) -> tuple[Decimal, Decimal]:
    """Newton's method with halved steps, until 45 digits stand."""
    data = logits(rows)
    a, b = Decimal(0), Decimal(1)
    with localcontext(prec=DIGITS):
        for _ in range(500):
            step = _shortened(_newton(data, a, b, slope), data)
            worth = _likelihood(data, a, b)
            while _size(step) > TINY and _likelihood(data, a + step[0], b + step[1]) < worth:
                step = (step[0] / 2, step[1] / 2)
            a, b = a + step[0], b + step[1]
            if _size(step) <= Decimal("1e-45") * (1 + abs(a) + abs(b)):
                return a, b
    raise AssertionError("no fit")


TINY = Decimal("1e-25")  # a step whose gain is too small to be seen


def _size(step: tuple[Decimal, Decimal]) -> Decimal:
    return abs(step[0]) + abs(step[1])


def _shortened(
    step: tuple[Decimal, Decimal], data: Sequence[tuple[Decimal, Decimal, Decimal]]
) -> tuple[Decimal, Decimal]:
    """No logit moves by more than 20 at once: far out the curve is flat, and Newton leaps."""
    most = max(abs(step[0] + step[1] * x) for x, _, _ in data)
    return step if most <= 20 else (step[0] * 20 / most, step[1] * 20 / most)


def _newton(
    data: Sequence[tuple[Decimal, Decimal, Decimal]], a: Decimal, b: Decimal, slope: bool
) -> tuple[Decimal, Decimal]:
    nought = Decimal(0)
    g0 = g1 = h00 = h01 = h11 = nought
    for x, y, w in data:
        q = 1 / (1 + (-(a + b * x)).exp())
        rest, curve = w * (y - q), w * q * (1 - q)
        g0, g1 = g0 + rest, g1 + rest * x
        h00, h01, h11 = h00 + curve, h01 + curve * x, h11 + curve * x * x
    if not slope:
        return g0 / h00, nought
    det = h00 * h11 - h01 * h01
    return (h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det


def _likelihood(
    data: Sequence[tuple[Decimal, Decimal, Decimal]], a: Decimal, b: Decimal
) -> Decimal:
    """Σ w·ln P(y)."""
    found = Decimal(0)
    for x, y, w in data:
        eta = a + b * x
        found -= w * (1 + (-eta if y else eta).exp()).ln()
    return found
