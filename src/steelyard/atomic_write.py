"""Atomic writes: a file is written under a temporary name, then renamed, so it is never partial."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from steelyard import errors
from steelyard.phrases import phrase

FilePath = str | os.PathLike[str]
NOT_UTF8 = "it holds what is not UTF-8 text"


def path_text(path: Any) -> str:
    """A path as text; refuses what is none."""
    try:
        return os.fsdecode(path)
    except TypeError:
        wanted = "the path of a file"
        raise errors.OPTION_TYPE(
            name=phrase("path"), type=type(path).__name__, wanted=wanted
        ) from None


def write_atomically(path: FilePath, data: str | bytes) -> None:
    """Replaces the content of a file; if that fails, the old file stays unchanged."""
    with temporary_path(path) as part, open(part, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        if os.path.isfile(part):  # a pipe has no disk to wait for
            os.fsync(file.fileno())


@contextmanager
def temporary_path(path: FilePath) -> Iterator[str]:
    """The name to write to: the file is renamed to `path` at the end, or removed after an error.

    It is in the same folder, since a rename does not cross disks, and short, since `path` may have
    the longest allowed name. A link stays a link. A pipe or a device such as /dev/null is written
    directly: a rename would replace it by a file.
    """
    shown = path_text(path)
    try:
        target = os.path.realpath(shown)
    except ValueError as error:  # a null byte
        raise errors.UNWRITABLE(path=shown, reason=error) from error
    special = os.path.exists(target) and not (os.path.isfile(target) or os.path.isdir(target))
    part = (
        target if special else os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
    )
    try:
        yield part
        if not special:
            with suppress(FileNotFoundError):  # a new file gets the default permissions
                shutil.copymode(target, part)
            os.replace(part, target)
    except OSError as error:
        raise errors.UNWRITABLE(path=shown, reason=error.strerror or error) from error
    except UnicodeEncodeError as error:
        raise errors.UNWRITABLE(path=shown, reason=NOT_UTF8) from error
    finally:
        if not special:
            with suppress(FileNotFoundError):
                os.remove(part)
