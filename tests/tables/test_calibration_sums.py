"""Metrics of probabilities that are sums over rows: by hand, from the definitions, by their laws.

Ratios of exact sums are compared with `==` to the nearest float64 of a Fraction. Each row's loss is
within a unit and a half in the last place of the true one and the sum is exact, so log loss and NE
are within two units of relative size 2**-52; squares and products are within one and a half.
"""

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn import metrics as theirs

import steelyard
from steelyard.metrics.entropy import entropy
from steelyard.metrics.p_values import two_sided
from steelyard.model import Array, Reading
from steelyard.reading.batch import probabilities
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some rows hand over, as they should

UNIT = 2.0**-52
LAW = settings(max_examples=40)

# --- by hand -------------------------------------------------------------------------------------

Y, P = [1, 0, 0, 0], [0.5, 0.25, 0.125, 0.125]
F = ["a", "a", "b", None]
HALF = math.log(2)

# Why: what each row shows; 2 clicks in 4, say, are counted on fingers.
BY_HAND: list[tuple[str, dict[str, Any], float]] = [
    ("copc", {}, 1.0),  # one click, and the probabilities add up to one
    ("copc", {"sample_weight": [2, 1, 1, 1]}, 2 / 1.5),
    ("pcoc", {"sample_weight": [2, 1, 1, 1]}, 0.75),
    ("copc", {"sample_weight": [0, 1, 1, 1]}, 0.0),  # weight zero is absence
    ("brier", {}, (0.25 + 0.0625 + 2 * 0.015625) / 4),
    ("unc", {}, 3 / 16),
    ("unc", {"sample_weight": [3, 1, 1, 1]}, 0.25),
    ("field_ece", {"field": F}, (0.25 + 0.125 + 0.125) / 4),  # a: 1 - 0.75; the missing is a value
    ("field_ece", {"field": [1] * 4}, 0.0),  # too high and too low cancel in one value
    ("field_rce", {"field": F}, 0.25),  # of a alone: 2 rows, 0.25 of 1 click
    ("field_rce", {"field": F, "eps": 0.5}, (2 * 0.25 / 2 + 0.125 / 0.5 + 0.125 / 0.5) / 4),
    ("ecpm", {"bid": [4, 8, 16, 32]}, 1000 * (2 + 2 + 2 + 4) / 4),
    ("ecpm", {"bid": [4, 8, 16, 32], "kind": "realised"}, 1000.0),  # the click's own bid, over 4
    ("ecpm", {"revenue": [1, 0, 0, 2], "kind": "realised"}, 750.0),  # whoever it was that paid
    ("ecpm", {"bid": [9] * 4, "revenue": [1, 0, 0, 2], "kind": "realised"}, 750.0),
]


@pytest.mark.parametrize(("name", "given", "wanted"), BY_HAND)
def test_by_hand(name: str, given: dict[str, Any], wanted: float) -> None:
    assert getattr(sy, name)(Y, P, **given) == wanted


def test_losses_by_hand() -> None:
    assert sy.logloss([1, 0], [0.5, 0.5]) == HALF
    assert sy.ne([1, 0], [0.5, 0.5]) == 1.0  # the base rate for everything
    assert sy.rig([1, 0], [0.5, 0.5]) == 0.0
    assert sy.logloss([1], [0.25]) == 2 * HALF
    assert sy.logloss([1, 0], [1.0, 0.0]) == 0.0


def test_spiegelhalter_by_hand() -> None:
    """One row with p = ¼ that happened: (¾·½)/√(¼·¼·¾), which is √3."""
    (row,) = sy.evaluate(label=[1], score=[0.25], metrics="spiegelhalter")
    assert row.value == math.sqrt(3)
    assert row.details["p_value"] == pytest.approx(2 * norm.sf(math.sqrt(3)), rel=1e-13)


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


# --- from the definitions ------------------------------------------------------------------------

RANDOM = np.random.default_rng(8)
COUNT = 400
LABEL = (RANDOM.random(COUNT) < 0.2).astype(int)
SCORES: dict[str, Array] = {
    "float64": RANDOM.random(COUNT),
    "float32": RANDOM.random(COUNT).astype(np.float32),
    "small": 10.0 ** RANDOM.uniform(-18, 0, COUNT),
    "near 1": 1 - 10.0 ** RANDOM.uniform(-15, 0, COUNT),
}
WEIGHTS: dict[str, Array] = {
    "whole": RANDOM.integers(1, 5, COUNT),
    "float": RANDOM.random(COUNT) + 0.1,
    "uneven": 10.0 ** RANDOM.uniform(-100, 100, COUNT),
}
FIELD = RANDOM.choice(["DE", "US", "BR", "FR", "JP"], COUNT)
BID = RANDOM.random(COUNT) * 3

Row = tuple[int, Fraction, Fraction]


def rows_of(score: str, weight: str) -> list[Row]:
    pairs = zip(LABEL.tolist(), SCORES[score].tolist(), WEIGHTS[weight].tolist(), strict=True)
    return [(y, Fraction(p), Fraction(w)) for y, p, w in pairs]


def mean(rows: Sequence[Row], terms: Sequence[Fraction]) -> Fraction:
    above = sum((w * term for (_, _, w), term in zip(rows, terms, strict=True)), Fraction(0))
    return above / sum((w for _, _, w in rows), Fraction(0))


def decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def minus_log(p: Fraction) -> Fraction:
    with localcontext(prec=80):
        return Fraction(-decimal(p).ln())


def entropy_of(rows: Sequence[Row]) -> Fraction:
    base = mean(rows, [Fraction(y) for y, _, _ in rows])
    return base * minus_log(base) + (1 - base) * minus_log(1 - base)


each_score = pytest.mark.parametrize("score", SCORES)
each_weight = pytest.mark.parametrize("weight", WEIGHTS)


@each_score
@each_weight
def test_exact_ratios(score: str, weight: str) -> None:
    rows = rows_of(score, weight)
    given = {"sample_weight": WEIGHTS[weight]}
    clicks = mean(rows, [Fraction(y) for y, _, _ in rows])
    predicted = mean(rows, [p for _, p, _ in rows])
    assert sy.copc(LABEL, SCORES[score], **given) == float(clicks / predicted)
    assert sy.pcoc(LABEL, SCORES[score], **given) == float(predicted / clicks)
    assert sy.unc(LABEL, SCORES[score], **given) == float(clicks * (1 - clicks))
    paid = mean(rows, [Fraction(bid) for bid in BID.tolist()])
    found = sy.ecpm(LABEL, SCORES[score], revenue=BID, kind="realised", **given)
    assert found == float(1000 * paid)


@each_score
@each_weight
def test_losses(score: str, weight: str) -> None:
    rows = rows_of(score, weight)
    given = {"sample_weight": WEIGHTS[weight]}
    loss = mean(rows, [minus_log(p if y else 1 - p) for y, p, _ in rows])
    assert sy.logloss(LABEL, SCORES[score], **given) == pytest.approx(float(loss), rel=2 * UNIT)
    ne = loss / entropy_of(rows)
    assert sy.ne(LABEL, SCORES[score], **given) == pytest.approx(float(ne), rel=2 * UNIT)
    size = 2 * UNIT * float(1 + ne)
    assert sy.rig(LABEL, SCORES[score], **given) == pytest.approx(float(1 - ne), abs=size, rel=0)
    square = mean(rows, [(p - y) ** 2 for y, p, _ in rows])
    assert sy.brier(LABEL, SCORES[score], **given) == pytest.approx(float(square), rel=2 * UNIT)
    worth = mean(rows, [p * Fraction(b) for (_, p, _), b in zip(rows, BID.tolist(), strict=True)])
    found = sy.ecpm(LABEL, SCORES[score], bid=BID, **given)
    assert found == pytest.approx(float(1000 * worth), rel=2 * UNIT)


@each_score
@each_weight
def test_spiegelhalter(score: str, weight: str) -> None:
    rows = rows_of(score, weight)
    terms = [w * (y - p) * (1 - 2 * p) for y, p, w in rows]
    variance = sum((w * (1 - 2 * p) ** 2 * p * (1 - p) for y, p, w in rows), Fraction(0))
    with localcontext(prec=60):
        root = decimal(variance).sqrt()
        z = float(decimal(sum(terms, Fraction(0))) / root)
        size = float(decimal(sum(map(abs, terms), Fraction(0))) / root)
    found = sy.spiegelhalter(LABEL, SCORES[score], sample_weight=WEIGHTS[weight])
    assert found == pytest.approx(z, abs=4 * UNIT * size, rel=0)


@each_score
@each_weight
@pytest.mark.parametrize("eps", [None, 0.01])
def test_fields(score: str, weight: str, eps: float | None) -> None:
    rows = rows_of(score, weight)
    parts = [[r for r, f in zip(rows, FIELD, strict=True) if f == value] for value in set(FIELD)]
    sums = [
        (
            sum((w for _, _, w in part), Fraction(0)),
            sum((w * y for y, _, w in part), Fraction(0)),
            sum((w * p for _, p, w in part), Fraction(0)),
        )
        for part in parts
    ]
    all_ = sum((w for w, _, _ in sums), Fraction(0))
    given = {"field": FIELD, "sample_weight": WEIGHTS[weight]}
    ece = sum((abs(clicks - predicted) for _, clicks, predicted in sums), Fraction(0)) / all_
    assert sy.field_ece(LABEL, SCORES[score], **given) == float(ece)
    more = Fraction(0) if eps is None else Fraction(repr(eps))
    rce = sum((w * abs(c - p) / (c + more * w) for w, c, p in sums), Fraction(0)) / all_
    assert sy.field_rce(LABEL, SCORES[score], eps=eps, **given) == float(rce)


def test_a_small_probability_of_what_did_not_happen_costs_what_it_says() -> None:
    """1 − 1e-17 is 1 in float64, and its logarithm 0."""
    assert sy.logloss([0], [1e-17]) == 1e-17
    assert sy.logloss([0], [1e-320]) == 1e-320


@pytest.mark.parametrize("powers", [(0, 0), (-60, 0), (0, -60), (-1000, 900), (5, -1074)])
def test_the_entropy_of_uneven_classes(powers: tuple[int, int]) -> None:
    least = min(powers)  # weights are whole multiples of one unit
    up, down = 3 << (powers[0] - least), 5 << (powers[1] - least)
    base = Fraction(up, up + down)
    with localcontext(prec=900):
        true = -decimal(base) * decimal(base).ln()
        true -= decimal(1 - base) * decimal(1 - base).ln()
        found = entropy(up, down)
        assert abs(decimal(found) / true - 1) < Decimal("1e-40")


@pytest.mark.parametrize("z", [0.0, 1e-9, 0.5, -1.0, 1.96, 4.999, 5.0, 5.001, 9.0, 37.0])
def test_the_normal_tail(z: float) -> None:
    """SciPy's own relative error grows with z."""
    assert two_sided(z) == pytest.approx(2 * norm.sf(abs(z)), rel=1e-12)


@pytest.mark.parametrize(
    ("z", "wanted"),
    [
        (5.0, 5.733031437583878e-07),  # R: 2 * pnorm(-5)
        (1e300, 0.0),
        (-1e300, 0.0),
    ],
)
def test_the_ends_of_the_normal_tail(z: float, wanted: float) -> None:
    assert two_sided(z) == wanted


# --- other tools ---------------------------------------------------------------------------------


@each_score
@each_weight
def test_scikit_learn(score: str, weight: str) -> None:
    """Its float32 is rounded at every step."""
    p, w = SCORES[score], WEIGHTS[weight]
    bound = 1e-5 if score == "float32" else 1e-12
    result = sy.evaluate(
        label=LABEL, score=p, weight=w, metrics=["log_loss", "brier_score"], preset="sklearn"
    )
    loss = theirs.log_loss(LABEL, p, sample_weight=w)
    assert result["logloss"] == pytest.approx(loss, rel=bound)
    square = theirs.brier_score_loss(LABEL, p, sample_weight=w)
    assert result["brier"] == pytest.approx(square, rel=bound)


@pytest.mark.parametrize("type_", ["float64", "float32"])
def test_scikit_learn_clips_at_the_epsilon_of_the_type(type_: str) -> None:
    y, p = [1, 0, 1, 0], np.array([0.0, 1.0, 1.0, 0.25], type_)
    result = sy.evaluate(label=y, score=p, metrics="logloss", preset="sklearn")
    bound = 1e-12 if type_ == "float64" else 1e-5
    assert result["logloss"] == pytest.approx(theirs.log_loss(y, p), rel=bound)
    cut = sy.evaluate(label=y, score=p, metrics="logloss", preset="sklearn", clip=1e-3)
    assert cut["logloss"] == sy.logloss(y, p, clip=1e-3)  # what is said wins


def test_the_words_of_scikit_learn() -> None:
    assert sy.log_loss(y_true=Y, y_proba=P) == sy.logloss(Y, P)
    assert sy.brier_score(Y, y_proba=P) == sy.brier(Y, y_score=P)
    with pytest.raises(TypeError, match="got both 'y_score' and 'y_proba'"):
        sy.copc(Y, P, y_proba=P)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'y_score'"):
        sy.copc(Y)
    with pytest.raises(TypeError, match="unexpected keyword argument 'y_proba'"):
        sy.auc(Y, y_proba=P)


# --- no value ------------------------------------------------------------------------------------

INFINITE = "the loss is infinite: {} a probability of 0 for what happened; pass clip=1e-15"
WHY: list[tuple[str, list[int], list[float], dict[str, Any], str]] = [
    ("copc", [1, 0], [0.0, 0.0], {}, "no click is predicted: every probability is 0"),
    ("pcoc", [0, 0], [0.5, 0.5], {}, "there are no positives"),
    ("ne", [0, 0], [0.5, 0.5], {}, "there are no positives"),
    ("rig", [1, 1], [0.5, 0.5], {}, "there are no negatives"),
    ("logloss", [1, 0], [0.0, 0.5], {}, INFINITE.format("1 row has")),
    ("logloss", [1, 0, 0], [0.0, 1.0, 0.1], {}, INFINITE.format("2 rows have")),
    ("ne", [1, 0], [0.5, 1.0], {}, INFINITE.format("1 row has")),
    ("spiegelhalter", [1, 0], [0.5, 1.0], {}, "every probability is 0, ½ or 1"),
    ("field_rce", [0, 0], [0.5, 0.1], {"field": [1, 2]}, "there are no positives"),
]
NAMES = ("copc", "pcoc", "logloss", "ne", "rig", "brier", "unc", "spiegelhalter")


@pytest.mark.parametrize(("name", "y", "p", "given", "why"), WHY)
def test_no_value(name: str, y: list[int], p: list[float], given: dict[str, Any], why: str) -> None:
    with pytest.warns(sy.UndefinedWarning) as caught:
        assert math.isnan(getattr(sy, name)(y, p, **given))
    assert f" has no value: {why}" in str(caught[0].message)


@pytest.mark.parametrize("name", NAMES)
def test_no_rows(name: str) -> None:
    with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
        assert math.isnan(getattr(sy, name)([1, 0], [0.5, 0.5], sample_weight=[0, 0]))


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


# --- laws ----------------------------------------------------------------------------------------

chances = st.one_of(st.sampled_from([0.25, 0.5, 1e-17, 1 - 2.0**-53]), st.floats(1e-300, 0.9999))
small = st.one_of(st.sampled_from([0.1, 0.25, 1.5, 3e-7]), st.floats(1e-12, 1e12))
keys = st.sampled_from(["x", "y", None])
bids = st.floats(0, 1e6)
Line = tuple[int, float, float, str | None, float]
lines = st.lists(st.tuples(st.integers(0, 1), chances, small, keys, bids), min_size=1, max_size=25)
counted = st.lists(
    st.tuples(st.integers(0, 1), chances, st.integers(0, 4), keys, bids), min_size=1, max_size=25
)
SPECS = (
    *NAMES,
    *("field_ece(f)", "field_rce(f)", "field_rce(f, eps=0.01)"),
    *("ecpm(b)", "ecpm(b, kind=realised)", "ecpm(kind=realised, revenue=b)"),
)


def tally(rows: Sequence[Line], **given: Any) -> Any:
    columns = zip(*rows, strict=True)
    y, p, w, f, b = (list(column) for column in columns)
    source = {"y": y, "p": np.array(p), "w": np.array(w), "f": f, "b": np.array(b)}
    return sy.state(source, label="y", score="p", weight="w", metrics=SPECS, **given)


def bits(result: Any) -> list[str]:
    return [repr((row.metric, row.slice, row.value, row.why, row.details)) for row in result]


@LAW
@given(lines, st.randoms(), st.integers(0, 25))
def test_order_split_and_merge_give_the_same_bytes(rows: list[Line], dice: Any, cut: int) -> None:
    whole = tally(rows, by="f", downsampled=0.3)
    shuffled = list(rows)
    dice.shuffle(shuffled)
    assert tally(shuffled, by="f", downsampled=0.3).dumps() == whole.dumps()
    parts = [part for part in (shuffled[:cut], shuffled[cut:]) if part]
    merged = sy.merge(*(tally(part, by="f", downsampled=0.3) for part in reversed(parts)))
    assert merged.dumps() == whole.dumps()
    assert sy.Tally.loads(merged.dumps()).result() == whole.result()


@LAW
@given(counted)
def test_integer_weight_is_that_many_copies(rows: list[Line]) -> None:
    copies = [(y, p, 1, f, b) for y, p, times, f, b in rows for _ in range(int(times))]
    if copies:
        assert bits(tally(rows).result()) == bits(tally(copies).result())


@LAW
@given(lines)
def test_a_slice_is_what_its_rows_alone_would_be(rows: list[Line]) -> None:
    sliced = tally(rows, by="f").result()
    for key in {f for _, _, _, f, _ in rows}:
        alone = tally([row for row in rows if row[3] == key]).result()
        for spec in SPECS:
            mine, other = sliced.row(spec, slice={"f": key}), alone.row(spec)
            assert (mine.value, mine.why) == (other.value, other.why), spec


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


def test_keys_that_are_equal_are_one_value_however_they_are_spelled() -> None:
    tallies = [
        sy.state({"y": Y, "p": P, "f": np.array(f)}, label="y", score="p", metrics="field_ece(f)")
        for f in ([1, 1, 2, 2], [1.0, 1.0, 2.0, 2.0])
    ]
    one, other = sy.merge(*tallies), sy.merge(*reversed(tallies))
    assert one.dumps() == other.dumps()
    assert one.result().row("field_ece(f)").details["fields"] == 2


def test_tallies_read_differently_do_not_merge() -> None:
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
