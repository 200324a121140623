"""Which logs a path stands for, in the order of time, and short names for them."""

import os
import re
from collections.abc import Sequence
from glob import glob, has_magic
from typing import Any

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.evaluation.saved_state import State
from steelyard.sources.duck.files import ENDINGS, IN_FOLDERS

STATE = ".sy"
READ = (STATE, *(ending for format_ in IN_FOLDERS for ending in ENDINGS[format_]))
NUMBER = re.compile(r"(\d+)")


def is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike)


def is_saved(source: Any) -> bool:
    """Whether a source is a state, or the path of a saved one."""
    return isinstance(source, State) or (is_path(source) and str(source).lower().endswith(STATE))


def expanded(source: Any, *, folders: bool = True) -> list[Any]:
    """The logs of a source: all matches of a pattern, all that is in a folder, or itself.

    A folder that a pattern matches or a folder holds is one log: `day=9/` may have many files.
    folders: whether a folder stands for what is in it
    """
    if not is_path(source):
        return list(source) if isinstance(source, list | tuple) else [source]
    path = os.path.expanduser(os.fspath(source))
    if folders and os.path.isdir(path):
        found = [os.path.join(path, name) for name in os.listdir(path)]
        found = [each for each in found if os.path.isdir(each) or each.lower().endswith(READ)]
    elif has_magic(path) and not os.path.lexists(path):
        found = glob(path, recursive=True)
        if "**" in path:  # it matches a folder, and the files in it too
            found = [each for each in found if not os.path.isdir(each)]
    else:
        return [path]
    found = [each for each in found if not os.path.basename(each).startswith(("_", "."))]
    if not found:
        raise errors.NO_MATCH(pattern=path)
    return in_time_order(found)


def in_time_order(paths: Sequence[str]) -> list[str]:
    """Paths by their names, numbers in them as numbers.

    >>> in_time_order(["day=10.sy", "day=9.sy", "day=09.sy"])
    ['day=09.sy', 'day=9.sy', 'day=10.sy']
    """
    return sorted(paths, key=_parts)


def from_a_shell(paths: Sequence[str]) -> bool:
    """Whether paths are in the order of a pattern that the shell replaced: `day=10` before `day=9`.

    Nobody types such an order.
    """
    return list(paths) == sorted(paths) != in_time_order(paths)


def _parts(path: str) -> tuple[list[Any], str]:
    """Texts and numbers by turns; of numbers their length first, since they may have any."""
    parts: list[Any] = NUMBER.split(path)
    for place in range(1, len(parts), 2):
        digits = parts[place].lstrip("0")
        parts[place] = (len(digits), digits)
    return parts, path


def same(log: Any, other: Any) -> bool:
    """Whether two sources are one file or one object."""
    if not (is_path(log) and is_path(other)):
        return log is other
    return _real(log) == _real(other)


def _real(path: FilePath) -> str:
    """The path without links; as it is with a null byte, which its reader refuses."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return os.fspath(path)


def refuse_a_log_twice(sources: Sequence[Any]) -> None:
    found: dict[str, str] = {}
    for path in (os.fspath(each) for each in sources if is_path(each)):
        real = _real(path)
        if real in found:
            raise errors.LOG_TWICE(path=found[real], other=path)
        found[real] = path


def names(sources: Sequence[Any]) -> list[str]:
    """Names that differ: paths without the folder and the ending that all have, or numbers.

    >>> names(["logs/day=9.parquet", "logs/day=10.parquet"]), names(["logs/a/x.sy", "logs/b/x.sy"])
    (['day=9', 'day=10'], ['a', 'b'])
    >>> names(["a.csv", {"click": [0, 1]}])
    ['a', 'log 2']
    """
    paths = [os.path.normpath(os.fspath(each)) for each in sources if is_path(each)]
    short = dict(zip(paths, _short([path.split(os.sep) for path in paths]), strict=True))
    numbered = enumerate(sources, start=1)
    return [
        short[os.path.normpath(os.fspath(each))] if is_path(each) else f"log {number}"
        for number, each in numbered
    ]


def _short(parts: list[list[str]]) -> list[str]:
    """Paths, given by their parts, without the parts and the ending that all have."""
    while len(parts) > 1 and all(len(each) > 1 and each[0] == parts[0][0] for each in parts):
        parts = [each[1:] for each in parts]
    while len(parts) > 1 and all(len(each) > 1 and each[-1] == parts[0][-1] for each in parts):
        parts = [each[:-1] for each in parts]
    joined = ["/".join(each) for each in parts]
    ending = _ending(joined[0]) if joined else ""
    if ending and all(_ending(each) == ending and each != ending for each in joined):
        return [each.removesuffix(ending) for each in joined]
    return joined


def _ending(name: str) -> str:
    return next((ending for ending in READ if name.endswith(ending)), "")
