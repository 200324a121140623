"""The bytes of a state of every kind, for tests that damage or forge them."""

import numpy as np

from steelyard.model import Reading, RequiredColumns
from steelyard.reading.arrays import read_arrays
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import NumericPredictions
from steelyard.states import Groups, KeyedState
from tests.laws.class_rows import some_cells, some_losses, some_ranks, some_rows
from tests.laws.state_bytes import (
    SUMS_HEADER,
    SUMS_SECTIONS,
    TABLE_HEADER,
    TABLE_SECTIONS,
    forge,
)
from tests.laws.state_makers import MAKE, kind_of


def a_sample() -> KeyedState:
    sample: KeyedState = MAKE["sample"]()
    sample.update(read_arrays([1, 0, 0], [0.1, -0.7, 1e-310], [0.1, 3, 1e9]))
    return sample


def some_groups() -> Groups:
    groups = Groups()
    groups.update(
        read_arrays(
            [1, 0.5, 0],
            [0.1, None, -0.7],
            [0.1, 3, 1e9],
            group={"user": [7, -1, 7], "day": ["fri", "", "né"]},
            document=["b", "a", "c"],
            columns={"group_weight": [2, 0.5, 1]},
            unscored="not_retrieved",
            required_columns=RequiredColumns(False, True, True, True, True, ("group_weight",)),
        )
    )
    return groups


def of_rows(state: KeyedState) -> KeyedState:
    """A state of predicted numbers: two rows alike, tiny and large values, fractional weights."""
    numbers = NumericPredictions(
        np.array([1.0, -0.5, 1.0, 1e300]), np.array([2.0, 1e-310, 2.0, 0.0])
    )
    weight = np.array([0.5, 3.0, 1.0, 1e-3])
    state.update(Batch(4, Reading(), numbers=numbers, weight=weight))
    return state


def of_probabilities(state: KeyedState) -> KeyedState:
    """A state of probabilities with fields and bids, one of them at the wrong end."""
    columns = {"field": ["DE", None, "DE", "US"], "bid": [0.5, 1, 1e-300, 0]}
    required_columns = RequiredColumns(probability=True, fields=("field",), amounts=("bid",))
    state.update(
        read_arrays(
            [1, 0, 0, 1],
            [0.1, 0.7, 1.0, 1e-310],
            [0.1, 3, 1e9, 1],
            columns=columns,
            required_columns=required_columns,
            downsampled=0.1,
        )
    )
    return state


INTACT: dict[str, bytes] = {
    "sample": a_sample().dumps(),
    "cells": forge(SUMS_HEADER, SUMS_SECTIONS),
    **{
        name: of_probabilities(MAKE[name]()).dumps()
        for name in ("amounts", "bins", "expected", "losses", "fields")
    },
    **{
        name: of_rows(MAKE[name]()).dumps()
        for name in ("prediction_sample", "errors", "largest", "pairs")
    },
    "class_pairs": some_cells().dumps(),
    "class_ranks": some_ranks().dumps(),
    "class_losses": some_losses().dumps(),
    "class_scores": some_rows().dumps(),
    "score_table": forge(TABLE_HEADER, TABLE_SECTIONS),
    "groups": some_groups().dumps(),
}


def loads(name: str, data: bytes) -> KeyedState:
    return kind_of(name).loads(data)
