"""The small log that tests of the command line read."""

from pathlib import Path

import pytest

from tests.shell.run import CLICK, PCTR


@pytest.fixture
def log(tmp_path: Path) -> str:
    """A CSV file of four rows: click, pctr, w and bought."""
    path = tmp_path / "log.csv"
    rows = zip(CLICK, PCTR, [1, 2, 3, 4], ["no", "no", "yes", "yes"], strict=True)
    lines = ["click,pctr,w,bought", *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)
