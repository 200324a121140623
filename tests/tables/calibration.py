"""The table of calibration: every metric of probabilities, with and without corrections."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from steelyard.model import Row as ResultRow
from steelyard.result import Result
from tests.oracles import calibration as oracles
from tests.oracles.answers import Answer, Near, Why
from tests.oracles.calibration import Row, read
from tests.tables.binary import rows as binary_rows
from tests.tables.binary_data import DATA as BINARY
from tests.tables.binary_data import FINE, INTEGERS, TIED, UGLY, scored
from tests.tables.case import Family, Options, Sample, functions_of, parsed
from tests.tables.harness import is_close

# What an iteration ends at is within 1e-9 of the best fit, or of 1 where that is smaller.
ITERATED = ("calibration_slope", "calibration_intercept")
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
    **dict.fromkeys(ITERATED, int(1e-9 * 2**53)),
}
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
    "calibration_curve(bins=4)",
    "calibration_curve(bins=4, kind=width)",
)

OPTIONS: Mapping[str, Options] = {
    "plain": {},
    "downsampled": {"downsampled": 0.1},
    "clipped": {"clip": 1e-6},
    "both": {"downsampled": 0.01, "clip": 1e-3},
}

MORE = {
    "certain": scored(
        "probabilities of 0 and 1 that came true: no surprise", [0, 1, 0, 1], [0.0, 1.0, 0.25, 0.5]
    ),
    "surprised": scored(
        "probabilities of 0 and 1 that did not: an infinite loss, three times",
        [1, 0, 1, 0, 1],
        [0.0, 1.0, 0.0, 0.25, 0.5],
        [1, 2, 3, 1, 1],
    ),
    "nothing_predicted": scored("all probabilities are 0", [0, 1, 0], [0.0, 0.0, 0.0]),
    "halves_only": scored("every probability ½: nothing varies", [0, 1, 1], [0.5, 0.5, 0.5]),
    "calibrated": scored("a quarter of a quarter", [1, 0, 0, 0], [0.25] * 4),
    "edges": scored(
        "probabilities written as tenths: three of them lie below the edge",
        [0, 1] * 5,
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    ),
    "below_edges": scored(
        "just below and just above the edges",
        [0, 1, 1, 0, 1, 0],
        [0.3 - 2**-54, 0.3, 0.3 + 2**-54, 0.7 - 2**-53, 0.7, 0.6999],
    ),
    "tiny": scored(
        "probabilities whose complement is 1 in float64",
        [0, 0, 1, 0, 0, 1],
        [1e-20, 1e-17, 3e-10, 1e-300, 5e-324, 2e-5],
    ),
    "nearly_one": scored(
        "probabilities whose complement has few digits",
        [1, 1, 0, 1, 1],
        [1 - 2**-53, 1 - 2**-50, 1 - 2**-20, 0.999, 0.5],
    ),
    "separable": scored("no slope is steep enough", [0, 0, 1, 1], [0.1, 0.2, 0.6, 0.9]),
    "touching": scored("separable but for a tie", [0, 0, 1, 1], [0.1, 0.5, 0.5, 0.9]),
    "fine_weighted": scored("floats as weights", *FINE, UGLY),
    "float32_fine": scored(
        "float32 probabilities count as what they are", *FINE, INTEGERS, score_type="float32"
    ),
    "rare_clicks": scored(
        "a log of ads: one click in fifty, probabilities near it",
        [int(Random(i).random() < 0.02) for i in range(200)],
        [0.005 + Random(i + 999).random() ** 4 / 8 for i in range(200)],
    ),
    "flat": scored("ties, and a slope", *TIED, INTEGERS),
}


def with_columns(data: Sample) -> Sample:
    """The columns of a data set, with a field, bids and revenue made up for it."""
    count = np.arange(len(data))
    added = {
        "field": np.array([f"f{i % 3}" for i in count], "U2"),
        "bid": (count * 7 % 5) / 4,
        "revenue": (count * 3 % 4) / 10,
    }
    return replace(data, columns={**data.columns, **added})


DATA = {
    name: with_columns(data)
    for name, data in (BINARY | MORE).items()
    if all(0 <= score <= 1 for score in data.columns["score"].tolist())
}


# --- the oracles' side ---------------------------------------------------------------------------


def rows(data: Sample, options: Options) -> list[Row]:
    """The rows of the oracles: those that have weight, with the columns beside them."""
    kept = [i for i, weight in enumerate(data.weights) if weight != 0]
    names = [name for name in ("field", "bid", "revenue") if name in data.columns]
    columns = {name: [data.columns[name].tolist()[i] for i in kept] for name in names}
    return read(binary_rows(data, options), options.get("downsampled"), **columns)


def fits(spec: str, data: Sample) -> bool:
    """All but a fit to weights of 1e300 and 1e-300, which is a matter of hundreds of digits."""
    weights = [float(w) for w in data.weights if w]
    even = not weights or max(weights) <= 1e12 * min(weights)
    return even or parsed(spec)[0] not in ITERATED


# What accompanies a value: the key in its details, and the oracle.
ACCOMPANYING = {
    "ece": ("null_level", oracles.ece_null),
    "ecce": ("p_value", oracles.ecce_p_value),
    "spiegelhalter": ("p_value", oracles.spiegelhalter_p_value),
    "hosmer_lemeshow": ("p_value", oracles.hosmer_lemeshow_p_value),
}


def details(
    spec: str, data: Sample, row: ResultRow, result: Result, answer: Any, options: Options
) -> Answer:
    """Null levels and p-values within 1e-9 of themselves, where logarithms are not cut off."""
    name, params = parsed(spec)
    if name in ACCOMPANYING and row.value is not None and "clip" not in options:
        key, oracle = ACCOMPANYING[name]
        expected, found = oracle(rows(data, options), **params), row.details.get(key)
        if isinstance(expected, Why):
            assert found is None, (spec, found)
        else:
            assert found is not None, spec
            assert is_close(found, expected, 1e-9), (spec, found, expected)
    if name in ITERATED and not isinstance(answer, Why):
        return Near(answer, max(abs(answer), Fraction(1)))
    return answer  # type: ignore[no-any-return]


FAMILY = Family(
    name="calibration",
    data=DATA,
    specs=SPECS,
    rows=rows,
    oracles=functions_of(oracles),
    roundings=ROUNDINGS,
    fits=fits,
    options=OPTIONS,
    details=details,
)
