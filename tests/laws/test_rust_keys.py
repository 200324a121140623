"""The compiled kernels of keys: numbers in the order of first rows, for any number of threads."""

from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import Array, Texts

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")

TYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
ALPHABETS = ("a", "ab\0", "aé\U0001f600\udc80", "".join(map(chr, range(1, 0x250))))


def draw_words(rng: np.random.Generator, rows: int) -> Array:
    """Whole numbers of any type: few or many, close together or not, in runs, with outliers."""
    dtype = np.dtype(rng.choice(TYPES))
    if dtype.kind == "b":
        return rng.random(rows) < rng.random()
    ends = np.iinfo(dtype)
    distinct = int(rng.integers(1, rng.choice([2, 60, 4 * rows + 2])))
    if rng.random() < 0.5:
        pool = rng.integers(ends.min, ends.max, distinct, dtype, endpoint=True)
    else:
        low = int(rng.integers(ends.min, ends.max, dtype=dtype))
        pool = np.minimum(low + np.arange(distinct, dtype=object), ends.max).astype(dtype)
        outliers = rng.random(distinct) < rng.choice([0, 0, 0.01])
        pool[outliers] = ends.max
    column = pool[rng.integers(0, distinct, rows)]
    if rng.random() < 0.3:
        column = np.repeat(column, 7)[:rows]
    if rng.random() < 0.2:
        column = np.sort(column)
    return np.repeat(column, 2)[::2] if rng.random() < 0.2 else column


def draw_strings(rng: np.random.Generator, rows: int) -> list[str]:
    """Texts of any lengths; some have common starts, or zeros within and at the end."""
    letters = list(ALPHABETS[rng.integers(len(ALPHABETS))])
    longest = int(rng.choice([1, 3, 9, 17, 40, 70]))
    start = "".join(rng.choice(letters, int(rng.choice([0, 8, 16, 33]))))
    count = int(rng.integers(1, rng.choice([3, 50, 2 * rows + 2])))
    pool = [start + "".join(rng.choice(letters, rng.integers(0, longest))) for _ in range(count)]
    return [pool[place] for place in rng.integers(0, count, rows)]


def as_texts(rng: np.random.Generator, strings: list[str]) -> Texts:
    """The bytes of the strings in any order, with others between them."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in strings]
    starts, data = np.zeros(len(encoded), np.int64), bytearray(rng.bytes(int(rng.integers(3))))
    for row in rng.permutation(len(encoded)).tolist():
        starts[row] = len(data)
        data += encoded[row] + rng.bytes(int(rng.integers(2)))
    del data[int((starts + [len(each) for each in encoded]).max(initial=0)) :]
    lengths = np.array([len(each) for each in encoded], np.int64)
    return Texts(starts, lengths, np.frombuffer(bytes(data), np.uint8))


def expected(keys: list[Any]) -> tuple[list[int], list[int]]:
    numbers: dict[Any, int] = {}
    codes = [numbers.setdefault(key, len(numbers)) for key in keys]
    firsts: dict[int, int] = {}
    for row, code in enumerate(codes):
        firsts.setdefault(code, row)
    return codes, list(firsts.values())


def check_codes(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    columns: list[Array | Texts] = []
    keys: list[list[Any]] = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        form = rng.choice(["words", "texts", "points"])
        if form == "words":
            column = draw_words(rng, rows)
            columns.append(column)
            keys.append(column.tolist())
            continue
        strings = draw_strings(rng, rows)
        if form == "points":
            column = np.array(strings, str)
            columns.append(column)
            strings = column.tolist()
        else:
            columns.append(as_texts(rng, strings))
        keys.append(strings)
    codes, firsts = expected(list(zip(*keys, strict=True)))
    for number in (1, 3):
        with pytest.MonkeyPatch.context() as patch, threads.limited(number):
            patch.setattr(threads, "SHORT", 0)
            found = kernels.available()["rust"].code_keys(columns)
        assert found.codes.dtype == np.uint32
        assert found.firsts.dtype == np.intp
        assert found.codes.tolist() == codes, seed
        assert found.firsts.tolist() == firsts, seed
        found.firsts[:0] = 0  # it can be written


def test_numbers_are_in_the_order_of_first_rows() -> None:
    for seed in range(300):
        check_codes(seed, int(np.random.default_rng(seed).choice([0, 1, 5, 40, 600, 2000])))


def test_numbers_of_many_rows() -> None:
    for seed in range(4):
        check_codes(seed, 60_000)


@pytest.mark.full
def test_numbers_of_many_seeds() -> None:
    for seed in range(1000, 21_000):
        check_codes(seed, int(np.random.default_rng(seed).choice([5, 40, 600, 2000])))


def test_columns_that_do_not_fit_are_an_error() -> None:
    """The binding checks what it is given: no text of it reads beyond its bytes."""
    from steelyard.kernels import _rust

    codes, longs, data = np.zeros(3, np.uint32), np.zeros(3, np.int64), np.zeros(5, np.uint8)
    for columns in ([], [longs[:2]], [(longs, longs[:2], data)], [(np.zeros(7, np.uint32), 2)]):
        with pytest.raises(ValueError, match=r"different lengths|another width"):
            _rust.code_keys(columns, codes, 1)
    with pytest.raises(ValueError, match="another width"):
        _rust.code_keys([(np.zeros(3, np.uint32), 0)], codes, 1)
    for column in ((longs, longs, longs), (data[:3], longs, data), np.zeros(3), (longs,)):
        with pytest.raises(TypeError):
            _rust.code_keys([column], codes, 1)
    for start, length in ((9, 1), (-1, 2), (4, 2**62), (2**63 - 1, 2**63 - 1), (0, -1)):
        texts = np.full(3, start, np.int64), np.full(3, length, np.int64), data
        _rust.code_keys([texts], codes, 1)
        assert not codes.any()


def check_numbered_rows(seed: int) -> None:
    """Ranks, ends and rows by number, against the NumPy kernels."""
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    rows = int(rng.choice([1, 5, 40, 600, 2000]))
    columns: tuple[Array, ...] = ()
    for _ in range(rng.choice([1, 2])):
        dtype = np.dtype(rng.choice(["u1", "i2", "u4", "i8", "u8"]))
        highest = int(rng.choice([1, 3, 127, rows, 2**31 - 1]))
        column = rng.integers(0, min(highest, int(np.iinfo(dtype).max)), rows, endpoint=True)
        columns += (column.astype(dtype)[:: rng.choice([1, -1])],)
    ranks, keys = specification.rank_keys(columns)
    codes = ranks[::-1].astype(rng.choice(["u4", "i4", "i8"]))
    of_type = rng.choice(["f8", "f4", "u4", "i8", "u8", "u2"])
    column = rng.integers(0, 5 if rng.random() < 0.5 else 50_000, rows).astype(of_type)
    ends = specification.group_ends(codes, len(keys[0]), column)
    together = specification.bring_together(codes, len(keys[0]) + 2)
    for number in (1, 3):
        with pytest.MonkeyPatch.context() as patch, threads.limited(number):
            patch.setattr(threads, "SHORT", 0)
            found = rust.rank_keys(columns)
            assert all(map(is_same, (found[0], *found[1]), (ranks, *keys))), seed
            assert all(map(is_same, rust.group_ends(codes, len(keys[0]), column), ends)), seed
            assert all(map(is_same, rust.bring_together(codes, len(keys[0]) + 2), together)), seed


def is_same(left: Array, right: Array) -> bool:
    return left.dtype == right.dtype and left.tobytes() == right.tobytes()


def test_numbered_rows_have_the_bits_of_the_specification() -> None:
    for seed in range(300):
        check_numbered_rows(seed)


@pytest.mark.parametrize("kernel", kernels.available())
def test_pairs_of_large_keys_are_exact(kernel: str) -> None:
    """Their numbers are beyond 2**53, where float64 has no odd ones."""
    left = np.array([2**31 - 2, 2**31 - 2, 7])
    right = np.array([2**31 - 2, 2**31 - 3, 2**31 - 4])
    ranks, keys = kernels.available()[kernel].rank_keys((left, right))
    assert ranks.tolist() == [2, 1, 0]
    assert [key.tolist() for key in keys] == [left[::-1].tolist(), right[::-1].tolist()]


@pytest.mark.full
def test_numbered_rows_of_many_seeds() -> None:
    for seed in range(1000, 101_000):
        check_numbered_rows(seed)


def test_numbers_that_do_not_fit_are_an_error() -> None:
    from steelyard.kernels import _rust

    codes, ranks, ends = np.array([0, 9, -1]), np.zeros(3, np.uint32), np.zeros(2)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.rank_keys(codes, codes[:2], 10, ranks, 1)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.group_ends(codes, np.zeros(2), ends, ends.copy(), 1)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.bring_together(codes, codes.copy(), np.zeros(2, np.int64))
    # Codes that no group has are neither read nor written beyond the columns.
    low, high = np.zeros((2, 2))
    _rust.group_ends(codes, np.array([5.0, 6.0, 7.0]), low, high, 1)
    assert (low[0], high[0]) == (5, 5)
    order = np.zeros(3, np.int64)
    _rust.bring_together(codes, np.zeros(3, np.int64), order)
    assert order.tolist() == [0, 1, 2]
    _rust.bring_together(codes, np.zeros(1, np.int64), order)


def test_what_is_not_compiled_is_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ends of other types, and pairs that may fill a wide range."""
    from steelyard.kernels.rust import keys

    monkeypatch.setattr(keys, "_rust", None)
    monkeypatch.setattr(keys, "IN_CACHE", 4)
    codes = np.array([2, 0, 1, 2], np.uint32)
    ranks, found = keys.rank_keys((codes, codes))
    assert ranks.tolist() == codes.tolist()
    assert [column.tolist() for column in found] == [[0, 1, 2]] * 2
    low, high = keys.group_ends(codes, 3, np.array([5, 1, 2, 3], np.float32))
    assert (low.tolist(), high.tolist()) == ([1, 2, 3], [1, 2, 5])
