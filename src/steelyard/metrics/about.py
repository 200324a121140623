"""The text of a metric's page, as plain data."""

import re
from dataclasses import dataclass

_ALSO_CALLED = re.compile(r"（[^）]*又称\s*([^）]*)）")
BETTER = ("higher", "lower", "nearer 1", "nearer 0", "depends")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class About:
    """The text of a metric's page.

    formula, tex: the definition, in Unicode and in TeX (without dollar signs)
    reading: how to read a value, in a sentence or two, for someone new to the metric
    range: the possible values, such as "0 to 1"; better: one of BETTER
    pitfalls: common mistakes, one sentence or two for each
    reference: who defined it, and where
    seed: the article of docs/seeds.md that it comes from, "000" to "004"
    chinese: its usual Chinese name, with other names after 又称 ("also called") in parentheses
    example: an expression whose value is computed when the page is shown, such as "sy.auc(…)"
    """

    formula: str
    tex: str
    reading: str
    range: str
    better: str
    pitfalls: tuple[str, ...]
    reference: str
    chinese: str
    example: str
    seed: str | None = None

    @property
    def chinese_names(self) -> list[str]:
        """Its Chinese names: "召回率（又称查全率、灵敏度）" has three."""
        others = [
            each for found in _ALSO_CALLED.findall(self.chinese) for each in found.split("、")
        ]
        return [self.chinese.partition("（")[0], *others]
