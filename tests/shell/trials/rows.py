"""Rows that several sections read."""

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

SOLD: dict[str, Any] = {  # rates by shop: a 1/4 of 4 rows, b 2/2, c 1/2, d 0/1
    "y": [1, 0, 0, 0, 1, 1, 1, 0, 0],
    "p": [0.5] * 9,
    "shop": list("aaaabbccd"),
}
RATES: dict[str, Any] = {"label": "y", "score": "p", "by": "shop", "metrics": "prevalence"}


def two_rows(path: str) -> None:
    """A file with two rows; pyarrow packs it as the ending of its name says."""
    table = pyarrow.table({"y": [0, 1], "s": [0.1, 0.9]})
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    if path.endswith(".parquet"):
        pyarrow.parquet.write_table(table, path)
    else:
        with pyarrow.output_stream(path, compression="detect") as file:
            file.write(b"y,s\n0,0.1\n1,0.9\n" if "csv" in path else b'{"y": 0, "s": 0.5}\n' * 2)
