"""The bytes of a groups state: its rows in an order that depends on the rows alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import MASK, Digits, GroupCodes
from steelyard.model import Array
from steelyard.reading.grouping import Dictionary, GroupColumns, RowKeys
from steelyard.states import wire
from steelyard.states.groups.key_order import key_order, word_ranks
from steelyard.states.groups.rows import GroupChunk, JoinedGroups
from steelyard.states.weights import canonical_weights

WHOLE = (np.dtype(np.int64), np.dtype(np.uint64))


def content(joined: JoinedGroups) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
    """Header and sections: keys and sizes of the groups by key, then the rows of each."""
    unit, digits = canonical_weights(joined.digits, joined.unit)
    joined = replace(joined, digits=digits, unit=unit)
    groups = kernels.active().number_groups(joined.keys)
    codes, sizes = _codes(groups)
    keys = [
        (column[sizes > 0], words) for column, words in zip(groups.keys, joined.words, strict=True)
    ]
    by_key = key_order(keys)
    order = _order(joined, _places(by_key, sizes)[codes])
    score = joined.score[order] + joined.score.dtype.type(0)  # -0.0 + 0.0 is 0.0
    if joined.unscored is not None:
        score[joined.unscored[order]] = np.nan
    sections = {"sizes": sizes[sizes > 0][by_key].astype(np.int64), "score": score}
    sections["grade"] = _narrow(joined.grade[order])
    for place, (column, words) in enumerate(keys):
        sections |= _keys_to_bytes(f"key{place}", column[by_key], words)
    sections |= _columns(joined, order)
    fields = {
        "unit": unit,
        "keys": ["words" if words is not None else "whole" for words in joined.words],
        "group_weights": sorted(joined.group_weight),
    }
    return fields, sections


def _codes(groups: GroupCodes) -> tuple[Array, Array]:
    """The number of each row's group, and how many rows each number has."""
    if groups.codes is None:
        assert groups.starts is not None
        sizes = np.diff(groups.starts)
        return np.repeat(np.arange(len(sizes)), sizes), sizes
    return groups.codes, np.bincount(groups.codes, minlength=len(groups.keys[0]))


def _places(by_key: Array, sizes: Array) -> Array:
    """The place in the order of keys of each number that has rows."""
    place = np.zeros(len(sizes), np.int64)
    present = np.flatnonzero(sizes)
    place[present[by_key]] = np.arange(len(by_key))
    return place


def _narrow(grade: Array) -> Array:
    """Grades in one byte where that holds them."""
    if grade.max(initial=0) > np.iinfo(np.uint8).max:  # a cast of larger floats would warn
        return grade
    narrow = grade.astype(np.uint8)
    return narrow if (narrow == grade).all() else grade


def _columns(joined: JoinedGroups, order: Array) -> dict[str, Array]:
    """The columns that not every state has."""
    found = {
        f"weight.{place}": digit[order].astype(np.uint32)
        for place, digit in enumerate(joined.digits or ())
    }
    for place, codes in enumerate(joined.slices):
        found[f"by.{place}"] = codes[order].astype(np.uint32)
    if joined.count is not None:
        found["count"] = joined.count[order].astype(np.int64)
    if joined.position is not None:
        found["position"] = joined.position[order].astype(np.int64)
    if joined.document is not None and joined.document.dictionary is not None:
        words = joined.document.dictionary.strings
        named = [words[number] for number in joined.document.values[order].tolist()]
        found |= _words_to_bytes("document", named)
    for place, name in enumerate(sorted(joined.group_weight)):
        found[f"group_weight.{place}"] = joined.group_weight[name][order].astype(np.float64)
    return found


def _order(joined: JoinedGroups, group: Array) -> Array:
    """Rows by group, those without a score last, by falling score and grade, then by the rest."""
    rest: list[Array] = [*joined.slices, *(joined.digits or ())]
    rest += [joined.count] if joined.count is not None else []
    rest += [joined.position] if joined.position is not None else []
    if joined.document is not None and joined.document.dictionary is not None:
        rest.append(word_ranks(joined.document.dictionary.strings)[joined.document.values])
    rest += [joined.group_weight[name] for name in sorted(joined.group_weight)]
    grade = -joined.grade.astype(np.float64)
    score = -joined.score
    if joined.unscored is None:
        return np.lexsort((*rest, grade, score, group))
    score = np.where(joined.unscored, score.dtype.type(0), score)
    return np.lexsort((*rest, grade, score, joined.unscored, group))


def _keys_to_bytes(name: str, keys: Array, words: Sequence[str] | None) -> dict[str, Array]:
    if words is not None:
        return _words_to_bytes(name, [words[number] for number in keys.tolist()])
    large = keys.max(initial=0) >= 2**63
    return {name: keys.astype(np.uint64 if large else np.int64)}


def _words_to_bytes(name: str, words: Sequence[str]) -> dict[str, Array]:
    """Words end to end in UTF-8, and the length of each."""
    encoded = [word.encode("utf-8", "surrogateescape") for word in words]
    return {
        f"{name}.text": np.frombuffer(b"".join(encoded), np.uint8),
        f"{name}.lengths": np.array([len(word) for word in encoded], np.uint32),
    }


def restored(
    header: Mapping[str, Any], sections: Mapping[str, Array], slices: Sequence[int]
) -> GroupChunk | None:
    """The rows again; a ValueError or its kin where the bytes describe none."""
    rest = dict(sections)
    sizes, score, grade = (rest.pop(name) for name in ("sizes", "score", "grade"))
    if sizes.dtype != np.int64 or not ((sizes > 0) & (sizes <= len(score))).all():
        raise ValueError("groups that are none")
    if int(sizes.sum()) != len(score):
        raise ValueError("groups that do not fit the rows")
    if len(grade) != len(score) or not _is_grade(grade):
        raise ValueError("grades that are none")
    if score.dtype.kind != "f" or np.isinf(score).any():
        raise ValueError("scores that are none")
    group = np.repeat(np.arange(len(sizes)), sizes)
    kinds = wire.names(header["keys"])
    keys = tuple(_keys(f"key{i}", kind, rest, group) for i, kind in enumerate(kinds))
    if not keys:
        raise ValueError("no keys")
    digits = _weights(rest, len(score))
    weights = {
        name: _sized(rest.pop(f"group_weight.{place}"), len(score), np.float64)
        for place, name in enumerate(wire.names(header["group_weights"]))
    }
    by = tuple(_sized(rest.pop(f"by.{i}"), len(score), np.uint32) for i in range(len(slices)))
    if any((codes >= count).any() for codes, count in zip(by, slices, strict=True)):
        raise ValueError("a row of no slice")
    unscored = np.isnan(score)
    columns = GroupColumns(
        keys,
        _document(rest, len(score)),
        _optional(rest, "position", len(score)),
        weights,
        unscored if unscored.any() else None,
    )
    count = _optional(rest, "count", len(score))
    unit = wire.unit(header["unit"])
    score = np.where(unscored, score.dtype.type(0), score)
    return GroupChunk(grade, score, None, count, columns, by, digits, unit) if len(score) else None


def _is_grade(grade: Array) -> bool:
    if grade.dtype == np.uint8:
        return True
    return grade.dtype == np.float64 and bool((grade >= 0).all() and np.isfinite(grade).all())


def _keys(name: str, kind: str, rest: dict[str, Array], group: Array) -> RowKeys:
    if kind == "words":
        words = Dictionary()
        return RowKeys(words.number(_words(name, rest))[group], words)
    keys = rest.pop(name)
    if kind != "whole" or keys.dtype not in WHOLE:
        raise ValueError(f"keys of type {keys.dtype}")
    return RowKeys(keys[group])


def _words(name: str, rest: dict[str, Array]) -> list[str]:
    text, lengths = rest.pop(f"{name}.text").tobytes(), rest.pop(f"{name}.lengths")
    ends = np.cumsum(lengths, dtype=np.int64)
    if (ends[-1] if len(ends) else 0) != len(text):
        raise ValueError("words that do not fit their lengths")
    starts = (ends - lengths).tolist()
    return [
        text[start:end].decode("utf-8", "surrogateescape")
        for start, end in zip(starts, ends.tolist(), strict=True)
    ]


def _document(rest: dict[str, Array], rows: int) -> RowKeys | None:
    if "document.text" not in rest:
        return None
    words = Dictionary()
    return RowKeys(_sized(words.number(_words("document", rest)), rows, np.int64), words)


def _weights(rest: dict[str, Array], rows: int) -> Digits | None:
    count = sum(name.startswith("weight.") for name in rest)
    digits = tuple(_sized(rest.pop(f"weight.{i}"), rows, np.uint32) for i in range(count))
    if any((digit > MASK).any() for digit in digits):
        raise ValueError("weights that are not whole numbers")
    if digits and not np.any([digit != 0 for digit in digits], axis=0).all():
        raise ValueError("a row without weight")
    return digits or None


def _optional(rest: dict[str, Array], name: str, rows: int) -> Array | None:
    return _sized(rest.pop(name), rows, np.int64) if name in rest else None


def _sized(column: Array, rows: int, dtype: Any) -> Array:
    if len(column) != rows or column.dtype != dtype:
        raise ValueError("a column that does not fit the rows")
    return column
