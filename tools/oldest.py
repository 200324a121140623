"""Prints the oldest allowed release of each dependency in pyproject.toml, as pip's constraints."""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
# A name, its lower bound, perhaps an upper bound, and perhaps where it is needed.
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)>=(?P<oldest>[0-9.]+)[^;]*(?P<marker>;.*)?")


def oldest(requirements: Iterable[str]) -> Iterator[str]:
    """Each requirement with its lower bound as the only release; those of one series are left out.

    >>> list(oldest(["numpy>=2.2", "duckdb>=1.5,<3", "ruff==0.17.*", "x>=3; sys_platform != 'y'"]))
    ['numpy==2.2', 'duckdb==1.5', "x==3; sys_platform != 'y'"]
    """
    for found in filter(None, map(REQUIREMENT.fullmatch, requirements)):
        yield f"{found['name']}=={found['oldest']}{found['marker'] or ''}"


def main() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    requirements = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    sys.stdout.write("\n".join(oldest(requirements)) + "\n")


if __name__ == "__main__":
    main()
