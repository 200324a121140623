"""Paths, patterns and folders → the files to read, in order, and their format."""

import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from urllib.parse import unquote

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.sources.file_kind import refuse_other_than_files

TEXT, JSON, PARQUET, DUCKDB, SQLITE = "text", "JSON", "Parquet", "DuckDB", "SQLite"
PACKED = (".gz", ".zst")
ENDINGS = {
    TEXT: tuple(one + way for one in (".csv", ".tsv") for way in ("", *PACKED)),
    JSON: tuple(one + way for one in (".jsonl", ".ndjson", ".json") for way in ("", *PACKED)),
    PARQUET: (".parquet", ".parq", ".pq"),
    DUCKDB: (".duckdb", ".ddb", ".db"),
    SQLITE: (".sqlite", ".sqlite3", ".db"),
}
IN_FOLDERS = (TEXT, JSON, PARQUET)
MAGIC = {DUCKDB: (8, b"DUCK"), SQLITE: (0, b"SQLite format 3\0")}
PARTITION = re.compile(r"([^=/\\]+)=([^/\\]*)")
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class Files:
    """Files of one format, in the order they are read."""

    paths: tuple[str, ...]
    format: str

    def partitions(self) -> dict[str, list[str]]:
        """The keys in the names of the folders, `day=1/x.csv`, and their values."""
        found = [partitions(path) for path in self.paths]
        if any(each.keys() != found[0].keys() for each in found):
            return {}  # DuckDB requires the same keys in all paths
        return {key: sorted({each[key] for each in found} - {NO_VALUE}) for key in found[0]}


def find(source: FilePath | Iterable[FilePath]) -> Files:
    """The files of paths, patterns and folders. A path that exists is not read as a pattern."""
    given = [source] if isinstance(source, str | os.PathLike) else list(source)
    paths = [path for one in given for path in _expanded(os.fspath(one))]
    if not paths:
        raise errors.NO_MATCH(pattern=str(source))
    _refuse_a_file_twice(paths)
    formats = [format_of(path) for path in paths]
    for path, format_ in zip(paths, formats, strict=True):
        if format_ != formats[0]:
            raise errors.MIXED_FORMATS(
                path=paths[0], format=formats[0], other=path, other_format=format_
            )
    return Files(tuple(paths), formats[0])


def _refuse_a_file_twice(paths: Sequence[str]) -> None:
    """Rows count once: a file that two paths, patterns or links name is a mistake."""
    found: dict[str, str] = {}
    for path in paths if len(paths) > 1 else ():
        real = os.path.realpath(path)
        if real in found:
            raise errors.FILE_TWICE(path=found[real], other=path)
        found[real] = path


def _expanded(path: str) -> list[str]:
    if path.startswith("~") and not os.path.lexists(path):
        path = os.path.expanduser(path)  # as a shell would
    if os.path.isdir(path):
        return _in_folder(path)
    if os.path.lexists(path):
        return [path]
    if not has_magic(path):
        raise errors.NO_FILE(path=path)
    matched = sorted(name for name in glob(path, recursive=True) if not _is_hidden(name))
    if not matched:
        raise errors.NO_MATCH(pattern=path)
    files = [name for name in matched if not os.path.isdir(name)]
    folders = [name for name in matched if os.path.isdir(name)]
    if folders:  # `**` matches a folder and the files in it: each file once
        files += _in_folders(path, folders, needed=not files)
    return list({os.path.normpath(file): file for file in sorted(files)}.values())


def _in_folder(folder: str) -> list[str]:
    return _in_folders(folder, [folder], needed=True)


def _in_folders(given: str, folders: Iterable[str], *, needed: bool) -> list[str]:
    """The files of folders, sorted; a file with the name of no format is skipped, and said to be.

    given: the folder or pattern that the user gave; needed: whether there must be such files
    """
    endings = tuple(ending for format_ in IN_FOLDERS for ending in ENDINGS[format_])
    files = sorted(dict.fromkeys(file for folder in folders for file in _below(folder)))
    found = [file for file in files if file.lower().endswith(endings)]
    if needed and not found:
        reason = f"the folder holds no file whose name ends in one of {', '.join(endings)}"
        raise errors.UNREADABLE(path=given, reason=reason)
    if len(found) < len(files):
        others = sorted(set(files) - set(found))
        warnings.warn(errors.skipped(others), stacklevel=2)
    return found


def _below(folder: str) -> Iterator[str]:
    """The files below a folder; linked folders are followed, each folder is read once."""

    def refuse(error: OSError) -> None:
        reason = error.strerror or str(error)
        raise errors.UNREADABLE(path=str(error.filename), reason=reason) from error

    seen = {os.path.realpath(folder)}
    for place, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        shown = [name for name in sorted(folders) if not _is_hidden(name)]
        real = {name: os.path.realpath(os.path.join(place, name)) for name in shown}
        folders[:] = [name for name in shown if real[name] not in seen]
        seen |= set(real.values())
        yield from (os.path.join(place, name) for name in names if not _is_hidden(name))


def _is_hidden(path: str) -> bool:
    """Whether a file is not data but a mark or a checksum of the tool that wrote the folder."""
    return os.path.basename(path).startswith(("_", "."))


def format_of(path: str) -> str:
    """The format of a file, from its name; refused if it cannot be read or is empty."""
    try:
        os.path.abspath(path).encode()
    except UnicodeEncodeError:  # DuckDB accepts only UTF-8
        reason = "its path is not UTF-8, rename it or set a UTF-8 locale"
        raise errors.UNREADABLE(path=path, reason=reason) from None
    format_ = ending(path)
    refuse_other_than_files(path)
    try:
        with open(path, "rb") as file:
            start = file.read(16)
    except OSError as error:
        raise errors.UNREADABLE(path=path, reason=error.strerror or str(error)) from error
    if not start:
        raise errors.UNREADABLE(path=path, reason="the file is empty")
    if format_ not in MAGIC:
        return format_
    for known, (place, magic) in MAGIC.items():
        if start[place : place + len(magic)] == magic:
            return known
    raise errors.UNREADABLE(path=path, reason="it is neither a DuckDB nor an SQLite database")


def ending(path: str) -> str:
    """The format of a file, from the ending of its name."""
    for format_, endings in ENDINGS.items():
        if path.lower().endswith(endings):
            return format_
    known = ", ".join(dict.fromkeys(one for endings in ENDINGS.values() for one in endings))
    reason = (
        f"its name ends in none of {known}: rename it, or read it from standard input (-); "
        "steelyard trec and steelyard letor read TREC and LETOR files, and --compare compares them"
    )
    raise errors.UNREADABLE(path=path, reason=reason)


def is_named(path: str, format_: str) -> bool:
    """Whether the ending of a file's name stands for this format and no other."""
    others = [one for other, endings in ENDINGS.items() if other != format_ for one in endings]
    return path.lower().endswith(ENDINGS[format_]) and not path.lower().endswith(tuple(others))


def partitions(path: str) -> dict[str, str]:
    """The keys and values in the names of a file's folders."""
    folders = re.split(r"[/\\]", os.path.dirname(path))
    found = filter(None, map(PARTITION.fullmatch, folders))
    return {unquote(each[1]): unquote(each[2]) for each in found}
