"""Poisson weights: how often each cluster counts in each replicate of a bootstrap.

A weight is drawn from Poisson(1) by a hash of the cluster's key and the number of the replicate. So
it is the same for all scores, slices, sources and machines, and for rows that were split and merged
(Chamandy et al., Estimating uncertainty for massive data streams, 2012). Only whole numbers are
used, modulo 2**64.
"""

import re
from math import factorial
from typing import NamedTuple

import numpy as np

from steelyard.kernels.row_blocks import blocks
from steelyard.model import Array
from steelyard.reading.clusters import ClusterNumbers

BLOCK = 1 << 15  # keys: columns of 256 kB
WORD = 8  # bytes
WHOLE = re.compile("0|-?[1-9][0-9]{0,19}")  # as Python and SQL write a whole number of 64 bits
# SplitMix64: Steele, Lea & Flood (2014), OOPSLA, 453.
STEP = 0x9E3779B97F4A7C15
MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
LAST_SHIFT = np.uint64(31)

LARGEST = 20  # weight: a larger one has probability 7e-21, less than 2**-64
_SCALE = factorial(40)
_INVERSE_E = sum((-1) ** n * (_SCALE // factorial(n)) for n in range(41))  # 40!/e, to the nearest
# P(weight ≤ k) in multiples of 2**-64, for k from 0: a weight is the number of those at or below a
# random 64-bit number.
CUMULATIVE = tuple(
    (sum(_SCALE // factorial(j) for j in range(k + 1)) * _INVERSE_E << 64) // _SCALE**2
    for k in range(LARGEST)
)


def cluster_hashes(clusters: ClusterNumbers) -> Array:
    """A hash of each cluster's key, by its number; the key of a row is its position.

    >>> import numpy as np
    >>> from steelyard.reading.grouping import RowKeys
    >>> users = ClusterNumbers()
    >>> _ = users.number(RowKeys(np.array([0, 1])))
    >>> [hex(each) for each in cluster_hashes(users).tolist()]
    ['0xe220a8397b1dcdaf', '0x910a2dec89025cc1']
    """
    if clusters.texts is not None:
        return text_hashes(clusters.texts)
    return whole_hashes(clusters.whole if len(clusters.whole) else np.arange(len(clusters)))


def text_hashes(texts: list[str]) -> Array:
    """A hash of each text; one that is a whole number has that of the number.

    CSV files give keys as text, and other sources the same keys as numbers.
    """
    hashes = _byte_hashes(texts)
    numbers = [(place, int(text)) for place, text in enumerate(texts) if WHOLE.fullmatch(text)]
    held = [(place, n % 2**64) for place, n in numbers if -(2**63) <= n < 2**64]
    if held:
        places, words = zip(*held, strict=True)
        hashes[list(places)] = whole_hashes(np.array(words, np.uint64))
    return hashes


def whole_hashes(keys: Array) -> Array:
    """A hash of each whole number of up to 64 bits."""
    return mixed(keys.astype(np.uint64) + np.uint64(STEP))


def _byte_hashes(texts: list[str]) -> Array:
    """A hash of each text's length, and of its UTF-8 bytes, eight at a time."""
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    lengths = np.array([len(each) for each in encoded], np.int64)
    counts = -(-lengths // WORD)
    padded = (each.ljust(WORD * -(-len(each) // WORD), b"\0") for each in encoded)
    words = np.frombuffer(b"".join(padded), "<u8")
    places = np.cumsum(counts) - counts
    hashes = whole_hashes(lengths)
    longest_first = np.argsort(-counts, kind="stable")
    rising = counts[longest_first[::-1]]
    for place in range(int(counts.max(initial=0))):
        longer = longest_first[: len(texts) - int(rising.searchsorted(place, side="right"))]
        hashes[longer] = mixed(hashes[longer] ^ words[places[longer] + place])
    return hashes


class Replicate(NamedTuple):
    """A replicate of a bootstrap as a weighting, see `views.weightings`."""

    number: int

    def weights(self, slices: Array | None, hashes: Array) -> Array:
        """The weight of each cluster, the same in all slices."""
        return poisson_weights(hashes, self.number)


def poisson_weights(hashes: Array, replicate: int) -> Array:
    """The weight of each cluster in a replicate, from 0 to 20; replicates count from 0.

    >>> import numpy as np
    >>> hashes = mixed(np.arange(1, 10, dtype=np.uint64))
    >>> poisson_weights(hashes, 0).tolist(), poisson_weights(hashes, 1).tolist()
    ([2, 0, 2, 0, 1, 0, 1, 3, 0], [1, 2, 1, 2, 1, 0, 0, 2, 1])
    """
    step = np.uint64((replicate + 1) * STEP % 2**64)
    weights = np.zeros(len(hashes), np.uint8)
    for block in blocks(len(hashes), BLOCK):
        random = mixed(hashes[block] + step)
        for bound in CUMULATIVE:
            beyond = random >= np.uint64(bound)
            if not beyond.any():  # after about seven bounds
                break
            weights[block] += beyond
    return weights


def mixed(words: Array) -> Array:
    """A permutation of the 64-bit numbers in which each bit depends on all: that of SplitMix64."""
    for shift, factor in MIX:
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    mixed: Array = words ^ (words >> LAST_SHIFT)
    return mixed
