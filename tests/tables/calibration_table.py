"""Rows of the calibration table: every metric on every data set of probabilities."""

from functools import cache
from random import Random
from typing import Any

import numpy as np

from tests.oracles import calibration as oracles
from tests.oracles.calibration import Row, read
from tests.tables.binary_data import DATA as BINARY
from tests.tables.binary_data import FINE, INTEGERS, TIED, UGLY, Data
from tests.tables.family_harness import Answer, Sample, split

# Each value is at most so many roundings from the exact one: of the terms of a row, of the
# quotient, of a root. Those that are not here are the exact value, rounded once.
ROUNDINGS = {
    "logloss": 4,  # the logarithm within a unit, its product, the quotient
    "ne": 8,  # and the entropy of the base rate
    "rig": 8,
    "brier": 4,  # p − y and its square
    "mcb": 4,
    "dsc": 4,
    "spiegelhalter": 8,
    "field_rce": 4,
    "hosmer_lemeshow": 16,
    "ecpm": 4,
}
# What an iteration ends at, and how near that is.
ITERATED = {"calibration_slope": 1e-9, "calibration_intercept": 1e-9}

SPECS = (
    "copc()",
    "pcoc()",
    "logloss()",
    "ne()",
    "rig()",
    "brier()",
    "unc()",
    "mcb()",
    "dsc()",
    "ece()",
    "ece(bins=3)",
    "ece(bins=100)",
    "ece(bins=10, kind=width)",
    "ece(bins=7, kind=width)",
    "ecce()",
    "calibration_slope()",
    "calibration_intercept()",
    "spiegelhalter()",
    "hosmer_lemeshow()",
    "hosmer_lemeshow(bins=4)",
    "field_ece(field=field)",
    "field_rce(field=field)",
    "ecpm(bid=bid)",
    "ecpm(kind=realised, bid=bid)",
    "ecpm(kind=realised, revenue=revenue)",
)

READINGS: dict[str, dict[str, float]] = {
    "plain": {},
    "downsampled": {"downsampled": 0.1},
    "clipped": {"clip": 1e-6},
    "both": {"downsampled": 0.01, "clip": 1e-3},
}
LOGARITHMIC = ("logloss", "ne", "rig", "calibration_slope", "calibration_intercept")

MORE = {
    "certain": Data(
        "probabilities of 0 and 1 that came true: no surprise", [0, 1, 0, 1], [0.0, 1.0, 0.25, 0.5]
    ),
    "surprised": Data(
        "probabilities of 0 and 1 that did not: an infinite loss, three times",
        [1, 0, 1, 0, 1],
        [0.0, 1.0, 0.0, 0.25, 0.5],
        [1, 2, 3, 1, 1],
    ),
    "nothing_predicted": Data("all probabilities are 0", [0, 1, 0], [0.0, 0.0, 0.0]),
    "halves_only": Data("every probability ½: nothing varies", [0, 1, 1], [0.5, 0.5, 0.5]),
    "calibrated": Data("a quarter of a quarter", [1, 0, 0, 0], [0.25] * 4),
    "edges": Data(
        "probabilities written as tenths: three of them lie below the edge",
        [0, 1] * 5,
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    ),
    "below_edges": Data(
        "just below and just above the edges",
        [0, 1, 1, 0, 1, 0],
        [0.3 - 2**-54, 0.3, 0.3 + 2**-54, 0.7 - 2**-53, 0.7, 0.6999],
    ),
    "tiny": Data(
        "probabilities whose complement is 1 in float64",
        [0, 0, 1, 0, 0, 1],
        [1e-20, 1e-17, 3e-10, 1e-300, 5e-324, 2e-5],
    ),
    "nearly_one": Data(
        "probabilities whose complement has few digits",
        [1, 1, 0, 1, 1],
        [1 - 2**-53, 1 - 2**-50, 1 - 2**-20, 0.999, 0.5],
    ),
    "separable": Data("no slope is steep enough", [0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9]),
    "touching": Data("separable but for a tie", [0, 0, 1, 1], [0.1, 0.5, 0.5, 0.9]),
    "fine_weighted": Data("floats as weights", *FINE, UGLY),
    "float32_fine": Data(
        "float32 probabilities count as what they are", *FINE, INTEGERS, score_type="float32"
    ),
    "rare_clicks": Data(
        "a log of ads: one click in fifty, probabilities near it",
        [int(Random(i).random() < 0.02) for i in range(200)],
        [0.005 + Random(i + 999).random() ** 4 / 8 for i in range(200)],
    ),
    "flat": Data("ties, and a slope", *TIED, INTEGERS),
}
assert not MORE.keys() & BINARY.keys()

TYPED = {
    name: data
    for name, data in (BINARY | MORE).items()
    if all(0 <= score <= 1 for score in data.score)
}


def sample(data: Data) -> Sample:
    """The columns of a data set, with a field, bids and revenue made up for it."""
    count = len(data)
    columns: dict[str, Any] = {
        "label": np.array(data.label),
        "score": data.scores,
        "field": np.array([f"f{i % 3}" for i in range(count)], "U2"),
        "bid": np.array([(i * 7 % 5) / 4 for i in range(count)], float),
        "revenue": np.array([(i * 3 % 4) / 10 for i in range(count)], float),
    }
    roles: dict[str, Any] = {"label": "label", "score": "score", "positive": data.positive}
    if data.weights is not None:
        columns["weight"] = data.weights
        roles["weight"] = "weight"
    return Sample(data.why, columns, roles)


DATA = {name: sample(data) for name, data in TYPED.items()}


@cache
def rows(data: str, downsampled: float | None) -> list[Row]:
    """The rows of the oracles: those that have weight, with the columns beside them."""
    typed, columns = TYPED[data], DATA[data].columns
    weights = columns.get("weight")
    kept = [i for i in range(len(typed)) if weights is None or weights[i] != 0]
    beside = {
        name: [columns[name].tolist()[i] for i in kept] for name in ("field", "bid", "revenue")
    }
    return read(typed.rows(), downsampled, **beside)


def specs_for(data: str) -> tuple[str, ...]:
    """Those that fit: a fit to weights of 1e300 and of 1e-300 is a matter of hundreds of digits."""
    weights = [float(row.w) for row in rows(data, None)]
    if weights and max(weights) > 1e12 * min(weights):
        return tuple(spec for spec in SPECS if split(spec)[0] not in ITERATED)
    return SPECS


def arguments(spec: str, reading: str) -> tuple[str, dict[str, Any], float | None]:
    """The oracle's name and parameters, and how rows are read."""
    name, params = split(spec)
    how = READINGS[reading]
    given = {key: value for key, value in params.items() if key != "field"}
    if name == "ecpm":
        given |= {"bid": "bid" in params, "revenue": "revenue" in params}
    if name in LOGARITHMIC and "clip" in how:
        given["clip"] = how["clip"]
    return name, given, how.get("downsampled")


@cache
def answer(spec: str, data: str, reading: str) -> Answer:
    name, given, downsampled = arguments(spec, reading)
    found: Answer = getattr(oracles, name)(rows(data, downsampled), **given)
    return found


# What stands beside a value: the metric, the key in its details, the oracle.
OTHER_NAMES = (
    ("ece", "null_level", "ece_null"),
    ("ecce", "p_value", "ecce_p_value"),
    ("spiegelhalter", "p_value", "spiegelhalter_p_value"),
    ("hosmer_lemeshow", "p_value", "hosmer_lemeshow_p_value"),
)
