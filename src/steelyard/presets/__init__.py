"""Presets: the conventions of other tools, one file a tool, found by looking, never listed.

Every other file of this folder is a tool: its name is the preset's, its PRESET the conventions.
NumPy is not imported here: the command line offers the names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Preset:
    """The conventions of another tool, where they differ from ours.

    parameters: other defaults, by the metric's function
    undefined: what it shows where there is no value, by the metric's function
    score_type: the type it compares scores in, where that is not their own
    clips: whether its logarithms see probabilities cut at the epsilon of the score's type
    """

    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    undefined: Mapping[str, float] = field(default_factory=dict)
    score_type: str | None = None
    clips: bool = False


@cache
def names() -> tuple[str, ...]:
    """The tools, in the order of the alphabet: no folder has one of its own. Imports no preset."""
    files = Path(__file__).parent.glob("*.py")
    return tuple(sorted(path.stem for path in files if path.stem != "__init__"))


@cache
def every() -> Mapping[str, Preset]:
    """Every preset, by the name of its tool."""
    return {name: import_module(f"{__name__}.{name}").PRESET for name in names()}
