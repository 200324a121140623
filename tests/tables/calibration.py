"""The table of calibration: every metric of probabilities, with and without corrections."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from steelyard.model import Row as ResultRow
from steelyard.result.result import Result
from tests.oracles import calibration as oracles
from tests.oracles import calibration_levels as levels
from tests.oracles.answers import Answer, Near, Why
from tests.oracles.calibration import Row, read
from tests.oracles.calibration_levels import CERTAIN
from tests.tables.binary import rows as binary_rows
from tests.tables.binary_data import DATA as BINARY
from tests.tables.binary_data import FINE, INTEGERS, TIED, UGLY, scored
from tests.tables.case import Case, Family, Options, Sample, functions_of, parsed
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
    "field_rce(field=field, eps=0.01)",
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
    "small": scored(
        "probabilities down to 1e-18", FINE[0], [10.0 ** -(18 * q) for q in FINE[1]], UGLY
    ),
    "uneven": scored(
        "weights from 1e-100 to 1e100, probabilities near 1",
        FINE[0],
        [1 - 10.0 ** -(15 * q) for q in FINE[1]],
        [10.0 ** (200 * q - 100) for q in FINE[1][::-1]],
    ),
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
    """The rows of the oracles: those that have weight, with their other columns."""
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
    "ece": ("null_level", levels.ece_null),
    "ecce": ("p_value", levels.ecce_p_value),
    "spiegelhalter": ("p_value", oracles.spiegelhalter_p_value),
    "hosmer_lemeshow": ("p_value", levels.hosmer_lemeshow_p_value),
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


# --- rows by hand --------------------------------------------------------------------------------


def four(why: str = "one click, and the probabilities add up to one", **columns: Any) -> Sample:
    """Four rows, of which the first is a click; further columns as given."""
    data = scored(why, [1, 0, 0, 0], [0.5, 0.25, 0.125, 0.125], columns.pop("weight", None))
    arrays = {name: np.array(column) for name, column in columns.items()}
    return replace(data, columns={**data.columns, **arrays})


def pairs(y: list[int], p: list[float]) -> Sample:
    return scored("", np.array(y, int).tolist(), p)


HEAVY_CLICK = four(weight=[2, 1, 1, 1])
FIELDS = four("two fields", field=["a", "a", "b", "c"], bid=[4, 8, 16, 32], revenue=[1, 0, 0, 2])
INFINITE = "the loss is infinite: {} a probability of 0 for what happened; pass clip=1e-15…"
FALSE = "a bin in which every probability is {} did not come true…"
SEPARABLE = Why("the classes are separable by score: the slope has no finite value")
BASE_RATE = pairs([1, 0], [0.5, 0.5])
ONE_CLASS = pairs([0, 0], [0.25, 0.75])
FIT = ("calibration_slope()", "calibration_intercept()")
BY_HAND = (
    Case("copc()", four(), "one click of one expected", Fraction(1)),
    Case("copc()", HEAVY_CLICK, "two clicks of 1½", Fraction(4, 3)),
    Case("pcoc()", HEAVY_CLICK, "1½ of two clicks", Fraction(3, 4)),
    Case("copc()", four(weight=[0, 1, 1, 1]), "weight zero is absence", Fraction(0)),
    Case("brier()", four(), "(¼ + 1/16 + 2/64)/4", Fraction(11, 128)),
    Case("unc()", four(), "¼ · ¾", Fraction(3, 16)),
    Case("unc()", four(weight=[3, 1, 1, 1]), "half of the weight", Fraction(1, 4)),
    Case("field_ece(field=field)", FIELDS, "a: 1 − ¾, b and c ⅛", Fraction(1, 8)),
    Case("field_ece(field=field)", four(field=[1] * 4), "gaps of one field cancel", Fraction(0)),
    Case("field_rce(field=field)", FIELDS, "of a alone: ¼ of 1 click", Fraction(1, 4)),
    Case("field_rce(field=field, eps=0.5)", FIELDS, "with ½ a row of clicks", Fraction(3, 16)),
    Case("ecpm(bid=bid)", FIELDS, "2 + 2 + 2 + 4 of 4 rows", Fraction(2500)),
    Case("ecpm(bid=bid, kind=realised)", FIELDS, "the click's own bid", Fraction(1000)),
    Case("ecpm(revenue=revenue, kind=realised)", FIELDS, "3 of 4 rows", Fraction(750)),
    Case("ecpm(bid=bid, revenue=revenue, kind=realised)", FIELDS, "revenue wins", Fraction(750)),
    Case("logloss()", BASE_RATE, "ln 2", Decimal(2).ln()),
    Case("ne()", BASE_RATE, "the base rate for everything", Fraction(1)),
    Case("rig()", BASE_RATE, "the base rate for everything", 0.0),
    Case("logloss()", pairs([1], [0.25]), "ln 4", Decimal(4).ln()),
    Case("logloss()", pairs([1, 0], [1.0, 0.0]), "no surprise", 0.0),
    Case("logloss()", pairs([0], [1e-17]), "1 − 1e-17 is 1 in float64", 1e-17),
    Case("logloss()", pairs([0], [1e-320]), "and 1 − 1e-320 too", 1e-320),
    Case("mcb()", pairs([1, 0], [0.9, 0.1]), "all of Brier", Fraction(0.1) ** 2),
    Case("dsc()", pairs([1, 0], [0.9, 0.1]), "all that can be known", Fraction(1, 4)),
    Case("copc()", pairs([1, 0], [0.0, 0.0]), "0", Why("no click is predicted: every…")),
    Case("pcoc()", pairs([0, 0], [0.5, 0.5]), "0/0", Why("there are no positives")),
    Case("ne()", pairs([0, 0], [0.5, 0.5]), "no entropy", Why("there are no positives")),
    Case("rig()", pairs([1, 1], [0.5, 0.5]), "no entropy", Why("there are no negatives")),
    Case("logloss()", pairs([1, 0], [0.0, 0.5]), "one row", Why(INFINITE.format("1 row has"))),
    Case("ne()", pairs([1, 0], [0.5, 1.0]), "one row", Why(INFINITE.format("1 row has"))),
    Case("spiegelhalter()", pairs([1, 0], [0.5, 1.0]), "0/0", Why("every probability is…")),
    Case("ece(bins=1)", ONE_CLASS, "one class has bins", Fraction(1, 2)),
    Case("ecce()", ONE_CLASS, "one class has sums", Fraction(1, 2)),
    Case("hosmer_lemeshow(bins=1)", ONE_CLASS, "1²/1 + 1²/1", Fraction(2)),
    Case("mcb()", ONE_CLASS, "all of Brier", Fraction(5, 16)),
    Case("dsc()", ONE_CLASS, "nothing to tell apart", 0.0),
    *(Case(spec, pairs([0, 0], [0.2, 0.3]), "none", Why("there are no positives")) for spec in FIT),
    *(Case(spec, pairs([1, 1], [0.2, 0.3]), "none", Why("there are no negatives")) for spec in FIT),
    *(Case(spec, pairs([0, 1, 1], [0, 0.5, 1]), "an infinite logit", CERTAIN) for spec in FIT),
    Case(FIT[0], pairs([0, 1], [0.2, 0.3]), "in order", SEPARABLE),
    Case(FIT[0], pairs([1, 0], [0.2, 0.3]), "in reverse", SEPARABLE),
    Case(FIT[0], pairs([0, 0, 1, 1], [0.2, 0.3, 0.3, 0.4]), "but for a tie", SEPARABLE),
    Case(FIT[0], pairs([0, 1], [0.2, 0.2]), "no spread", Why("all rows have the same score…")),
    Case("hosmer_lemeshow(bins=1)", pairs([0, 1], [0.0, 0.0]), "1/0", Why(FALSE.format(0))),
    Case("hosmer_lemeshow(bins=1)", pairs([0, 1], [1.0, 1.0]), "1/0", Why(FALSE.format(1))),
)  # fmt: skip


FAMILY = Family(
    name="calibration",
    data=DATA,
    specs=SPECS,
    rows=rows,
    oracles=functions_of(oracles, levels),
    by_hand=BY_HAND,
    roundings=ROUNDINGS,
    fits=fits,
    options=OPTIONS,
    details=details,
)
