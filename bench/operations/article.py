"""The code of the article that GAUC comes from, loaded from it where it is at hand."""

import ast
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

from bench.operations.operation import Columns

SHARED = Path(__file__).parents[3] / "shared"
ARTICLE = Path(os.environ.get("STEELYARD_SHARED", SHARED)) / "seeds" / "000_f819256a389f182d.txt"


class MissingArticleError(RuntimeError):
    """The article is not beside this checkout."""


@cache
def function(name: str) -> Callable[..., float]:
    """A function of the article, unchanged: the first of this name."""
    if not ARTICLE.exists():
        raise MissingArticleError(f"{ARTICLE.name} is missing")
    blocks = ARTICLE.read_text().split("```")[1::2]
    block = next(block for block in blocks if f"def {name}(" in block)
    made: dict[str, Callable[..., float]] = {}
    exec(compile(ast.parse(block.removeprefix("python")), ARTICLE.name, "exec"), made)
    return made[name]


def auc(columns: Columns) -> float:
    """Every pair of a positive and a negative is looked at: n² of them."""
    return function("calculate_auc")(columns["label"], columns["score"])


def gauc(columns: Columns) -> float:
    """Rounded to four digits."""
    lists = (columns[name].tolist() for name in ("label", "score", "user"))
    return function("cal_group_auc")(*lists)
