"""The folder that trials run in."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which the test runs in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
