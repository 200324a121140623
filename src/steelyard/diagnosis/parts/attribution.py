"""The exact parts of a change: what each slice adds by its own change, and by its share of rows.

All numbers are fractions: the parts of a dimension add up to the change of the metric, to the last
bit, before anything is rounded. A metric is a mean over slices, R = Σ π·r, or AUC, a mean over
pairs of slices, A = Σ W·M. Kitagawa (1955), Journal of the American Statistical Association
50:1168.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

HALF = Fraction(1, 2)


class Part(NamedTuple):
    """What one slice adds to a change: within: by its own value; mix: by its share."""

    within: Fraction
    mix: Fraction

    @property
    def total(self) -> Fraction:
        return self.within + self.mix


class MeanSums(NamedTuple):
    """Numerator and denominator of a mean for each slice: clicks and predicted clicks for COPC."""

    tops: Sequence[Fraction]
    bottoms: Sequence[Fraction]

    @property
    def value(self) -> Fraction:
        return sum(self.tops, Fraction(0)) / sum(self.bottoms, Fraction(0))


class PairSums(NamedTuple):
    """The weight of positives and of negatives of each slice, and the doubled areas.

    areas: for slices k and l, twice the weight of the pairs whose positive is in k, whose negative
        is in l, and whose positive has the higher score; a tie counts once
    """

    positives: Sequence[int]
    negatives: Sequence[int]
    areas: Sequence[Sequence[int]]

    @property
    def value(self) -> Fraction:
        area = sum(sum(row) for row in self.areas)
        return Fraction(area, 2 * sum(self.positives) * sum(self.negatives))

    def own(self, k: int) -> Fraction | None:
        """The AUC of one slice; None where it lacks a class."""
        return _quotient(self.areas[k][k], 2 * self.positives[k] * self.negatives[k])


def parts_of_mean(before: MeanSums, after: MeanSums) -> list[Part]:
    """The parts of the change of R = Σ π·r, with r a slice's value and π its share of denominators.

    within = π̄·Δr, mix = (r̄ − R̄)·Δπ: a slice that grows lowers R if its value is below that of all.
    A slice without a value on one side has that of the other: all of it is mix.

    >>> before = MeanSums([Fraction(1), Fraction(8)], [Fraction(10), Fraction(10)])
    >>> after = MeanSums([Fraction(3), Fraction(8)], [Fraction(30), Fraction(10)])
    >>> [part.within for part in parts_of_mean(before, after)]
    [Fraction(0, 1), Fraction(0, 1)]
    >>> sum(part.mix for part in parts_of_mean(before, after)) == after.value - before.value
    True
    """
    centre = (before.value + after.value) * HALF
    wholes = sum(before.bottoms, Fraction(0)), sum(after.bottoms, Fraction(0))
    columns = zip(before.tops, before.bottoms, after.tops, after.bottoms, strict=True)
    return [_part_of_mean(each, wholes, centre) for each in columns]


def _part_of_mean(
    sums: tuple[Fraction, Fraction, Fraction, Fraction],
    wholes: tuple[Fraction, Fraction],
    centre: Fraction,
) -> Part:
    top0, bottom0, top1, bottom1 = sums
    share0, share1 = bottom0 / wholes[0], bottom1 / wholes[1]
    if (top0 and not bottom0) or (top1 and not bottom1):  # clicks without any prediction
        whole = top1 / wholes[1] - top0 / wholes[0] - centre * (share1 - share0)
        return Part(whole, Fraction(0))
    value0, value1 = _quotient(top0, bottom0), _quotient(top1, bottom1)
    value0, value1 = _filled(value0, value1)
    within = (share0 + share1) * HALF * (value1 - value0)
    return Part(within, ((value0 + value1) * HALF - centre) * (share1 - share0))


def parts_of_pairs(before: PairSums, after: PairSums) -> list[Part]:
    """The parts of the change of AUC: own pairs, and half of the pairs with each other slice.

    A = Σ W·M with W = P_k·N_l/(P·N), the share of the pairs of slices k and l, and M the AUC of
    these pairs. within = W̄·ΔM, mix = (M̄ − Ā)·ΔW; pairs that one log lacks have the M of the other.
    """
    centre = (before.value + after.value) * HALF
    totals = [sum(log.positives) * sum(log.negatives) for log in (before, after)]
    count = len(before.positives)
    within, mix = [Fraction(0)] * count, [Fraction(0)] * count
    for k, other in product(range(count), repeat=2):
        pair = _part_of_pair((before, after), totals, (k, other), centre)
        for place in (k, other):
            within[place] += pair.within
            mix[place] += pair.mix
    return [Part(own * HALF, share * HALF) for own, share in zip(within, mix, strict=True)]


def _part_of_pair(
    logs: tuple[PairSums, PairSums], totals: Sequence[int], place: tuple[int, int], centre: Fraction
) -> Part:
    """The part of the pairs with a positive of one slice and a negative of another."""
    k, other = place
    pairs = [log.positives[k] * log.negatives[other] for log in logs]
    shares = [Fraction(each, total) for each, total in zip(pairs, totals, strict=True)]
    value0, value1 = _filled(
        *(_quotient(log.areas[k][other], 2 * each) for log, each in zip(logs, pairs, strict=True))
    )
    within = (shares[0] + shares[1]) * HALF * (value1 - value0)
    return Part(within, ((value0 + value1) * HALF - centre) * (shares[1] - shares[0]))


def parts_of_entropy(
    losses: tuple[MeanSums, MeanSums], entropies: tuple[Fraction, Fraction]
) -> tuple[list[Part], Fraction]:
    """The parts of the change of NE = CE/H, and what the base rate alone adds.

    ΔNE = mean(1/H)·ΔCE + mean(CE)·Δ(1/H): the first is spread over slices as a mean is, the second
    belongs to none: it is the change of H, the entropy of the base rate.
    """
    before, after = losses
    scales = [1 / each for each in entropies]
    scale = (scales[0] + scales[1]) * HALF
    parts = [Part(scale * p.within, scale * p.mix) for p in parts_of_mean(before, after)]
    return parts, (before.value + after.value) * HALF * (scales[1] - scales[0])


def _quotient(top: int | Fraction, bottom: int | Fraction) -> Fraction | None:
    return None if bottom == 0 else Fraction(top) / bottom


def _filled(value0: Fraction | None, value1: Fraction | None) -> tuple[Fraction, Fraction]:
    """Both values; one that is missing is the other, and 0 where both are: their share is 0."""
    known = value0 if value0 is not None else value1
    if known is None:
        return Fraction(0), Fraction(0)
    return known if value0 is None else value0, known if value1 is None else value1
