"""The seeds' groups and lists: worked numbers, and the articles' own code as an oracle.

Their code is not part of this repository: STEELYARD_SHARED names the folder that holds `seeds`.
"""

import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from tests.paths import SHARED

ARTICLE = "000_f819256a389f182d.txt"

# 001: six rows retrieved, a seventh and eighth of grades 3 and 0 that were not.
GRADES = [3, 2, 3, 0, 1, 2, 3, 0]
SCORES = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0, float("nan"), float("nan")]


@pytest.mark.parametrize(
    ("gain", "dcg", "ideal", "ndcg"),
    [
        ("linear", 6.8611266886, 8.3840551784, 0.8183541905),
        ("exp2", 13.8482636293, 17.7253035580, 0.7812708868),
    ],
)
def test_ndcg_example(gain: str, dcg: float, ideal: float, ndcg: float) -> None:
    """001 prints 81.96 %, of terms that were rounded to two digits: exactly it is 81.835 %."""
    given: dict[str, Any] = {"k": 6, "gain": gain, "unscored": "not_retrieved"}
    assert round(sy.dcg(GRADES, SCORES, **given), 10) == dcg
    assert round(sy.ndcg(GRADES, SCORES, **given), 10) == ndcg
    best = sorted(GRADES, reverse=True)
    assert round(sy.dcg(best, best, k=6, gain=gain), 10) == ideal


def test_cumulated_gain() -> None:
    """001: 3+2+3+0+1+2, wherever the rows stand."""
    assert sy.cg(GRADES[:6], SCORES[:6], k=6) == 11
    assert sy.cg(GRADES[:6], SCORES[:6][::-1]) == 11


def test_ideal_is_cut_at_k() -> None:
    """000 leaves the @k out of IDCG: then the best list of one row would not reach 1."""
    assert sy.ndcg([1, 1, 1], [3, 2, 1], k=1) == 1.0


def test_two_grades_have_one_gain() -> None:
    label, score = [1, 0, 1, 1, 0], [0.3, 0.9, 0.8, 0.1, 0.5]
    assert sy.ndcg(label, score) == sy.ndcg(label, score, gain="exp2")


def test_pooled_recall_is_not_the_hit_rate() -> None:
    """001 leaves "hit recall rate" open: 2 of 4 relevant rows are found, in 1 of 2 groups."""
    user, label, score = [1, 1, 1, 2, 2], [1, 1, 1, 0, 1], [5, 4, 3, 2, 1]
    assert sy.recall_at_k(label, score, group=user, k=1, average="micro") == 1 / 4
    assert sy.hit_rate(label, score, group=user, k=1) == 1 / 2
    assert sy.recall_at_k(label, score, group=user, k=1) == (1 / 3) / 2


# --- their code ----------------------------------------------------------------------------------


@cache
def code(name: str) -> Callable[..., Any]:
    """The function of that name in the article."""
    path = SHARED / "seeds" / ARTICLE
    if not path.exists():
        pytest.skip(
            f"NO SEEDS: {ARTICLE} is not in {path.parent}, so that its code was not run; "
            "set STEELYARD_SHARED to the folder that holds seeds"
        )
    programs = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    (program,) = (text for text in programs if f"def {name}(" in text)
    names: dict[str, Any] = {}
    exec(program, names)
    found: Callable[..., Any] = names[name]
    return found


@pytest.mark.parametrize("seed", range(20))
def test_average_precision_of_the_seeds(seed: int) -> None:
    """A ranked list and the items that are right, some of them not in the list."""
    dice = Random(seed)
    ranked = dice.sample(range(40), 15)
    truth = set(dice.sample(range(40), 8))
    missed = truth - set(ranked)
    label = [*(int(item in truth) for item in ranked), *(1 for _ in missed)]
    score = [*(-float(place) for place in range(15)), *(float("nan") for _ in missed)]
    value = sy.map(label, score, unscored="not_retrieved")
    assert value == pytest.approx(code("AP")(ranked, truth), rel=1e-15, abs=0)


def test_map_is_the_mean_of_the_seeds_ap() -> None:
    """Over users; 000's denominator lacks its bars, and is their number."""
    dice = Random(1)
    users = {user: [int(dice.random() < 0.4) for _ in range(9)] + [1] for user in range(7)}
    values = [code("AP")(range(10), {i for i, y in enumerate(ys) if y}) for ys in users.values()]
    rows = [(user, y, -place) for user, ys in users.items() for place, y in enumerate(ys)]
    dice.shuffle(rows)
    user, label, score = zip(*rows, strict=True)
    assert sy.map(label, score, group=user) == pytest.approx(sum(values) / 7, rel=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_gauc_of_the_seeds(seed: int) -> None:
    """Weighted by rows, users of one class left out; theirs is rounded to four digits."""
    rng = np.random.default_rng(seed)
    user = rng.integers(0, 60, 500)
    label = rng.integers(0, 2, 500)
    score = rng.integers(0, 9, 500) / 9
    expected = code("cal_group_auc")(label.tolist(), score.tolist(), user.tolist())
    assert round(sy.gauc(label, score, group=user), 4) == expected
