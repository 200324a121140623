"""Runs every compiled kernel under less and less memory: the right answer, or MemoryError.

A process of its own, as the limit holds for all of it: `python -m tests.laws.kernels_without_memory
ROWS STEPS`. Writes how many calls found no memory.
"""

import resource
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import (
    GroupedRows,
    ListTerm,
    RankedPairs,
    RowCodes,
    RowTerm,
    ScoreChunk,
    TermColumns,
    Texts,
    Upwards,
)

GROUPS, SLICES = 20_000, 3000


def families(rows: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls of all kernels, each without arguments."""
    rng, rust = np.random.default_rng(1), kernels.available()["rust"]
    scores, positive = rng.random(rows).astype(np.float32), rng.random(rows) < 0.3
    weights, keys = rng.random(rows).astype(np.float32), rng.integers(0, 2**62, rows)
    groups = rng.integers(0, GROUPS, rows).astype(np.uint32)
    slices = rng.integers(0, SLICES, rows).astype(np.uint16)
    one = ScoreChunk(None, scores, positive)
    sliced = ScoreChunk(slices, scores, positive, weights)
    for name, chunk, count, unit in (("one slice", one, 1, 0), ("slices", sliced, SLICES, -60)):
        given = ([chunk], count, unit)
        yield f"areas, {name}", partial(rust.curve_points, *given, points=False)
        yield f"points, {name}", partial(rust.curve_points, *given, points=True)
        # Without weights: such fine ones are NumPy's, whose sort ends a process without memory.
        alone = [chunk._replace(weights=None)]
        yield f"placements, {name}", partial(rust.placements, alone, count, 0)
    chunk = ScoreChunk(slices, scores, positive, clusters=groups)
    yield "sort_scores", lambda: rust.sort_scores([chunk], SLICES, 0)
    lined = ScoreChunk(None, scores, positive, clusters=groups)
    yield "line_areas, one slice", lambda: rust.line_areas([lined], 1, 0, GROUPS)
    yield "line_areas, slices", lambda: rust.line_areas([chunk], SLICES, 0, GROUPS)
    totals, points = rust.curve_points([one], 1, 0, points=True)
    assert points is not None
    upwards = Upwards(*(np.asarray(column, np.int64) for column in totals[:2]))
    for term in ("precision", "pr_segment", "doubled_fp"):
        yield f"curve_sums {term}", partial(rust.curve_sums, points, upwards, term)
    up, down = np.array([1]), np.array([1])
    yield "curve_most", lambda: rust.curve_most(points, upwards, "gain", up, down)
    table = rust.sort_scores([chunk], SLICES, 0)
    yield "line_areas of a table", lambda: rust.line_areas(table, SLICES, 0, GROUPS)
    runs, none = table[:2], np.zeros(SLICES, np.int64)
    counts = np.bincount(slices, minlength=SLICES)
    yield "level_bins", lambda: rust.level_bins(*runs, counts, none, 15)
    yield "level_hull", lambda: rust.level_hull(*runs)
    yield "level_cells", lambda: rust.level_cells(*runs, np.full(SLICES, 12), None, 1e-15)
    bounds = np.arange(len(table.negatives.scores) + 1)
    yield "level_sums", lambda: rust.level_sums(table.negatives, bounds, "squares", None)
    table_slices = (slices.astype(np.int64) % 50, slices)
    for more in ((), table_slices[:1], table_slices):
        grouped = GroupedRows(groups, GROUPS, scores, positive.view(np.uint8), more)
        areas = partial(rust.group_areas, grouped, None, 0, None)
        ranks = partial(rust.rank_lists, grouped, None, "expected", None)
        yield f"group_areas, {len(more)} columns", areas
        yield f"rank_lists, {len(more)} columns", ranks
    lists = rust.rank_lists(grouped, None, "expected", None)[0]
    terms = [ListTerm(name) for name in ("discounted_gain", "ideal_gain", "hits")]
    yield "list_gains", lambda: rust.list_gains(lists, terms)
    texts = np.char.add(b"a key of more than 16 bytes ", keys[: rows // 4].astype("S"))
    data = texts.view(np.uint8)
    width = texts.dtype.itemsize
    column = Texts(np.arange(len(texts)) * width, np.full(len(texts), width), data)
    yield "code_keys of numbers", lambda: rust.code_keys([keys])
    yield "code_keys of two columns", lambda: rust.code_keys([keys, groups])
    yield "code_keys of texts", lambda: rust.code_keys([column])
    yield "rank_keys", lambda: rust.rank_keys((keys,))
    yield "group_ends", lambda: rust.group_ends(groups, GROUPS, keys)
    yield "bring_together", lambda: rust.bring_together(groups, GROUPS)
    lines = [RowCodes(None, 1), RowCodes(slices, SLICES)]
    columns = TermColumns(rows, score=scores, positive=positive, weight=weights, clip=1e-15)
    named = [RowTerm(name, True) for name in ("positive", "log", "square")]
    yield "add_terms", lambda: rust.add_terms(lines, columns, named)
    yield "sums_by_code", lambda: rust.sums_by_code(groups, GROUPS, scores, weights)
    yield "bin_codes", lambda: rust.bin_codes(columns, 15)
    starts = np.array([0, rows])
    ranks_of = [rust.rank_values(starts, each.astype(float), None) for each in (weights, scores)]
    pairs = RankedPairs(starts, None, *ranks_of)
    yield "order_sums", lambda: rust.order_sums(pairs)
    edges = np.arange(rows + 1)
    yield "pair_areas", lambda: rust.pair_areas(edges, positive, slices % 65, 65, None)
    yield "lowest_bit", lambda: rust.lowest_bit(weights)
    plain = positive, scores
    yield "plain_rows", lambda: rust.plain_rows(*plain)
    yield "plain_area", lambda: rust.plain_area(*plain)
    yield "plain_terms", lambda: rust.plain_terms(*plain, ("positive", "log", "square"))
    yield "plain_group_areas", lambda: rust.plain_group_areas(*plain, keys)
    gains = tuple(terms)
    yield "plain_list_terms", lambda: rust.plain_list_terms(*plain, keys, "expected", gains)
    yield "plain_level_bins", lambda: rust.plain_level_bins(*plain, rows // 2)
    yield "log", lambda: rust.log(scores.astype(np.float64))


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, np.ndarray):
        return found.dtype == expected.dtype and bool((found == expected).all())
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(same(found[k], expected[k]) for k in found)
    if isinstance(expected, (tuple, list)):
        return len(found) == len(expected) and all(map(same, found, expected))
    return bool(found == expected)


def limit(more: int | None) -> None:
    """Lets this process have so many bytes more than it has; None: as many as it likes."""
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard if more is None else now + more, hard))


def main(rows: int, steps: int) -> None:
    failed = 0
    for name, call in families(rows):
        expected = call()
        for step in range(steps):
            for number in (1, 2):
                sys.stderr.write(f"{name} {step} {number}\n")
                with threads.limited(number):
                    # From nothing to 64 bytes a row, of which all kernels take less.
                    limit(64 * rows * step // max(steps - 1, 1))
                    try:
                        found = call()
                    except MemoryError:
                        found = None
                    finally:
                        limit(None)
                failed += found is None
                assert found is None or same(found, expected), name
    sys.stdout.write(f"{failed}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
