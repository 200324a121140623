"""Small data sets of rows in groups, each with the reason it is here.

Tied blocks are kept small, so that the oracles can list all their orders.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from steelyard.model import Array
from tests.tables.case import Sample, sample

COLUMN = "impressions"  # what the column of group weights is called


def grouped(
    why: str,
    group: tuple[Sequence[Any], ...],
    label: Sequence[Any],
    score: Sequence[float | None],
    weight: Sequence[float] | None = None,
    group_weight: Sequence[float] | None = None,
    *,
    document: Sequence[str] | None = None,
    score_type: str = "float64",
    key_type: str | None = None,
) -> Sample:
    """Rows in groups; a row whose score is None was judged and not retrieved."""
    keys = {f"key{place}": _keys(column, key_type) for place, column in enumerate(group)}
    roles = {
        "group": list(keys),
        "document": None if document is None else "document",
        "unscored": "not_retrieved" if None in score else None,
    }
    return sample(
        why,
        {role: given for role, given in roles.items() if given},
        label=np.array(label) if len(label) else np.array([], np.int64),
        score=np.array([np.nan if one is None else one for one in score], score_type),
        **{"weight": weight, COLUMN: group_weight, "document": document, **keys},
    )


def _keys(column: Sequence[Any], key_type: str | None) -> Array:
    if not len(column) and key_type is None:
        return np.array([], np.int64)
    return np.array(column, key_type)


# --- columns that several data sets share --------------------------------------------------------

Rows = list[tuple[Any, float]]
Columns = tuple[tuple[list[Any]], list[Any], list[float]]


def lists(*groups: tuple[Any, Rows]) -> Columns:
    """Keys, labels and scores of lists that are written group by group."""
    rows = [(key, label, score) for key, group in groups for label, score in group]
    key, label, score = (list(column) for column in zip(*rows, strict=True))
    return (key,), label, score


def _random(
    seed: int, sizes: Sequence[int], levels: int, grades: Sequence[Any], shuffle: bool = True
) -> Columns:
    """Groups of these sizes, scores on a grid that makes ties."""
    dice = Random(seed)
    rows = [
        (key, dice.choice(grades), dice.randrange(levels) / levels)
        for key, size in enumerate(sizes)
        for _ in range(size)
    ]
    if shuffle:
        dice.shuffle(rows)
    key, label, score = (list(column) for column in zip(*rows, strict=True))
    return (key,), label, score


def _called(columns: Columns, names: Sequence[Any]) -> Columns:
    """The same rows with other keys."""
    (keys,), label, score = columns
    return ([names[key] for key in keys],), label, score


def _holes(score: list[float], seed: int, share: float) -> list[float | None]:
    dice = Random(seed)
    return [None if dice.random() < share else value for value in score]


def _within_group(keys: list[int]) -> list[str]:
    """Each group's rows numbered, in an order of their own: no document twice in a group."""
    return [f"d{keys[:place].count(key) * 5 % 7}" for place, key in enumerate(keys)]


SIZES = (5, 1, 7, 3, 4, 6)
CLICKS = (0, 0, 1)
GRADES = (0, 0, 1, 2, 3, 4)
TIED = _random(1, SIZES, 3, CLICKS)
LAID_OUT = _random(1, SIZES, 3, CLICKS, shuffle=False)
FINE = _random(2, SIZES, 1 << 30, CLICKS)
GRADED = _random(3, SIZES, 3, GRADES)
COUNT = len(TIED[1])
INTEGERS = [Random(4).randrange(1, 6) for _ in range(COUNT)]
UGLY = [Random(5).choice([0.1, 0.2, 0.3, 0.7, 1.1]) for _ in range(COUNT)]
WIDE = (-(2**63), 2**63 - 1, -1, 0, 2**62 + 1, 2**62)
UNSIGNED = (2**64 - 1, 2**63, 2**63 + 1, 0, 1, 2**63 - 1)
WORDS = ("anna", "ben", "", "ann", "Анна", "a,b")
DOCUMENTS = [f"d{Random(6).sample(range(200), COUNT)[i]}" for i in range(COUNT)]
PER_GROUP = (2.5, 0.1, 3.0, 0.7, 0.0, 1e-3)

DATA = {
    "tied": grouped("integer keys, rows of all groups mixed, ties everywhere", *TIED),
    "laid_out": grouped("rows of a group side by side: the fast way", *LAID_OUT),
    "fine": grouped("no ties: every block is one row", *FINE),
    "graded": grouped("grades 0 to 4, ties of unlike grades", *GRADED),
    "graded_fine": grouped("grades without ties", *_random(7, SIZES, 1 << 30, GRADES)),
    "fractions": grouped(
        "grades that are not whole", *_random(8, SIZES, 4, (0, 0.25, 0.5, 1, 1.5, 2.75))
    ),
    "wide_keys": grouped("the ends of int64", *_called(TIED, WIDE)),
    "unsigned_keys": grouped(
        "keys above 2**63, which float64 would mix up", *_called(TIED, UNSIGNED), key_type="uint64"
    ),
    "near_keys": grouped(
        "keys above 2**53 that float64 cannot tell apart",
        *_called(TIED, [2**53 + i for i in range(6)]),
    ),
    "small_keys": grouped("int8 keys", *_called(TIED, (-128, 127, 0, 1, -1, 2)), key_type="int8"),
    "float_keys": grouped(
        "whole floats are whole numbers", *_called(TIED, (-0.0, 1.0, 2.0, -3.0, 2.0**53, 7.0))
    ),
    "words": grouped("keys that are words, one of them empty", *_called(GRADED, WORDS)),
    "two_keys": grouped(
        "a word and a number side by side: one alone does not tell the groups apart",
        (
            [("de", "fr", "de", "fr", "de", "fr")[key] for key in GRADED[0][0]],
            [(1, 1, 2, 2, 3, 3)[key] for key in GRADED[0][0]],
        ),
        *GRADED[1:],
    ),
    "two_numbers": grouped(
        "two numbers whose digits, written together, would be one key",
        (
            [(1, 12, 1, 12, 0, 0)[key] for key in TIED[0][0]],
            [(23, 3, 3, 23, 2**62, -(2**62))[key] for key in TIED[0][0]],
        ),
        *TIED[1:],
    ),
    "one_group": grouped("one list", *_random(9, (8,), 4, GRADES)),
    "no_rows": grouped("nothing at all", ([],), [], []),
    "one_row_each": grouped(
        "groups of one row, relevant and not", *_random(10, (1,) * 9, 9, (0, 1))
    ),
    "one_row": grouped("one relevant row", *lists(("u", [(1, 0.5)]))),
    "all_tied": grouped(
        "one block a group, of up to seven rows",
        *lists(
            (1, [(1, 0.5), (0, 0.5), (0, 0.5), (1, 0.5), (0, 0.5), (0, 0.5), (1, 0.5)]),
            (2, [(0, 0.5), (1, 0.5), (0, 0.5)]),
        ),
    ),
    "all_tied_graded": grouped(
        "a block of seven grades: 420 orders",
        *lists((1, [(grade, 1.0) for grade in (0, 0, 0, 1, 1, 2, 4)]), (2, [(3, 0.0), (0, 0.0)])),
    ),
    "nothing_relevant": grouped(
        "no relevant row anywhere", *lists((1, [(0, 0.5), (0, 0.2)]), (2, [(0, 0.5)]))
    ),
    "some_empty": grouped(
        "groups without a relevant row, between others",
        *lists(
            (1, [(0, 0.5), (0, 0.2)]),
            (2, [(0, 0.9), (1, 0.8), (1, 0.1)]),
            (3, [(0, 0.5)]),
            (4, [(1, 0.5), (0, 0.5), (0, 0.4)]),
        ),
    ),
    "single_class": grouped(
        "users with clicks only, with none, with both",
        *lists(
            ("clicks", [(1, 0.3), (1, 0.9)]),
            ("none", [(0, 0.3), (0, 0.9), (0, 0.1)]),
            ("both", [(1, 0.3), (0, 0.9), (0, 0.1)]),
        ),
    ),
    "all_single": grouped(
        "no group has a pair, though all rows together have",
        *lists((1, [(1, 0.5)]), (2, [(0, 0.4)])),
    ),
    "booleans": grouped(
        "grades as booleans", TIED[0], [bool(y) for y in TIED[1]], TIED[2]
    ),
    "float32": grouped(
        "float32 scores: 0.1 and its neighbour are one score there, two in float64",
        *lists(
            (1, [(1, 0.1), (0, 0.1 + 1e-12), (0, 0.2), (1, -0.2)]),
            (2, [(0, 0.7), (1, 0.7 - 1e-12), (0, 0.6)]),
        ),
        score_type="float32",
    ),
    "neighbours": grouped(
        "scores one unit in the last place apart",
        *lists(
            (1, [(1, 0.5), (0, 0.5 + 2**-53), (1, 0.5 - 2**-54), (0, 0.5 + 2**-52)]),
            (2, [(1, 5e-324), (0, -5e-324), (1, 1.7e308), (0, -1.7e308)]),
        ),
    ),
    "signed_zero": grouped(
        "-0.0 and 0.0 are one score",
        *lists((1, [(1, -0.0), (0, 0.0), (1, -1.0)]), (2, [(0, -0.0), (2, 0.0), (1, 5e-324)])),
    ),
    "negative_scores": grouped(
        "scores are not probabilities",
        *lists((1, [(0, -5), (1, -1), (0, -1), (1, 3.5), (1, -9)]), (2, [(1, -1e9), (0, 1e9)])),
    ),
    "integer_weights": grouped("a weight is that many copies, for GAUC", *TIED, INTEGERS),
    "ugly_weights": grouped("0.1 + 0.2: float sums would depend on order", *TIED, UGLY),
    "zero_weights": grouped(
        "weight 0 is absence: of a best row, of a class, of a whole group",
        *lists(
            (1, [(1, 0.9), (0, 0.8), (1, 0.1)]),
            (2, [(1, 0.5), (0, 0.4), (1, 0.4)]),
            (3, [(1, 0.5), (0, 0.6)]),
            (4, [(1, 0.5), (0, 0.4)]),
        ),
        [0, 1, 2, 1, 0.5, 3, 0, 0, 2, 0],
    ),
    "wide_weights": grouped(
        "weights from 1e-60 to 1e60 in one group: no float sum holds them",
        *lists(
            (1, [(1, 0.9), (0, 0.8), (1, 0.7), (0, 0.9)]), (2, [(1, 0.1), (0, 0.1), (0, 0.0)])
        ),
        [1e-60, 1e60, 1.5, 0.1, 1e-60, 3e-60, 2.0**200],
    ),
    "heavy_weights": grouped(
        "integer weights whose doubles, sums and products pass int64",
        *lists(
            (1, [(1, 0.9), (0, 0.8), (1, 0.7), (0, 0.7)]), (2, [(1, 0.1), (0, 0.1), (0, 0.0)])
        ),
        [2**62, 2**62, 3, 2**62 - 1, 2**61, 2**62 + 1, 1],
    ),
    "no_weight": grouped(
        "every weight is 0: no rows are left", *lists((1, [(1, 0.5), (0, 0.2)])), [0, 0]
    ),
    "group_weights": grouped(
        "a column of weights, the same in all rows of a group, one of them 0",
        *GRADED,
        group_weight=[PER_GROUP[key] for key in GRADED[0][0]],
    ),
    "group_weights_clicks": grouped(
        "a column of weights and row weights",
        *TIED,
        INTEGERS,
        [PER_GROUP[key] for key in TIED[0][0]],
    ),
    "weightless_groups": grouped(
        "a column of weights that are all 0: no mean",
        *lists((1, [(1, 0.5), (0, 0.2)]), (2, [(0, 0.5), (1, 0.1)])),
        group_weight=[0, 0, 0, 0],
    ),
    "documents": grouped("ties that documents break", *GRADED, document=DOCUMENTS),
    "shared_documents": grouped(
        "documents that several queries have in common",
        *GRADED,
        document=_within_group(GRADED[0][0]),
    ),
    "document_bytes": grouped(
        "documents by their bytes: d9 after d10, z before é, Z before z, a after its prefix",
        *lists(
            (1, [(1, 0.5), (0, 0.5), (2, 0.5), (0, 0.5)]),
            (2, [(0, 0.5), (1, 0.5), (0, 0.5), (2, 0.5)]),
        ),
        document=["d10", "d9", "d1", "d", "é", "z", "Z", "\U0001f600"],
    ),
    "unscored": grouped(
        "judged rows that were not retrieved",
        *GRADED[:2],
        _holes(GRADED[2], 11, 0.3),
        document=DOCUMENTS,
    ),
    "unscored_group": grouped(
        "a group of which nothing was retrieved, and an empty one of that kind",
        ([1, 1, 1, 2, 2, 3, 3, 4],),
        [1, 0, 2, 1, 0, 0, 0, 0],
        [0.5, 0.7, None, None, None, None, None, 0.1],
    ),
    "short_and_long": grouped(
        "lists shorter and longer than every cut, one of eleven rows",
        *_random(12, (2, 11, 3, 4, 1), 6, (0, 0, 1, 2)),
    ),
    "cut_ties": grouped(
        "blocks that lie across the cuts 1, 3 and 10",
        *lists(
            (1, [(0, 3.0), (0, 3.0), (1, 2.0), (0, 2.0), (1, 2.0)]),
            (2, [(0, 9.0 - i) for i in range(8)] + [(1, 0.5), (0, 0.5), (0, 0.5), (1, 0.5)]),
            (3, [(0, 2.0), (0, 2.0), (0, 2.0), (0, 2.0), (1, 2.0)]),
        ),
    ),
    "big_blocks": grouped(
        "blocks of 30 and 50 rows, by the closed forms",
        *lists(
            (1, [(i % 5 % 2, 0.5) for i in range(30)] + [(1, 0.9), (0, 0.1)]),
            (2, [(int(i in (7, 31)), 0.5) for i in range(50)]),
            (3, [(1, 0.5) for _ in range(40)]),
        ),
    ),
    "big_graded": grouped(
        "a block of 60 grades, so that most chances of ERR are small",
        *lists((1, [(i * i % 5, 0.5) for i in range(60)]), (2, [(4, 0.5) for _ in range(30)])),
    ),
}  # fmt: skip
