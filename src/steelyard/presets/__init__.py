"""Presets: the conventions of other tools.

Every other file of this folder is one tool: the file's name is the name of the preset, PRESET its
conventions. NumPy is not imported here, because shell completion reads the names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolDifference:
    """Where the tool's number of a metric still is another one.

    where: "in which case it does this, here that"
    unless: parameters with which the metric has the tool's number after all
    """

    where: str
    unless: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preset:
    """The conventions of another tool, where they differ from ours.

    parameters: other defaults, by the metric's function
    family_parameters: other defaults of all metrics of a family, by the family
    undefined: the number it shows where there is no value, by the metric's function
    score_type: the type it compares scores in; None: the type that they have
    clips: whether it clips probabilities, at the epsilon of their type, for logarithms
    metrics: the tool's name of each metric that was compared with it, by the metric's function
    differs: where the tool's number still is another one, by the role that the metric reads and
        its function
    """

    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    family_parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    undefined: Mapping[str, float] = field(default_factory=dict)
    score_type: str | None = None
    clips: bool = False
    metrics: Mapping[str, str] = field(default_factory=dict)
    differs: Mapping[tuple[str, str], ToolDifference] = field(default_factory=dict)

    def defaults(self, function: str, family: str) -> dict[str, Any]:
        """The other defaults of a metric."""
        return {**self.family_parameters.get(family, {}), **self.parameters.get(function, {})}

    def difference(self, reads: str, function: str, params: Mapping[str, Any]) -> str:
        """Where the number of a metric with these parameters still is another one; "": nowhere."""
        found = self.differs.get((reads, function))
        if found is None or (found.unless and found.unless.items() <= params.items()):
            return ""
        return found.where


@cache
def names() -> tuple[str, ...]:
    """The names of the tools, sorted; no preset is imported for them."""
    files = Path(__file__).parent.glob("*.py")
    return tuple(sorted(path.stem for path in files if path.stem != "__init__"))


@cache
def every() -> Mapping[str, Preset]:
    """Every preset, by the name of its tool."""
    return {name: import_module(f"{__name__}.{name}").PRESET for name in names()}
