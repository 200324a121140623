from collections.abc import Sequence
from typing import Any

from steelyard.kernels.rust.columns import PointColumns
from steelyard.model import Array

_Run = tuple[Array, Array, Array | None, Array | None]
_Runs = tuple[_Run, _Run]

class Points:
    tied: bool

    def __len__(self) -> int: ...
    def fill(
        self, starts: Array, scores: Array, amounts: tuple[Array, Array, Array], threads: int
    ) -> None: ...

def curve_points(
    chunks: Sequence[tuple[Array | None, Array, Array, Array | None]],
    slices: int,
    unit: int,
    points: bool,
    threads: int,
) -> tuple[bytes, Points | None] | None: ...
def curve_sums(points: PointColumns, term: str, sums: Array, threads: int) -> bool: ...
def curve_most(
    points: PointColumns,
    measure: str,
    factors: tuple[Array, Array],
    chosen: tuple[Array, Array, Array],
    threads: int,
) -> None: ...
def elementary(
    function: str, values: Array, happened: Array | None, result: Array, threads: int
) -> None: ...
def group_areas(
    rows: tuple[Array, int, Array, Array, Array | None, Sequence[Array]],
    weights: Array | None,
    unit: int,
    counts: Array | None,
    threads: int,
) -> list[list[tuple[bytearray, str]]] | None: ...
def rank_lists(
    rows: tuple[Array, int, Array, Array, Array | None, Sequence[Array]],
    ties: str,
    keys: Array | None,
    threads: int,
) -> list[list[tuple[bytearray, str]]]: ...
def list_gains(
    lists: tuple[Array, Array, Array, Array, tuple[Array, Array] | None],
    term: tuple[str, int, float, bool, float, Array],
    result: Array,
    threads: int,
) -> bool: ...
def sort_scores(
    chunks: Sequence[tuple[Array | None, Array, Array, Array | None]],
    slices: int,
    sides: Sequence[tuple[Array, Array, Array | None]],
    threads: int,
) -> bool: ...
def line_areas(
    chunks: Sequence[tuple[Array | None, Array, Array, Array]],
    slices: int,
    columns: tuple[tuple[Array, Array], tuple[Array, Array]],
    threads: int,
) -> bool: ...
def gather(column: Array, places: Array, result: Array, threads: int) -> None: ...
def code_keys(columns: Sequence[Any], codes: Array, threads: int) -> bytearray: ...
def plain_rows(labels: Array, scores: Array) -> tuple[int, float, float] | None: ...
def plain_area(labels: Array, scores: Array) -> tuple[int, int, int, int] | None: ...
def plain_terms(
    labels: Array, scores: Array, formulas: tuple[str, ...]
) -> tuple[int, float, float, int, list[int] | None] | None: ...
def plain_group_areas(labels: Array, scores: Array, keys: Array) -> bytearray | None: ...
def plain_level_bins(
    labels: Array, scores: Array, bins: int
) -> tuple[list[int], list[int], bytearray] | None: ...
def plain_list_terms(
    labels: Array,
    scores: Array,
    keys: Array | None,
    ties: str,
    terms: list[tuple[str, int, float, bool, float]],
    discounts: Array,
) -> bytearray | None: ...
def has_formula(formula: str) -> bool: ...
def add_terms(
    lines: Sequence[tuple[Array | None, int]],
    rows: tuple[object, ...],
    terms: Sequence[tuple[str, bool]],
    threads: int,
) -> list[list[tuple[list[int], bytearray]]] | None: ...
def rank_keys(
    left: Array, right: Array | None, width: int, ranks: Array, threads: int
) -> bytearray: ...
def group_ends(codes: Array, column: Array, low: Array, high: Array, threads: int) -> None: ...
def bring_together(codes: Array, starts: Array, order: Array) -> None: ...
def level_bins(
    runs: _Runs, totals: Array, below: Array, bins: int, threads: int
) -> list[bytearray] | None: ...
def level_sums(
    run: _Run, bounds: Array, term: str, downsampled: float | None, threads: int
) -> list[tuple[int, bytearray]] | None: ...
def level_hull(runs: _Runs, threads: int) -> list[bytearray] | None: ...
def level_cells(
    runs: _Runs, bits: Array, downsampled: float | None, clip: float | None, threads: int
) -> tuple[bytearray, list[bytearray], bytearray, bytearray] | None: ...
def sorted_areas(runs: _Runs, threads: int) -> list[bytearray] | None: ...
def heaviest_slice(runs: _Runs, threads: int) -> int | None: ...
def placements(runs: _Runs, columns: Sequence[tuple[Array, Array]], threads: int) -> None: ...
def sums_by_code(
    of_rows: Array | None, count: int, values: Array, factors: Array | None, threads: int
) -> tuple[list[int], bytearray]: ...
def count_codes(
    rows: int, of_rows: Array | None, chosen: Array | None, counts: Array, threads: int
) -> None: ...
def column_ends(values: Array, threads: int) -> tuple[float, float]: ...
def lowest_bit(values: Array, threads: int) -> int | None: ...
def bin_codes(
    score: Array, outside: bool, downsampled: float | None, bins: int, made: Array, threads: int
) -> None: ...
