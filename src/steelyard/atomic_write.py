"""Files that are whole or not there: written aside, then renamed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from steelyard import errors

FilePath = str | os.PathLike[str]


def write_atomically(path: FilePath, data: str | bytes) -> None:
    """A file's new content, at once; where that fails the old file stays as it was."""
    with temporary_path(path) as part, open(part, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        if os.path.isfile(part):  # a pipe has no disk to wait for
            os.fsync(file.fileno())


@contextmanager
def temporary_path(path: FilePath) -> Iterator[str]:
    """The name to write under: it becomes `path` at the end, or goes away where that fails.

    It stands in the same folder, since a rename does not cross disks, and is short, since `path`
    may be as long as names can be. A link stays a link. What is no file (a pipe, /dev/null) is
    written itself: a rename would put a file in its place.
    """
    shown, target = os.fspath(path), os.path.realpath(path)
    special = os.path.exists(target) and not (os.path.isfile(target) or os.path.isdir(target))
    part = (
        target if special else os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
    )
    try:
        yield part
        if not special:
            with suppress(FileNotFoundError):  # the first of its name takes the rights at hand
                shutil.copymode(target, part)
            os.replace(part, target)
    except OSError as error:
        raise errors.UNWRITABLE(path=shown, reason=error.strerror or error) from error
    except UnicodeEncodeError as error:
        raise errors.UNWRITABLE(path=shown, reason="it holds what is not UTF-8 text") from error
    finally:
        if not special:
            with suppress(FileNotFoundError):
                os.remove(part)
