"""Scores as probabilities: the correction of sampled negatives, and the clip of logarithms."""

import numpy as np

from steelyard.model import Array, Floats


def probabilities(scores: Array, downsampled: float | None) -> Floats:
    """Scores as float64 probabilities.

    If the model was trained on a share r of the negatives, p becomes p/(p + (1 − p)/r) in three
    operations, each rounded.
    """
    p: Floats = scores.astype(np.float64, copy=False)
    if downsampled is None:
        return p
    others = 1.0 - p
    with np.errstate(over="ignore"):  # r = 1e-310: every p below 1 becomes 0
        others /= downsampled
        others += p
    return np.divide(p, others, out=others)


def clipped(chances: Floats, clip: float | None) -> Floats:
    """Probabilities as logarithms read them: cut to [clip, 1 − clip] where a clip is given."""
    return chances if clip is None else np.clip(chances, clip, 1.0 - clip)
