"""Kernels of groups against literal oracles: pairs of rows one by one, Python's dictionaries."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard
from steelyard import kernels
from steelyard.kernels.interface import GroupedRows, Texts
from steelyard.kernels.interface.groups import GroupKernels
from steelyard.kernels.interface.lists import ListKernels
from steelyard.kernels.numpy import words as words_of
from steelyard.model import Array
from tests.laws.kernel_numbers import digits_of, each_kernel

sy: Any = steelyard

NUMBERS = [0.0, -0.0, 5e-324, -5e-324, 0.5, np.nextafter(0.5, 1), 0.25, -1.0, 1e300, -1e300]
WEIGHTS: dict[str, tuple[Any, list[Any]]] = {
    "none": (None, []),
    "whole": (np.dtype(np.int64), [0, 1, 2, 7, 2**40]),
    "large whole": (np.dtype(np.uint64), [1, 2, 2**63 + 3]),
    "float32": (np.dtype(np.float32), [0.1, 1.0, 3.5, 2.0**-149]),
    "subnormal": (np.dtype(np.float64), [2.0**-1074, 1.0]),
    "far apart": (np.dtype(np.float64), [2.0**-1074, 2.0**1000]),
    "of one size": (np.dtype(np.float64), [0.1, 0.3, 1e-3, 0.0]),
}


@st.composite
def group_rows(draw: st.DrawFn) -> tuple[GroupedRows, Array]:
    """Some rows, and a count for each."""
    many = draw(st.integers(0, 25))

    def column(*values: Any) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=many, max_size=many))

    codes = np.unique(np.array(column(*range(6)), np.int64), return_inverse=True)[1]
    scores = np.array(column(*NUMBERS))
    if draw(st.booleans()):
        with np.errstate(over="ignore"):
            scores = np.clip(scores, -3e38, 3e38).astype(np.float32)
    grades = np.array(column(0, 1), np.uint8)
    slices = tuple(np.array(column(0, 1, 300), np.int64) for _ in range(draw(st.integers(0, 2))))
    codes = np.sort(codes) if draw(st.booleans()) else codes
    size = int(codes.max(initial=-1)) + 1
    rows = GroupedRows(codes.astype(np.uint32), size, scores, grades, slices)
    return rows, np.array(column(1, 2, 2**33), np.int64)


def weighted(draw: Any, kind: str, count: int) -> tuple[Any, int, list[Fraction]]:
    """A column of weights, its unit, and the weights as whole multiples of it."""
    dtype, values = WEIGHTS[kind]
    if dtype is None:
        return None, 0, [Fraction(1)] * count
    chosen = np.array([draw(st.sampled_from(values)) for _ in range(count)], dtype)
    unit = kernels.active().lowest_bit(chosen)
    exact = [Fraction(each.item()) / Fraction(2) ** unit for each in chosen]
    assert all(each.denominator == 1 for each in exact)
    return chosen, unit, exact


def areas_of(
    rows: GroupedRows, by: Array | None, weights: list[Fraction], counts: list[int]
) -> dict[tuple[int, int], list[int]]:
    """By slice and group: rows, positive rows, weights of both classes, the doubled area."""
    found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * 5)
    members = defaultdict(list)
    for i in range(len(rows.codes)):
        members[0 if by is None else int(by[i]), int(rows.codes[i])].append(i)
    for key, own in members.items():
        for i in own:
            positive = bool(rows.grades[i])
            found[key][0] += counts[i]
            found[key][1] += counts[i] * positive
            found[key][2 if positive else 3] += int(weights[i])
            for j in own:
                if positive and not rows.grades[j]:
                    points = 2 * (rows.scores[i] > rows.scores[j])
                    points += rows.scores[i] == rows.scores[j]
                    found[key][4] += int(points) * int(weights[i]) * int(weights[j])
    return found


@each_kernel
@given(data=st.data(), some=group_rows(), kind=st.sampled_from(sorted(WEIGHTS)))
def test_areas_are_those_of_all_pairs(
    kernel: GroupKernels, data: st.DataObject, some: tuple[GroupedRows, Array], kind: str
) -> None:
    rows, counts = some
    column, unit, exact = weighted(data.draw, kind, len(counts))
    counted = data.draw(st.booleans())
    forms = [column]
    if column is not None:
        forms.append(digits_of([int(each) for each in exact]))
    for weights in forms:
        found = kernel.group_areas(rows, weights, unit, counts if counted else None)
        assert len(found) == 1 + len(rows.slices)
        for table, by in zip(found, (None, *rows.slices), strict=True):
            each = counts.tolist() if counted else [1] * len(counts)
            wanted = areas_of(rows, by, exact, each)
            slices = [0] * len(table.groups) if table.slices is None else table.slices.tolist()
            keys = list(zip(slices, table.groups.tolist(), strict=True))
            assert keys == sorted(wanted)
            for place, numbers in enumerate(table[2:]):
                assert numbers.tolist() == [wanted[key][place] for key in keys]
                assert numbers.dtype == narrowest(numbers.tolist())


def narrowest(numbers: list[int]) -> Any:
    if sum(numbers) < 2**32:
        return np.uint32
    return np.int64 if max(numbers) < 2**62 else object


LETTERS = st.text(st.sampled_from("ab\0é"), max_size=20)
KEYS: dict[str, st.SearchStrategy[Any]] = {
    "int64": st.sampled_from([0, 1, -1, 2**62, -(2**63), 2**63 - 1]),
    "uint64": st.sampled_from([0, 1, 2**63, 2**64 - 1]),
    "int8": st.integers(-128, 127),
    "text": st.one_of(LETTERS, LETTERS.map(lambda text: "x" * 8 + text)),
    "U20": st.one_of(LETTERS, st.just("\U0001f600é")).map(lambda text: text.rstrip("\0")),
}


@each_kernel
@given(data=st.data(), kinds=st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=3))
def test_equal_keys_have_one_number(
    kernel: GroupKernels, data: st.DataObject, kinds: list[str]
) -> None:
    many = data.draw(st.integers(0, 150))
    values: list[list[Any]] = []
    columns = []
    for kind in kinds:
        some = data.draw(st.lists(KEYS[kind], min_size=1, max_size=9))
        places = data.draw(st.lists(st.integers(0, len(some) - 1), min_size=many, max_size=many))
        values.append([some[place] for place in places])
        columns.append(texts(values[-1]) if kind == "text" else np.array(values[-1], kind))
    codes, firsts = kernel.code_keys(tuple(columns))
    assert codes.dtype == np.uint32
    keys = list(zip(*values, strict=True))
    of_number = [keys[first] for first in firsts.tolist()]
    assert len(set(of_number)) == len(of_number) == len(set(keys))
    assert [of_number[code] for code in codes.tolist()] == keys


def texts(words: list[str]) -> Texts:
    """The words in one column of bytes, after some others."""
    encoded = [word.encode() for word in words]
    lengths = np.array([len(each) for each in encoded], np.int64)
    starts = np.cumsum(lengths) - lengths + 3
    return Texts(starts, lengths, np.frombuffer(b"???" + b"".join(encoded), np.uint8))


@pytest.mark.parametrize("rounds", [1, 40], ids=["all distinct", "each forty times"])
def test_numbers_of_words_whose_hashes_start_alike(
    monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """A hash of 0 for every word: only the words themselves tell them apart."""
    monkeypatch.setattr(words_of, "HASHES", (0,))
    words = np.tile(np.arange(6000) * 2**40, rounds)
    words = np.random.default_rng(3).permutation(words)
    codes, firsts = kernels.available()["numpy"].code_keys((words,))
    assert len(firsts) == 6000
    assert (words[firsts][codes] == words).all()


@each_kernel
@pytest.mark.parametrize("highest", [3, 1000, 2**31])
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("many", [0, 1, 500])
def test_ranks_of_keys(kernel: GroupKernels, highest: int, columns: int, many: int) -> None:
    random = np.random.default_rng(4)
    given_ = tuple(random.integers(0, highest, many).astype(np.uint32) for _ in range(columns))
    ranks, found = kernel.rank_keys(given_)
    rows = list(zip(*(each.tolist() for each in given_), strict=True))
    wanted = sorted(set(rows))
    assert list(zip(*(each.tolist() for each in found), strict=True)) == wanted
    assert [wanted[rank] for rank in ranks.tolist()] == rows
    assert ranks.dtype == np.int32


@each_kernel
@given(data=st.data(), constant=st.booleans())
def test_ends_of_groups(kernel: GroupKernels, data: st.DataObject, constant: bool) -> None:
    codes = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=20))
    numbers = np.unique(np.array(codes), return_inverse=True)[1]
    count = int(numbers.max()) + 1
    value = st.sampled_from([0.5, 1e300, 2.0**-1074, 3.0])
    of_group = [data.draw(value) for _ in range(count)]
    column = np.array([of_group[n] if constant else data.draw(value) for n in numbers.tolist()])
    low, high = kernel.group_ends(numbers.astype(np.uint32), count, column)
    for group in range(count):
        own = column[numbers == group].tolist()
        assert (low[group], high[group]) == (min(own), max(own))


@each_kernel
@given(some=group_rows(), ties=st.sampled_from(["expected", "optimistic", "pessimistic", "keys"]))
def test_ranks_of_lists(kernel: ListKernels, some: tuple[GroupedRows, Array], ties: Any) -> None:
    """Every row of each group is compared with all others of it; a fifth has no score."""
    rows, keys = some
    grades = np.where(keys == 2, 3, rows.grades).astype(np.uint8)
    rows, unscored = rows._replace(grades=grades), np.arange(len(keys)) % 5 == 4
    for none in (None, unscored):
        found = kernel.rank_lists(rows, none, ties, keys if ties == "keys" else None)
        for table, by in zip(found, (None, *rows.slices), strict=True):
            for place in range(len(table.groups)):
                own = rows.codes == table.groups[place]
                if table.slices is not None and by is not None:
                    own &= by == table.slices[place]
                ranked = np.flatnonzero(own if none is None else own & ~none).tolist()
                assert (table.rows[place], table.sizes[place]) == (own.sum(), len(ranked))
                entries = slice(*table.starts[place : place + 2].tolist())
                columns = (table.above, table.grades, table.tied)
                wanted = sorted(ranks_of(ranked, rows, keys, ties))
                found_rows = zip(*(each[entries].tolist() for each in columns), strict=True)
                assert list(found_rows) == [(above, -grade, tied) for above, grade, tied in wanted]
                if table.judged is not None:
                    start, end = table.judged[0][place : place + 2].tolist()
                    judged = grades[own & unscored]
                    assert sorted(table.judged[1][start:end]) == sorted(judged[judged > 0])


def ranks_of(
    ranked: list[int], rows: GroupedRows, keys: Array, ties: str
) -> Iterator[tuple[int, int, int]]:
    """Rows above its block, −grade and rows of its block, of each row with a grade."""
    rules: dict[str, Callable[[int], tuple[int, ...]]] = {
        "expected": lambda row: (),
        "optimistic": lambda row: (-int(rows.grades[row]), row),
        "pessimistic": lambda row: (int(rows.grades[row]), row),
        "keys": lambda row: (int(keys[row]), -int(rows.grades[row]), row),
    }
    order = rules[ties]
    places = {row: (-float(rows.scores[row]), order(row)) for row in ranked}
    for row in ranked:
        if rows.grades[row]:
            above = sum(other < places[row] for other in places.values())
            yield above, -int(rows.grades[row]), list(places.values()).count(places[row])


@pytest.mark.parametrize("metrics", [["gauc"], ["ndcg@5", "map"], ["gauc", "ndcg@5"]], ids=str)
def test_kernel_calls_do_not_depend_on_the_number_of_slices(
    monkeypatch: pytest.MonkeyPatch, metrics: list[str]
) -> None:
    """Nor are rows sorted again for a second `by`."""
    random = np.random.default_rng(6)
    log = {
        "y": random.integers(0, 2, 3000),
        "s": random.random(3000),
        "u": random.integers(0, 300, 3000),
        "few": random.integers(0, 4, 3000),
        "many": random.integers(0, 400, 3000),
    }
    calls: Counter[str] = Counter()
    for name in dir(GroupKernels) + dir(ListKernels):
        if not name.startswith("_"):
            whole = getattr(kernels.active(), name)
            monkeypatch.setattr(kernels.active(), name, counting(name, whole, calls))
    found = []
    for by in ("few", "many", ["few", "many"]):
        calls.clear()
        sy.evaluate(log, label="y", score="s", group="u", by=by, metrics=metrics)
        found.append(dict(calls))
    assert found[0] == found[1]
    assert all(counts.get("rank_lists", 0) == ("ndcg@5" in metrics) for counts in found)
    assert all(counts.get("group_areas", 0) == ("gauc" in metrics) for counts in found)


def counting(name: str, function: Any, calls: Counter[str]) -> Any:
    def counted(*arguments: Any, **options: Any) -> Any:
        calls[name] += 1
        return function(*arguments, **options)

    return counted
