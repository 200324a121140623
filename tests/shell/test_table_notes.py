"""Tables at 80 characters, and the notes below them."""

from typing import Any

import pytest

import steelyard
from steelyard.report import text as text_table

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
CLICKS: dict[str, Any] = {
    "y": [1, 0, 1, 0, 1, 0, 1, 1] * 4,
    "old": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] * 4,
    "new": [0.9, 0.2, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] * 4,
    "user": [1, 1, 2, 2, 3, 3, 4, 4] * 4,  # user 4 never skips: 3 of 4 users have both classes
    "country": ["a country with a long name", "DE", "US", "FR"] * 8,
    "nothing": [0.0] * 32,
}
TWO_MODELS: dict[str, Any] = {"label": "y", "score": ["old", "new"], "group": "user"}


def at_80(result: Any) -> list[str]:
    """The blocks of text that a terminal of 80 characters shows: tables, their parts, notes."""
    return text_table.render(result.rows, result.conventions, width=80).split("\n\n")


def test_notes_name_their_score_where_scores_differ() -> None:
    result = sy.evaluate(CLICKS, **TWO_MODELS, metrics=["gauc", "ndcg", "hosmer_lemeshow"])
    notes = at_80(result)[-1].splitlines()
    assert "gauc: 3 of 4 groups, 24 of 32 rows" in notes  # once, for both
    own = [note for note in notes if note.startswith("hosmer_lemeshow")]
    assert [note.partition(":")[0] for note in own] == [
        "hosmer_lemeshow (old)",
        "hosmer_lemeshow (new)",
    ]


def test_two_scores_are_one_table_at_80_characters() -> None:
    table, notes = at_80(sy.evaluate(CLICKS, **TWO_MODELS))  # nine metrics and the groups
    head, _, rows, *_ = table.splitlines()
    assert head.split() == ["score", "old", "new"]
    assert rows.split() == ["rows", "32", "32"]
    assert "shown with" not in notes  # no digit is lost


def test_slices_with_groups_are_one_table_at_80_characters() -> None:
    metrics = ["auc", "gauc", "ndcg", "logloss"]
    total, slices, notes = at_80(sy.evaluate(CLICKS, **TWO_MODELS, metrics=metrics, by="country"))
    assert total.splitlines()[0].split()[-4:] == metrics
    assert max(map(len, [*total.splitlines(), *slices.splitlines()])) <= 80
    assert "shown with 5 decimals and without the groups of slices to fit; JSON has all" in notes


def test_parts_of_a_table_repeat_the_keys_and_none_has_one_column() -> None:
    blocks = at_80(sy.evaluate(CLICKS, **TWO_MODELS, by="country"))
    heads = [block.splitlines()[0].split() for block in blocks[:-1:2]]
    assert all(head[:2] == ["country", "score"] and len(head) > 3 for head in heads)
    assert [name for head in heads for name in head[2:]] == (
        [
            "rows",
            "positives",
            "auc",
            "ap",
            "ks",
            "best_f1",
            "accuracy",
            "precision",
            "recall",
            "f1",
            "gauc",
            "groups",
        ]
    )


def test_a_small_p_value_is_not_shown_as_zero() -> None:
    y, sure = [0] * 4000, [0.9] * 4000  # a chi-square of 36,000: p is below 1e-7000
    shown = str(sy.evaluate(label=y, score=sure, metrics=["hosmer_lemeshow", "spiegelhalter"]))
    assert shown.count("p < 1e-323") == 2
    assert "0.000000" not in shown


def test_weights_of_zero_are_named_as_the_reason() -> None:
    metrics = ["auc", "ap", "copc", "precision", "recall", "mcc"]
    zero: dict[str, Any] = {"label": "y", "score": "old", "weight": "nothing", "metrics": metrics}
    result = sy.evaluate(CLICKS, **zero, by="country")
    assert {row.why for row in result} == {"there are no rows with a weight above 0"}
    none = sy.evaluate(CLICKS, **zero, where="y = 5")  # the same words, true of no rows too
    assert {row.why for row in none} == {"there are no rows with a weight above 0"}
    with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
        sy.precision([0, 1], [0.1, 0.2], sample_weight=[0, 0])
    with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
        sy.auc([0, 1], [0.1, 0.2], sample_weight=[0, 0])
    with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
        sy.auc([], [])
