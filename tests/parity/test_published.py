"""Published numbers of two published data sets: aSAH (from pROC) and ROCR.simple.

The values are those that R's pROC, ROCR and PRROC give, to the digits noted down. The data are not
part of this repository: STEELYARD_SHARED names the folder that holds `data/roc`, beside the project
unless it is said otherwise.
"""

import csv
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import steelyard as sy
from tests.oracles.answers import Row, Rows, rounded
from tests.oracles.binary import ORACLES
from tests.parity.peers import shared

Columns = tuple[list[int], list[float]]


@cache
def table(name: str) -> list[dict[str, str]]:
    with shared("roc", name).open(newline="") as file:
        return list(csv.DictReader(file))


def asah(marker: str) -> Columns:
    rows = table("aSAH.csv")
    return [int(row["outcome"] == "Poor") for row in rows], [float(row[marker]) for row in rows]


def rocr() -> Columns:
    rows = table("ROCR_simple.csv")
    return [int(row["label"]) for row in rows], [float(row["prediction"]) for row in rows]


def read(data: str) -> Columns:
    return rocr() if data == "ROCR.simple" else asah(data)


def digits(value: float, printed: str) -> bool:
    """Whether a value is the printed one, to all its digits.

    R's last digit is rounded from a float that may itself be a unit off: one unit is allowed.
    """
    place = Decimal(printed).as_tuple().exponent
    assert isinstance(place, int)
    return abs(Decimal(value) - Decimal(printed)) <= Decimal(1).scaleb(place)


PUBLISHED = [
    ("auc", "wfns", {}, ".823678861788618"),
    ("auc", "s100b", {}, ".731368563685637"),
    ("auc", "ndka", {}, ".611957994579946"),
    ("auc", "ROCR.simple", {}, ".834187518842327"),
    ("partial_auc", "wfns", {"max_fpr": 0.1}, ".0334417344173442"),
    ("partial_auc", "wfns", {"max_fpr": 0.1, "standardize": True}, ".649693339038653"),
    ("partial_auc", "wfns", {"min_tpr": 0.9}, ".0400999322493225"),
    ("partial_auc", "wfns", {"min_tpr": 0.9, "standardize": True}, ".68473648552275"),
    ("specificity", "s100b", {"threshold": 0.22}, ".805555555555556"),
    ("sensitivity", "s100b", {"threshold": 0.22}, ".634146341463415"),
    ("best_threshold", "s100b", {}, ".22"),
    ("ks", "wfns", {}, ".467479675"),
    ("ks", "s100b", {}, ".439701897"),
    ("ks", "ndka", {}, ".221205962"),
    ("ap", "wfns", {}, ".680337"),
    ("pr_auc", "wfns", {}, ".708764"),
    ("ap", "ROCR.simple", {}, ".784645132"),
    ("pr_auc", "ROCR.simple", {}, ".781503813"),
    ("break_even", "ROCR.simple", {}, ".827956989"),
    ("best_f1", "ROCR.simple", {}, ".840425532"),
]


@pytest.mark.parametrize(
    ("metric", "data", "params", "printed"),
    PUBLISHED,
    ids=[f"{metric}-{data}-{printed}" for metric, data, _, printed in PUBLISHED],
)
def test_published(metric: str, data: str, params: dict[str, float], printed: str) -> None:
    label, score = read(data)
    assert digits(getattr(sy, metric)(label, score, **params), printed)


@pytest.mark.parametrize(
    ("metric", "data", "params", "printed"),
    [row for row in PUBLISHED if row[0] in ORACLES],
    ids=[
        f"{metric}-{data}-{printed}" for metric, data, _, printed in PUBLISHED if metric in ORACLES
    ],
)
def test_the_oracles_too(metric: str, data: str, params: dict[str, float], printed: str) -> None:
    """What checks the library is checked by the same numbers."""
    label, score = read(data)
    rows = Rows(tuple(Row(y == 1, s, Fraction(1)) for y, s in zip(label, score, strict=True)))
    answer = ORACLES[metric](rows, **params)
    assert isinstance(answer, Fraction | Decimal)
    assert digits(rounded(answer), printed)


def test_a_made_up_point_and_straight_lines_are_too_high() -> None:
    """The trapezoid rule from (recall 0, precision 1) gives .754778 for an area of .708764."""
    label, score = asah("wfns")
    precision, recall, _ = sy.pr(label, score)
    assert digits(float(-np.trapezoid(precision, recall)), ".754778")
