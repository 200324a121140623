from collections.abc import Sequence

from steelyard.model import Array

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
def elementary(
    function: str, values: Array, happened: Array | None, result: Array, threads: int
) -> None: ...
def has_formula(formula: str) -> bool: ...
def add_terms(
    lines: Sequence[tuple[Array | None, int]],
    rows: tuple[object, ...],
    terms: Sequence[tuple[str, bool]],
    threads: int,
) -> list[list[tuple[list[int], bytearray]]] | None: ...
def sums_by_code(
    of_rows: Array | None, count: int, values: Array, factors: Array | None, threads: int
) -> tuple[list[int], bytearray]: ...
def count_codes(
    rows: int, of_rows: Array | None, chosen: Array | None, counts: Array, threads: int
) -> None: ...
def column_ends(values: Array, threads: int) -> tuple[float, float]: ...
def bin_codes(
    score: Array, outside: bool, downsampled: float | None, bins: int, made: Array, threads: int
) -> None: ...
