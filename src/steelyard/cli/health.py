"""The environment of steelyard as facts, and which of them are broken."""

import os
import platform
import sys
import tempfile
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from steelyard import __version__
from steelyard.cli import terminal

REQUIRED_PACKAGES = ("numpy", "duckdb", "nanoarrow", "click", "jinja2")
# Libraries of data frames and of plots; their version is read without importing them.
OPTIONAL_PACKAGES = ("pandas", "polars", "pyarrow", "matplotlib")


class Fact(NamedTuple):
    """One line of the report: name, value, and whether the value is a fault."""

    name: str
    value: str
    broken: bool = False


def facts() -> list[Fact]:
    """Everything that helps in a bug report."""
    return [
        Fact("steelyard", __version__),
        Fact("python", f"{platform.python_version()} ({sys.executable})"),
        Fact("system", platform.platform()),
        *(Fact(name, *_version(name, needed=True)) for name in REQUIRED_PACKAGES),
        *(Fact(name, *_version(name, needed=False)) for name in OPTIONAL_PACKAGES),
        *_kernels(),
        Fact("reading files", *_imports("steelyard.sources.duck.connection")),
        Fact("threads", *_threads()),
        Fact("memory", _memory()),
        Fact("temporary folder", *_temporary()),
        *_streams(),
    ]


def _version(name: str, *, needed: bool) -> tuple[str, bool]:
    try:
        return version(name), False
    except PackageNotFoundError:
        return "not installed", needed


def _kernels() -> list[Fact]:
    try:
        from steelyard import kernels

        active, there = kernels.active(), kernels.available()
    except Exception as error:
        return [Fact("kernels", _broken(error), True)]
    names = [name for name, these in there.items() if these is active]
    return [
        Fact("kernels in use", ", ".join(names)),
        Fact("kernels available", ", ".join(there)),
        Fact("a small sum", *_small_auc()),
    ]


def _threads() -> tuple[str, bool]:
    try:
        from steelyard.kernels import threads

        return str(threads.most()), False
    except Exception as error:
        return _broken(error), True


def _small_auc() -> tuple[str, bool]:
    """Whether the AUC of four rows is right: three of four pairs are in order."""
    try:
        from steelyard.functions import plain_function

        area = plain_function("auc")([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    except Exception as error:
        return _broken(error), True
    return ("right", False) if area == 0.75 else (f"wrong: {area!r} instead of 0.75", True)


def _imports(module: str) -> tuple[str, bool]:
    try:
        import_module(module)
    except Exception as error:
        return _broken(error), True
    return "works", False


def _broken(error: Exception) -> str:
    return f"broken: {type(error).__name__}: {' '.join(str(error).split())}"


def _memory() -> str:
    """The memory of the machine and how much is available, if the system reports it."""
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        total, free = (page * os.sysconf(f"SC_{kind}PHYS_PAGES") for kind in ("", "AV"))
    except (AttributeError, OSError, ValueError):
        return "unknown"
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:  # counts caches as available
            found = dict(line.split(":", 1) for line in lines)
        free = int(found["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass
    return f"{total / 2**30:.1f} GiB, {free / 2**30:.1f} GiB available"


def _temporary() -> tuple[str, bool]:
    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"steelyard")
    except OSError as error:
        return f"not writable: {error.strerror or error}", True
    return f"{tempfile.gettempdir()}, writable", False


def _streams() -> list[Fact]:
    stream = sys.stdout
    kind = "a terminal" if terminal.is_terminal(stream) else "no terminal"
    encoding = getattr(stream, "encoding", None) or "unknown"
    return [
        Fact("stdout", f"{kind}, encoding {encoding}"),
        Fact("NO_COLOR", os.environ.get("NO_COLOR") or "not set"),
        Fact("TERM", os.environ.get("TERM") or "not set"),
    ]
