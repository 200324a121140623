from collections.abc import Sequence

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
def elementary(
    function: str, values: Array, happened: Array | None, result: Array, threads: int
) -> None: ...
def sort_scores(
    chunks: Sequence[tuple[Array | None, Array, Array, Array | None]],
    slices: int,
    sides: Sequence[tuple[Array, Array, Array | None]],
    threads: int,
) -> bool: ...
def gather(column: Array, places: Array, result: Array, threads: int) -> None: ...
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
