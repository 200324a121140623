"""Probabilities, fields and amounts: how calibration reads rows, and what it refuses."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard
from steelyard.model import Reading
from steelyard.reading.batch import probabilities
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some rows hand over, as they should


Y, P = [1, 0, 0, 0], [0.5, 0.25, 0.125, 0.125]
F = ["a", "a", "b", None]
HALF = math.log(2)
NAMES = ("copc", "pcoc", "logloss", "ne", "rig", "brier", "unc", "spiegelhalter")
LAW = settings(max_examples=40)
chances = st.one_of(st.sampled_from([0.25, 0.5, 1e-17, 1 - 2.0**-53]), st.floats(1e-300, 0.9999))
keys = st.sampled_from(["x", "y", None])


@pytest.mark.parametrize(("p", "share", "wanted"), [(0.1, 0.01, 0.00110988), (0.5, 0.1, 0.0909091)])
def test_downsampled_by_the_founding_numbers(p: float, share: float, wanted: float) -> None:
    (q,) = probabilities(np.array([p]), Reading(downsampled=share))
    assert q == p / (p + (1 - p) / share)
    assert q == pytest.approx(wanted, rel=1e-5)
    assert sy.pcoc([1], [p], downsampled=share) == q


def test_downsampling_moves_no_end_and_no_rank() -> None:
    label, score = [0, 1, 0, 1], [0.0, 1.0, 0.25, 0.5]
    plain = sy.evaluate(label=label, score=score, metrics=["auc", "copc"])
    moved = sy.evaluate(label=label, score=score, metrics=["auc", "copc"], downsampled=0.01)
    assert moved["auc"] == plain["auc"]
    assert moved["copc"] > plain["copc"]
    assert moved.conventions.downsampled == 0.01
    assert str(moved).endswith("downsampled=0.01")
    q = probabilities(np.array([0.0, 1.0]), Reading(downsampled=1e-310))
    assert q.tolist() == [0.0, 1.0]


def test_a_share_of_one_says_nothing() -> None:
    one = sy.state(label=Y, score=P, metrics="copc", downsampled=1)
    assert one == sy.state(label=Y, score=P, metrics="copc")


def test_downsampled_shifts_the_intercept() -> None:
    random = np.random.default_rng(11)
    q = random.beta(1.2, 2.8, 2000)
    y = (random.random(2000) < q).astype(int)
    plain = sy.calibration_intercept(y, q)
    shifted = sy.calibration_intercept(y, q, downsampled=0.1)
    assert shifted == pytest.approx(plain - math.log(0.1), rel=1e-12)
    assert sy.calibration_slope(y, q, downsampled=0.1) == pytest.approx(
        sy.calibration_slope(y, q), rel=1e-10
    )
    assert sy.dsc(y, q, downsampled=0.1) == sy.dsc(y, q)  # it goes by the order


def test_the_words_of_scikit_learn() -> None:
    assert sy.log_loss(y_true=Y, y_proba=P) == sy.logloss(Y, P)
    assert sy.brier_score(Y, y_proba=P) == sy.brier(Y, y_score=P)
    with pytest.raises(TypeError, match="got both 'y_score' and 'y_proba'"):
        sy.copc(Y, P, y_proba=P)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'y_score'"):
        sy.copc(Y)
    with pytest.raises(TypeError, match="unexpected keyword argument 'y_proba'"):
        sy.auc(Y, y_proba=P)


def test_a_clip_makes_the_loss_finite() -> None:
    assert sy.logloss([1], [0.0], clip=0.25) == 2 * HALF
    assert sy.logloss([0], [1.0], clip=0.25) == 2 * HALF
    assert sy.logloss([0], [0.0], clip=0.25) == -math.log(0.75)


def test_rows_that_stand_for_many_are_counted_as_many() -> None:
    (row,) = sy.evaluate(label=[3, 0], score=[0.0, 0.5], trials=np.array([5, 2]), metrics="logloss")
    assert row.value is None
    assert "3 rows have" in str(row.why)


def test_a_field_without_positives_is_left_out_and_counted() -> None:
    result = sy.evaluate(
        {"y": Y, "p": P, "f": F}, label="y", score="p", metrics=["field_rce(f)", "field_ece(f)"]
    )
    for row in result:
        assert row.details == {"fields": 3, "fields_without_positives": 2}


def bits(result: Any) -> list[str]:
    return [repr((row.metric, row.slice, row.value, row.why, row.details)) for row in result]


@LAW
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), chances, keys), min_size=1, max_size=9)
)
def test_aggregated_rows_are_that_many_rows(rows: list[tuple[int, int, float, str | None]]) -> None:
    specs = [*NAMES, "field_ece(f)", "field_rce(f)"]
    clicks, more, p, f = (list(column) for column in zip(*rows, strict=True))
    many = [
        (label, chance, key) for up, down, chance, key in rows for label in [1] * up + [0] * down
    ]
    if not many:
        return
    trials = [a + b for a, b in zip(clicks, more, strict=True)]
    source = {"clicks": clicks, "trials": trials, "p": p, "f": f}
    short = sy.evaluate(source, label="clicks", trials="trials", score="p", metrics=specs)
    y, q, g = (list(column) for column in zip(*many, strict=True))
    long = sy.evaluate({"y": y, "p": q, "f": g}, label="y", score="p", metrics=specs)
    assert bits(short) == bits(long)


def test_keys_that_are_equal_are_one_value_in_any_form() -> None:
    states = [
        sy.state({"y": Y, "p": P, "f": np.array(f)}, label="y", score="p", metrics="field_ece(f)")
        for f in ([1, 1, 2, 2], [1.0, 1.0, 2.0, 2.0])
    ]
    one, other = sy.merge(*states), sy.merge(*reversed(states))
    assert one.dumps() == other.dumps()
    assert one.result().row("field_ece(f)").details["fields"] == 2


def test_states_read_differently_do_not_merge() -> None:
    plain = sy.state(label=Y, score=P, metrics="logloss")
    for how in ({"downsampled": 0.5}, {"clip": 1e-3}):
        with pytest.raises(sy.StateError, match=f"{next(iter(how))} is None in one"):
            plain.merge(sy.state(label=Y, score=P, metrics="logloss", **how))


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"downsampled": 0}, "downsampled=0 is out of range: give a number above 0 up to 1"),
        ({"downsampled": True}, "downsampled=True is out of range: give a number above 0 up to 1"),
        ({"clip": 0.5}, r"clip=0.5 is out of range: give a number from 2\*\*-53"),
        ({"clip": float("nan")}, r"clip=nan is out of range: give a number from 2\*\*-53"),
        ({"clip": "1e-3"}, r"clip='1e-3' is out of range: give a number from 2\*\*-53"),
    ],
)
def test_readings_out_of_range(given: dict[str, Any], message: str) -> None:
    with pytest.raises(sy.InputError, match=message):
        sy.logloss(Y, P, **given)


def test_scores_outside_0_to_1_are_no_matter_to_ranks() -> None:
    assert sy.auc([0, 1], [-3.0, 4.0]) == 1.0
    with pytest.raises(sy.InputError, match="y_score has 1 value outside 0 to 1"):
        sy.brier([0, 1], [-0.5, 0.5])


def test_the_count_is_of_all_rows_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    lines_ = "\n".join(f"{i % 2},{-5 + i % 7}" for i in range(700))
    path.write_text(f"y,logit\n{lines_}\n", encoding="utf-8")
    with pytest.raises(sy.InputError, match=r"logit has 500 values outside 0 to 1, the first at"):
        sy.evaluate(path, label="y", score="logit", metrics="copc")
    fine = sy.evaluate(path, label="y", score="1 / (1 + exp(-logit))", metrics="copc")
    assert fine["copc"] > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bid": [1, None, 2, 3]}, "bid has 1 missing value"),
        ({"bid": [1, 2, 3]}, "bid has 3 rows but y_true has 4"),
        ({"bid": "price"}, "bid cannot be read as an array"),
        ({"bid": [1, 2, float("inf"), 3]}, "bid has 1 infinite value"),
        ({}, "ecpm needs bid: write"),
        ({"kind": "realised"}, "ecpm needs revenue: write"),
        ({"kind": "gross", "bid": [1] * 4}, "ecpm takes kind as one of predicted, realised"),
    ],
)
def test_amounts_that_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(sy.SteelyardError, match=message):
        sy.ecpm(Y, P, **given)


def test_a_row_without_a_bid_is_dropped_and_counted() -> None:
    source = {"y": Y, "p": P, "b": [4, None, 16, 32]}
    (row,) = sy.evaluate(source, label="y", score="p", metrics="ecpm(b)", nan="drop")
    assert (row.value, row.dropped, row.n) == (1000 * (2 + 2 + 4) / 3, 1, 3)


def test_a_field_must_be_named() -> None:
    with pytest.raises(sy.SpecError, match="field_ece needs field"):
        sy.evaluate(label=Y, score=P, metrics="field_ece")
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'field'"):
        sy.field_ece(Y, P)


# --- the command line ----------------------------------------------------------------------------


def test_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    rows = [f"{y},{p},{f or ''},{2 * i}" for i, (y, p, f) in enumerate(zip(Y, P, F, strict=True))]
    path.write_text("\n".join(["y,p,f,bid", *rows]), encoding="utf-8")
    done = run(
        *("eval", str(path), "--label", "y", "--score", "p", "--format", "json"),
        *("-m", "logloss", "-m", "field_ece(f)", "-m", "ecpm(bid)"),
        *("--downsampled", "0.5", "--clip", "0.01"),
    )
    assert done.exit_code == 0, done.stderr
    result = sy.Result.from_json(done.stdout)
    assert result["logloss"] == sy.logloss(Y, P, downsampled=0.5, clip=0.01)
    assert result["field_ece(f)"] == sy.field_ece(Y, P, field=F, downsampled=0.5)
    assert result["ecpm(bid)"] == sy.ecpm(Y, P, bid=[0, 2, 4, 6], downsampled=0.5)
    assert (result.conventions.downsampled, result.conventions.clip) == (0.5, 0.01)
    assert run("eval", str(path), "--label", "y", "--score", "p", "--clip", "2").exit_code == 2
