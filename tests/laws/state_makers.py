"""Every kind of state, sums in each of the shapes that metrics ask for."""

from collections.abc import Callable
from typing import Any

from steelyard.states import (
    ClassScoreTable,
    Extremes,
    Groups,
    KeyedState,
    Pairs,
    ScoreTable,
    Sums,
)

CELLS = ("called 0.25", "hit 0.25", "weight", "weighted_positives")
SAMPLE = (
    *("rows", "positives", "dropped", "weight", "weighted_positives"),
    *("prediction_sum", "weighted_prediction_sum"),
)
ERRORS = (
    *("truth", "truth_squared", "truth_squared_rest", "absolute", "squared", "squared_log"),
    *("relative", "beyond squared", "zeros", "below_zero", "weight_of_below_zero"),
)

MAKE: dict[str, Callable[[], Any]] = {
    "sample": lambda: Sums(SAMPLE),
    "cells": lambda: Sums(CELLS),
    "expected": lambda: Sums(("expected", "variance", "surplus", "surplus_variance")),
    "losses": lambda: Sums(("infinite", "log", "rows", "squares")),
    "amounts": lambda: Sums(("amount bid", "earned_amount bid", "expected_amount bid")),
    "fields": lambda: Sums(("expected", "weight", "weighted_positives"), "field field"),
    "bins": lambda: Sums(("expected", "weight", "weighted_positives"), "bin 3"),
    "prediction_sample": lambda: Sums(
        ("rows", "dropped", "weight", "number_sum", "weighted_number_sum")
    ),
    "errors": lambda: Sums(ERRORS),
    "class_pairs": lambda: Sums(("weight",), "class_pair"),
    "class_ranks": lambda: Sums(("weight",), "rank"),
    "class_losses": lambda: Sums(("infinite_of_class", "log_of_class")),
    "largest": lambda: Extremes("absolute"),
    "score_table": ScoreTable,
    "class_scores": ClassScoreTable,
    "groups": Groups,
    "pairs": Pairs,
}
OF_CHANCES = ("expected", "losses", "amounts", "fields", "bins")
OF_PREDICTIONS = (
    *("prediction_sample", "errors", "class_pairs", "class_ranks", "class_losses", "largest"),
    *("class_scores", "pairs"),
)
# States that read any score, and keep the labels and the reading conventions.
OF_SCORES = ("cells", "groups", "sample", "score_table")


STATE_KINDS: dict[str, type[KeyedState]] = {each.kind: each for each in KeyedState.__subclasses__()}


def kind_of(name: str) -> type[KeyedState]:
    return STATE_KINDS[MAKE[name]().kind]
