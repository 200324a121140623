"""States: merged, saved and loaded, they give the numbers of all their rows."""

import inspect
from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import errors
from steelyard.evaluation.saved_state import State
from steelyard.metrics import record
from steelyard.sources.duck.connection import write_parquet
from steelyard.states import KeyedState, Sums
from tests.laws.sliced_rows import together

ROLES: dict[str, Any] = {
    "label": "y",
    "score": {"s": "s", "t": "w"},
    "weight": "w",
    "by": ["set", ("set", "y")],
    "metrics": ["auc", "ap", "best_threshold(f1)", "precision(0.3)", "prevalence"],
}


def thirds() -> list[dict[str, Any]]:
    columns = together()
    return [{name: values[start::3] for name, values in columns.items()} for start in range(3)]


def test_merged_in_any_order_the_result_is_that_of_all_rows() -> None:
    whole = sy.state(together(), **ROLES)
    parts = [sy.state(third, **ROLES) for third in thirds()]
    data = whole.dumps()
    for order in permutations(parts):
        assert sy.merge(*order).dumps() == data
    assert sy.merge(*parts).result().rows == whole.result().rows


def test_saved_states_load_as_they_were(tmp_path: Path) -> None:
    parts = [sy.state(third, **ROLES) for third in thirds()]
    for place, part in enumerate(parts):
        part.save(tmp_path / f"{place}.sy")
    loaded = [sy.load(tmp_path / f"{place}.sy") for place in range(3)]
    assert loaded == parts
    assert sy.merge(*loaded) == sy.merge(*parts)


def test_an_empty_state_is_the_identity() -> None:
    columns = together()
    none = sy.state({name: values[:0] for name, values in columns.items()}, **ROLES)
    whole = sy.state(columns, **ROLES)
    assert sy.merge(none, whole, none) == whole
    assert State.loads(none.dumps()) == none


def test_equal_keys_of_other_types_and_sources_merge_in_any_order(tmp_path: Path) -> None:
    parts = []
    for place, keys in enumerate(([1, 2], [1.0, 2.5], [True, False])):
        columns = {"y": np.array([0, 1]), "s": np.array([0.1, 0.2]), "k": np.array(keys)}
        write_parquet(tmp_path / f"{place}.parquet", columns)
        source = str(tmp_path / f"{place}.parquet")
        parts.append(sy.state(source, label="y", score="s", by="k", metrics="auc"))
    merged = {sy.merge(*order).dumps() for order in permutations(parts)}
    merged |= {sy.merge(a, sy.merge(b, c)).dumps() for a, b, c in permutations(parts)}
    assert len(merged) == 1
    rows = State.loads(merged.pop()).result().rows
    assert [repr(row.slice["k"]) for row in rows if row.slice] == ["False", "1", "2", "2.5"]
    twice = sy.merge(parts[0], sy.merge(parts[0], parts[1]))
    assert sy.merge(sy.merge(parts[0], parts[0]), parts[1]) == twice


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"metrics": ["auc"]}, "metrics"),
        ({"by": ["set"]}, "by"),
        ({"nan": "drop"}, "nan"),
        ({"score": {"s": "s"}}, "scores"),
        ({"preset": "sklearn"}, "preset"),
    ],
)
def test_unlike_states_do_not_merge(other: dict[str, Any], field: str) -> None:
    columns = {name: values[:20] for name, values in together().items()}
    left, right = sy.state(columns, **ROLES), sy.state(columns, **{**ROLES, **other})
    with pytest.raises(sy.StateError, match=f"{field} is"):
        sy.merge(left, right)


def test_damage_is_a_state_error() -> None:
    data = bytearray(sy.state(together(), **ROLES).dumps())
    random = np.random.default_rng(3)
    for place in random.choice(len(data), 60, replace=False):
        damaged = bytes(data[:place]) + bytes([data[place] ^ 0x41]) + bytes(data[place + 1 :])
        with pytest.raises(sy.StateError):
            State.loads(damaged)
        with pytest.raises(sy.StateError):
            State.loads(bytes(data[:place]))


def test_another_state_is_no_state() -> None:
    with pytest.raises(sy.StateError, match="of kind 'sums', not 'state'"):
        State.loads(Sums(("rows",)).dumps())


def test_evaluate_and_state_take_the_same_arguments() -> None:
    mine, theirs = inspect.signature(sy.evaluate), inspect.signature(sy.state)
    assert mine.parameters == theirs.parameters


def test_the_repr_is_one_line() -> None:
    state = sy.state(label=[0, 1], score=[0.1, 0.2], metrics=["auc", "ks"])
    assert repr(state) == "<state of 2 rows for auc, ks: result() gives the numbers>"


def test_nothing_to_merge() -> None:
    with pytest.raises(errors.StateError, match="nothing to merge"):
        sy.merge()


def test_clusters_that_vary_within_groups_are_refused_at_once() -> None:
    """A state that could give no result is not made; those whose clusters do not vary are."""
    log = {"y": [0, 1, 0, 1], "s": [0.1, 0.2, 0.4, 0.3], "g": [1, 1, 2, 2], "c": [1, 2, 3, 3]}
    roles: dict[str, Any] = {"label": "y", "score": "s", "group": "g"}
    for metric in ("gauc", "ndcg@2"):
        with pytest.raises(sy.InputError, match="1 group has rows of several clusters"):
            sy.state(log, **roles, cluster="c", metrics=metric)
        sy.state(log, **roles, cluster="g", metrics=metric).result()
    sy.state(log, **roles, cluster="c", metrics="auc").result()


@pytest.mark.parametrize(
    "roles",
    [
        {"score": "s", "metrics": "auc", "by": "k"},
        {"score": "s", "metrics": "gauc", "group": "k", "cluster": "k"},
        {"prediction": "s", "metrics": "spearman", "by": "k"},
        {"score": ["s", "k"], "classes": [0, 1], "metrics": "auc", "by": "s"},
    ],
)
def test_merging_one_by_one_moves_each_row_once(
    roles: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows that a merge has already are kept as they are, not numbered again."""
    moved = 0

    def counted(codes: Any) -> Any:
        nonlocal moved
        moved += len(codes)
        return codes

    class Counted(np.ndarray[Any, Any]):
        def take(self, indices: Any, *more: Any, **options: Any) -> Any:
            return np.asarray(self).take(counted(indices), *more, **options)

    own = KeyedState.add

    def add(self: KeyedState, other: KeyedState, numbers: Sequence[Any]) -> None:
        own(self, other, [each.view(Counted) for each in numbers])

    monkeypatch.setattr(KeyedState, "add", add)
    states = [
        sy.state({"y": [0, 1], "s": [0.25, 0.75], "k": [number] * 2}, label="y", **roles)
        for number in range(30)
    ]
    merged = reduce(sy.merge, states)
    assert moved <= 4 * 60
    assert merged.dumps() == sy.merge(*states).dumps()


def test_the_work_for_many_metrics_grows_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each metric of 400 reads terms of its own: they are sorted once, not after each metric."""
    sizes = []

    def counted(values: Any) -> list[Any]:
        sizes.append(len(values))
        return sorted(values)

    monkeypatch.setattr(record, "sorted", counted, raising=False)
    many = [f"precision({place / 512})" for place in range(1, 401)]
    found = sy.evaluate(label=[0, 1], score=[0.25, 0.75], metrics=many)
    assert len(found) == 400
    assert sum(sizes) < 20 * 400


def test_a_score_table_does_not_change_with_the_arrays_it_was_made_of() -> None:
    columns = {name: np.array(values) for name, values in together().items()}
    roles = {**ROLES, "metrics": ["auc"]}
    before = sy.state(columns, **roles).dumps()
    state = sy.state(columns, **roles)
    for column in columns.values():
        column[:] = column[0]
    assert state.dumps() == before


def test_a_file_that_is_no_state_is_named(tmp_path: Path) -> None:
    path = tmp_path / "junk.sy"
    path.write_text("junk")
    with pytest.raises(
        sy.StateError, match=r"junk\.sy' cannot be loaded: these bytes are not a st"
    ):
        sy.load(path)
