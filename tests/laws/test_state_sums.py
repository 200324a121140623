"""States against literal sums: what they hold is what Python's fractions add up to."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import catalogue
from steelyard.model import Detailed, Undefined
from steelyard.views.totals import totals
from tests.laws.state_rows import CHANCES, Entry, any_rows, field_of, state_of, sums_of, total
from tests.tables.harness import from_state


@given(any_rows)
def test_cells_add_weights(entries: list[Entry]) -> None:
    called = [e for e in entries if e.score >= 0.25]
    chosen = {
        "weight": entries,
        "weighted_positives": [e for e in entries if e.positive],
        "called 0.25": called,
        "hit 0.25": [e for e in called if e.positive],
    }
    expected = {term: sum(Fraction(e.weight) for e in some) for term, some in chosen.items()}
    assert sums_of(state_of("cells", entries)) == expected


@given(any_rows)
def test_sample_adds_rows_weights_and_scores(entries: list[Entry]) -> None:
    positives = [e for e in entries if e.positive]
    assert sums_of(state_of("sample", entries)) == {
        "rows": len(entries),
        "positives": len(positives),
        "dropped": 0,
        "weight": sum(Fraction(e.weight) for e in entries),
        "weighted_positives": sum(Fraction(e.weight) for e in positives),
        "prediction_sum": sum(Fraction(e.score) for e in entries),
        "weighted_prediction_sum": sum(Fraction(e.score) * Fraction(e.weight) for e in entries),
    }


@given(any_rows)
def test_sums_of_a_field_are_those_of_its_rows(entries: list[Entry]) -> None:
    state = state_of("fields", entries)
    table = state.table(0)
    _, of_key = table.line_keys()
    found = {
        state.key_names.keys[key][0]: {
            term: total({power: digit[line : line + 1] for power, digit in levels.items()})
            for term, levels in table.columns.items()
        }
        for line, key in enumerate(of_key.tolist())
    }
    expected: dict[Any, dict[str, Fraction]] = {}
    for entry in entries:
        sums = expected.setdefault(
            field_of(entry.score),
            dict.fromkeys(("expected", "weight", "weighted_positives"), Fraction()),
        )
        sums["weight"] += Fraction(entry.weight)
        sums["expected"] += Fraction(CHANCES[entry.score]) * Fraction(entry.weight)
        sums["weighted_positives"] += entry.positive * Fraction(entry.weight)
    assert found == expected


def literal_auc(entries: Sequence[Entry]) -> float | None:
    """The weight of pairs in the right order, ties half, over the weight of all pairs."""
    area, pairs = Fraction(0), Fraction(0)
    for up in (entry for entry in entries if entry.positive):
        for down in (entry for entry in entries if not entry.positive):
            pair = Fraction(up.weight) * Fraction(down.weight)
            pairs += pair
            area += pair * Fraction((up.score > down.score) + (up.score >= down.score), 2)
    return float(area / pairs) if pairs else None


@given(any_rows, st.integers(1, 4))
def test_the_area_is_that_of_all_pairs_in_ranges_of_any_size(
    entries: list[Entry], rows: int
) -> None:
    value = from_state(catalogue.resolve("auc"), state_of("score_table", entries), rows)
    expected = literal_auc(entries)
    if isinstance(value, Detailed):
        value = value.value
    assert isinstance(value, Undefined) if expected is None else value == expected


@given(any_rows)
def test_totals_are_the_weights(entries: list[Entry]) -> None:
    table = state_of("score_table", entries).sorted()
    found = totals(table).at(0)
    for count, side in ((found.positives, True), (found.negatives, False)):
        weights = [Fraction(entry.weight) for entry in entries if entry.positive == side]
        assert count * Fraction(2) ** table.unit == sum(weights)
