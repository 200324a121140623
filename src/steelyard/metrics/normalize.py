"""The parameter `normalize` of confusion tables."""

from dataclasses import replace
from typing import Any

from steelyard.metrics.parameter import Parameter, choice


def _normalize() -> Parameter:
    named = choice(
        *("normalize", None, "true", "pred", "all"),
        means="cells as shares of their true class (true), predicted class (pred) or all rows",
    )

    def read(value: Any) -> Any:
        return named.read("true" if value is True else value)  # a spec reads the word as a flag

    return replace(named, read=read)


NORMALIZE = _normalize()
