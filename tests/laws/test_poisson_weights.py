"""Poisson weights against literal arithmetic of Python's integers, and against Poisson(1)."""

from bisect import bisect_right
from decimal import Decimal, localcontext
from math import exp, factorial, sqrt

import numpy as np
import pytest

from steelyard.model import Array
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.grouping import Dictionary, RowKeys
from steelyard.stats.poisson_weights import (
    BLOCK,
    CUMULATIVE,
    LARGEST,
    cluster_hashes,
    poisson_weights,
    text_hashes,
)

MANY = 200_000
SIGMAS = 4.5  # of a normal variable: one of 150,000 is farther out, and the weights never change
TEXTS = [
    "",
    "\0",
    "\0\0",
    "a",
    "user-17",
    "eight ab",
    "nine abcd",
    "ü" * 20,
    "用户",
    "\udc80",
    "x" * 99,
]


def whole(keys: Array) -> ClusterNumbers:
    clusters = ClusterNumbers()
    clusters.number(RowKeys(keys))
    return clusters


# --- literally -----------------------------------------------------------------------------------
def literal_mix(word: int) -> int:
    """The finalizer of SplitMix64, as its authors write it."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return word ^ (word >> 31)


def literal_text_hash(text: str) -> int:
    data = text.encode("utf-8", "surrogateescape")
    found = literal_mix((len(data) + 0x9E3779B97F4A7C15) % 2**64)
    for start in range(0, len(data), 8):
        found = literal_mix(found ^ int.from_bytes(data[start : start + 8], "little"))
    return found


def literal_weight(hashed: int, replicate: int) -> int:
    state = hashed + (replicate + 1) * 0x9E3779B97F4A7C15
    return bisect_right(CUMULATIVE, literal_mix(state % 2**64))


def test_the_probabilities_are_those_of_poisson() -> None:
    with localcontext() as context:
        context.prec = 60
        density = [Decimal(-1).exp() / factorial(k) for k in range(LARGEST)]
        exact = [sum(density[: k + 1], Decimal(0)) * 2**64 for k in range(LARGEST)]
        assert tuple(map(int, exact)) == CUMULATIVE


@pytest.mark.parametrize("first", [0, -5, 2**62])
def test_whole_keys_literally(first: int) -> None:
    keys = np.arange(first, first + 40)
    hashes = cluster_hashes(whole(keys))
    step = 0x9E3779B97F4A7C15
    assert hashes.tolist() == [literal_mix((key + step) % 2**64) for key in keys.tolist()]
    for replicate in (0, 1, 999):
        expected = [literal_weight(each, replicate) for each in hashes.tolist()]
        assert poisson_weights(hashes, replicate).tolist() == expected


def test_texts_literally() -> None:
    assert text_hashes(TEXTS).tolist() == [literal_text_hash(text) for text in TEXTS]
    assert len(set(text_hashes(TEXTS).tolist())) == len(TEXTS)
    assert text_hashes([]).tolist() == []
    clusters, dictionary = ClusterNumbers(), Dictionary()
    clusters.number(RowKeys(dictionary.add(TEXTS), dictionary))
    assert cluster_hashes(clusters).tolist() == text_hashes(TEXTS).tolist()


# --- keys decide ---------------------------------------------------------------------------------
def test_a_key_has_its_weight_whatever_its_number() -> None:
    keys = np.random.default_rng(3).permutation(BLOCK + 100)
    clusters = ClusterNumbers()
    for part in np.array_split(keys, 5):  # of several blocks, a number is not the rank of a key
        clusters.number(RowKeys(part))
    numbers = clusters.number(RowKeys(keys)).codes
    assert numbers.tolist() != keys.tolist()
    by_key = poisson_weights(cluster_hashes(whole(np.sort(keys))), 7)
    assert np.array_equal(poisson_weights(cluster_hashes(clusters), 7)[numbers], by_key[keys])


def test_keys_of_either_type_and_rows() -> None:
    keys = np.arange(50)
    hashes = cluster_hashes(whole(keys)).tolist()
    assert cluster_hashes(whole(keys.astype(np.uint64))).tolist() == hashes
    rows = ClusterNumbers()
    rows.number_rows(keys, 50)
    assert cluster_hashes(rows).tolist() == hashes


def test_texts_that_are_whole_numbers() -> None:
    """A CSV file has the same weights as a table with a column of integers."""
    signed = np.array([0, -1, 7, 10, -(2**63), 2**63 - 1])
    unsigned = np.array([2**63, 10**19, 2**64 - 1], np.uint64)
    for keys in (signed, unsigned):
        hashes = cluster_hashes(whole(np.sort(keys))).tolist()
        assert text_hashes([str(key) for key in np.sort(keys).tolist()]).tolist() == hashes
    other = ["007", "-0", "+7", " 7", "7.0", "7\n", "７", str(2**64), str(-(2**63) - 1), "1" * 21]
    assert text_hashes(other).tolist() == [literal_text_hash(text) for text in other]


def test_texts_in_another_order() -> None:
    assert text_hashes(TEXTS[::-1]).tolist() == text_hashes(TEXTS).tolist()[::-1]


# --- distribution --------------------------------------------------------------------------------
WHOLE = cluster_hashes(whole(np.arange(MANY)))
TEXT = text_hashes([f"user {number}" for number in range(MANY)])


@pytest.mark.parametrize("hashes", [WHOLE, TEXT], ids=["whole numbers", "texts"])
def test_the_weights_of_a_replicate_are_poisson(hashes: Array) -> None:
    for replicate in (0, 1, 500):
        weights = poisson_weights(hashes, replicate)
        assert abs(weights.mean() - 1) < SIGMAS / sqrt(MANY)
        assert abs(weights.var() - 1) < SIGMAS * sqrt(3 / MANY)  # fourth central moment 4, minus 1
        for weight, count in enumerate(np.bincount(weights, minlength=8)[:8].tolist()):
            chance = exp(-1) / factorial(weight)
            assert abs(count - MANY * chance) < SIGMAS * sqrt(MANY * chance * (1 - chance)) + 1


@pytest.mark.parametrize("hashes", [WHOLE, TEXT], ids=["whole numbers", "texts"])
def test_replicates_and_neighbouring_keys_are_independent(hashes: Array) -> None:
    weights = np.array([poisson_weights(hashes[:20_000], number) for number in range(40)], float)
    between = np.corrcoef(weights)[np.triu_indices(40, 1)]  # 780 of them
    assert np.abs(between).max() < SIGMAS / sqrt(20_000)
    assert abs(between.mean()) < SIGMAS / sqrt(20_000 * 780)
    neighbours = ((weights[:, 1:] - 1) * (weights[:, :-1] - 1)).mean()
    assert abs(neighbours) < SIGMAS / sqrt(weights.size)


def test_the_weights_of_one_key_over_replicates() -> None:
    weights = np.array([poisson_weights(WHOLE[:500], number) for number in range(1000)], float)
    means = (weights.mean(axis=0) - 1) * sqrt(1000)
    assert np.abs(means).max() < SIGMAS
    assert abs(means.std() - 1) < SIGMAS / sqrt(2 * 500)
