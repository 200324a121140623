"""Settings and fixtures that every test shares."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# No deadline: a busy machine is not a fault. Derandomized: a red run is red again.
settings.register_profile("quick", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("full", max_examples=100, deadline=None, derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    """Laws are tried on more examples where the tests marked `full` run too."""
    settings.load_profile("quick" if config.getoption("markexpr") == "not full" else "full")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which the test runs in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def default_signals() -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP as at a terminal, in this process and in its children.

    A background job of a shell starts with SIGINT ignored, nohup with SIGHUP ignored: Python then
    installs no handler, and children inherit what is ignored.
    """
    usual: dict[str, Any] = {
        "SIGINT": signal.default_int_handler,
        "SIGTERM": signal.SIG_DFL,
        "SIGHUP": signal.SIG_DFL,
    }
    present = {getattr(signal, name): usual[name] for name in usual if hasattr(signal, name)}
    before = {number: signal.signal(number, handler) for number, handler in present.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def no_open_figures() -> Iterator[None]:
    """matplotlib keeps every figure that was drawn without `ax`, and warns from the 21st."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
