from collections.abc import Sequence
from typing import Any

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
def code_keys(columns: Sequence[Any], codes: Array, threads: int) -> bytearray: ...
def rank_keys(
    left: Array, right: Array | None, width: int, ranks: Array, threads: int
) -> bytearray: ...
def group_ends(codes: Array, column: Array, low: Array, high: Array, threads: int) -> None: ...
def bring_together(codes: Array, starts: Array, order: Array) -> None: ...
