"""Presets: the conventions of other tools.

Every other file of this folder is one tool: the file's name is the name of the preset, PRESET its
conventions. NumPy is not imported here, because shell completion reads the names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Preset:
    """The conventions of another tool, where they differ from ours.

    parameters: other defaults, by the metric's function
    family_parameters: other defaults of all metrics of a family, by the family
    undefined: the number it shows where there is no value, by the metric's function
    score_type: the type it compares scores in; None: the type that they have
    clips: whether it clips probabilities, at the epsilon of their type, for logarithms
    differs: where the tool's number still is another one, by the role that the metric reads and
        its name
    """

    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    family_parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    undefined: Mapping[str, float] = field(default_factory=dict)
    score_type: str | None = None
    clips: bool = False
    differs: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def defaults(self, function: str, family: str) -> dict[str, Any]:
        """The other defaults of a metric."""
        return {**self.family_parameters.get(family, {}), **self.parameters.get(function, {})}


def notes(tool: str | None, reads: str, metrics: Iterable[str]) -> list[str]:
    """Where the numbers of metrics, by their printed names, still differ from the tool's."""
    preset = every().get(tool or "")
    if preset is None:
        return []
    plain = dict.fromkeys(metric.partition("@")[0].partition("(")[0] for metric in metrics)
    found = [(name, text) for name in plain if (text := preset.differs.get((reads, name)))]
    return [f"{name} differs from {tool}: {where}" for name, where in found]


@cache
def names() -> tuple[str, ...]:
    """The names of the tools, sorted; no preset is imported for them."""
    files = Path(__file__).parent.glob("*.py")
    return tuple(sorted(path.stem for path in files if path.stem != "__init__"))


@cache
def every() -> Mapping[str, Preset]:
    """Every preset, by the name of its tool."""
    return {name: import_module(f"{__name__}.{name}").PRESET for name in names()}
