"""Oracles of calibration from sorted scores: bins, isotonic regression, cumulative sums, fits."""

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from tests.oracles.answers import Answer, Near, Why
from tests.oracles.calibration import (
    NO_ROWS,
    ONE,
    ZERO,
    Row,
    brier,
    clicks,
    cut,
    gap,
    lacks_a_class,
    mass,
    predicted,
    total,
    unc,
)
from tests.oracles.special import (
    DIGITS,
    chi_square_tail,
    decimal,
    ln,
    pi,
    range_tail,
    sqrt,
)

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


FLAT = 900  # digits: far from all logits the model is 0 or 1 but for 1e-400, which decides


def residuals(rows: Sequence[Row], a: Decimal, b: Decimal) -> tuple[Decimal, ...]:
    """Σ w(σ − y), Σ w(σ − y)x, and the sums of w·σ(1 − σ) times 1, x and x²; x is the logit."""
    with localcontext(prec=FLAT):
        g0 = g1 = h00 = h01 = h11 = Decimal(0)
        for row in rows:
            x, w = ln(row.p) - ln(1 - row.p), decimal(row.w)
            q = 1 / (1 + (-(a + b * x)).exp())
            off, curve = w * (q - decimal(row.y)), w * q * (1 - q)
            g0, g1 = g0 + off, g1 + off * x
            h00, h01, h11 = h00 + curve, h01 + curve * x, h11 + curve * x * x
        return g0, g1, h00, h01, h11


def has_intercept(rows: Sequence[Row], low: Decimal, high: Decimal) -> bool:
    """Whether the best intercept is between the two: Σ w(σ − y) rises, and is 0 there."""
    return residuals(rows, low, Decimal(1))[0] <= 0 <= residuals(rows, high, Decimal(1))[0]


def distance(rows: Sequence[Row], a: float, b: float) -> tuple[Decimal, Decimal]:
    """Newton's step from a fit of slope and intercept that is almost the best: how far it is."""
    g0, g1, h00, h01, h11 = residuals(rows, Decimal(a), Decimal(b))
    with localcontext(prec=FLAT):
        det = h00 * h11 - h01 * h01
        return (h01 * g1 - h11 * g0) / det, (h01 * g0 - h00 * g1) / det


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
