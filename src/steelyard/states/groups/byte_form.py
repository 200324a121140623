"""The bytes of a groups state: its rows in an order that depends on the rows alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from steelyard.model import Array
from steelyard.reading.grouping import Dictionary, GroupColumns, RowKeys
from steelyard.states import wire
from steelyard.states.codes import checked_sizes, ranks, restored_slices, slice_sections
from steelyard.states.groups.group_chunks import GroupChunk, JoinedGroups
from steelyard.states.groups.key_order import key_order, text_ranks
from steelyard.states.key_bytes import (
    key_sections,
    restored_texts,
    restored_whole,
)
from steelyard.states.weights import Weights, canonical_weights, restored_weights, weight_sections


def content(joined: JoinedGroups) -> wire.HeaderAndSections:
    """Header and arrays: keys and sizes of the groups in the order of keys, and their rows."""
    unit, digits = canonical_weights(joined.digits, joined.unit)
    joined = replace(joined, digits=digits, unit=unit)
    _, codes, firsts = joined.numbers
    columns = zip(joined.keys, joined.texts, strict=True)
    keys = [(column[firsts], texts) for column, texts in columns]
    by_key = key_order(keys)
    order = _order(joined, ranks(by_key, len(by_key))[codes])
    sizes = np.bincount(codes, minlength=len(firsts))[by_key]
    score = joined.score[order] + joined.score.dtype.type(0)  # -0.0 + 0.0 is 0.0
    if joined.unscored is not None:
        score[joined.unscored[order]] = np.nan
    sections = {"sizes": sizes.astype(np.int64), "score": score}
    sections["grade"] = _narrow(joined.grade[order])
    for place, (column, texts) in enumerate(keys):
        sections |= key_sections(f"key{place}", column[by_key], texts)
    sections |= _columns(joined, order)
    fields = {
        "unit": unit,
        "keys": ["whole" if texts is None else "words" for texts in joined.texts],
        "group_weights": sorted(joined.group_weight),
    }
    return fields, sections


def _narrow(grade: Array) -> Array:
    """Grades as uint8 where it holds them all."""
    if grade.max(initial=0) > np.iinfo(np.uint8).max:  # a cast of larger floats would warn
        return grade
    narrow = grade.astype(np.uint8)
    return narrow if (narrow == grade).all() else grade


def _columns(joined: JoinedGroups, order: Array) -> dict[str, Array]:
    """The arrays of optional columns."""
    digits = tuple(digit[order].astype(np.uint32) for digit in joined.digits or ())
    found = weight_sections("weight", digits)
    found |= slice_sections(joined.slices, order)
    if joined.count is not None:
        found["count"] = joined.count[order].astype(np.int64)
    if joined.position is not None:
        found["position"] = joined.position[order].astype(np.int64)
    if joined.document is not None:
        codes, texts = joined.document
        found |= key_sections("document", codes[order], texts)
    for place, name in enumerate(sorted(joined.group_weight)):
        found[f"group_weight.{place}"] = joined.group_weight[name][order].astype(np.float64)
    return found


def _order(joined: JoinedGroups, group: Array) -> Array:
    """The order of rows: by group, unscored rows last, falling score and grade, other columns."""
    rest: list[Array] = [*joined.slices, *(joined.digits or ())]
    rest += [joined.count] if joined.count is not None else []
    rest += [joined.position] if joined.position is not None else []
    if joined.document is not None and joined.document[1] is not None:
        rest.append(text_ranks(joined.document[1])[joined.document[0]])
    rest += [joined.group_weight[name] for name in sorted(joined.group_weight)]
    grade = -joined.grade.astype(np.float64)
    score = -joined.score
    if joined.unscored is None:
        return np.lexsort((*rest, grade, score, group))
    score = np.where(joined.unscored, score.dtype.type(0), score)
    return np.lexsort((*rest, grade, score, joined.unscored, group))


def restored(
    header: Mapping[str, Any], rest: dict[str, Array], slices: Sequence[int]
) -> GroupChunk | None:
    """The rows of the arrays; None where there are none. An invalid state is a ValueError.

    rest: the arrays, which are taken out of it; slices: how many slices each `by` has
    """
    sizes, score, grade = (rest.pop(name) for name in ("sizes", "score", "grade"))
    if len(grade) != len(score) or not _is_grade(grade):
        raise ValueError("invalid grades")
    if score.dtype.kind != "f" or np.isinf(score).any():
        raise ValueError("invalid scores")
    group = np.repeat(np.arange(len(sizes)), checked_sizes(sizes, len(sizes), len(score)))
    kinds = wire.names(header["keys"])
    keys = tuple(_keys(f"key{i}", kind, rest, group) for i, kind in enumerate(kinds))
    if not keys:
        raise ValueError("no keys")
    digits = restored_weights("weight", rest, len(score))
    group_weights = {
        name: _sized(rest.pop(f"group_weight.{place}"), len(score), np.float64)
        for place, name in enumerate(wire.names(header["group_weights"]))
    }
    if not all(np.isfinite(each).all() and (each >= 0).all() for each in group_weights.values()):
        raise ValueError("weights of groups that are not finite, or below 0")
    by = restored_slices(rest, slices, len(score))
    unscored = np.isnan(score)
    columns = GroupColumns(
        keys,
        _document(rest, len(score)),
        _optional(rest, "position", len(score)),
        group_weights,
        unscored if unscored.any() else None,
    )
    count = _optional(rest, "count", len(score))
    weights = Weights(len(score), None, digits, wire.unit(header["unit"]))
    score = np.where(unscored, score.dtype.type(0), score)
    return GroupChunk(grade, score, weights, count, columns, by) if len(score) else None


def _is_grade(grade: Array) -> bool:
    """Whether all grades are finite numbers ≥ 0, of a type that `_narrow` gives."""
    if grade.dtype == np.uint8:
        return True
    return grade.dtype == np.float64 and bool((grade >= 0).all() and np.isfinite(grade).all())


def _keys(name: str, kind: str, rest: dict[str, Array], group: Array) -> RowKeys:
    """The key column of rows, given the place of each row's group."""
    if kind == "words":
        dictionary = Dictionary()
        return RowKeys(dictionary.add(restored_texts(name, rest))[group], dictionary)
    if kind != "whole":
        raise ValueError(f"keys that are {kind}")
    return RowKeys(restored_whole(name, rest)[group])


def _document(rest: dict[str, Array], rows: int) -> RowKeys | None:
    if "document.text" not in rest:
        return None
    dictionary = Dictionary()
    codes = _sized(dictionary.add(restored_texts("document", rest)), rows, np.int64)
    return RowKeys(codes, dictionary)


def _optional(rest: dict[str, Array], name: str, rows: int) -> Array | None:
    return _sized(rest.pop(name), rows, np.int64) if name in rest else None


def _sized(column: Array, rows: int, dtype: Any) -> Array:
    """The column, refused unless it has this length and type."""
    if len(column) != rows or column.dtype != dtype:
        raise ValueError("a column that does not fit the rows")
    return column
