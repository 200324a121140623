"""Files read at once, and paths that are no files: a pipe waits for someone who writes, a device
may never end."""

import os
import stat
from pathlib import Path

from steelyard import errors
from steelyard.atomic_write import FilePath, path_text
from steelyard.sources.unchanged import watched

NO_FILE = "it is not a file: write what it gives to one, or pass it to standard input (-)"
ENDLESS = "it is a device, not a file"


def refuse_other_than_files(path: str) -> None:
    """Refuses what cannot be read twice. A path that does not exist is left to its reader."""
    if _exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise errors.UNREADABLE(path=path, reason=NO_FILE)


def refuse_devices(path: FilePath) -> None:
    """Refuses devices such as /dev/zero; a pipe is read to its end."""
    if _exists(path) and stat.S_ISCHR(os.stat(path).st_mode):
        raise errors.UNREADABLE(path=os.fspath(path), reason=ENDLESS)


def read_bytes(path: FilePath) -> bytes:
    """All bytes of a file; a pipe is read to its end."""
    path = path_text(path)
    refuse_devices(path)
    check_unchanged = watched([path])
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise errors.NO_FILE(path=path) from None
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise unreadable(path, error) from error
    check_unchanged()
    return data


def unreadable(path: FilePath, error: Exception) -> errors.SteelyardError:
    """The error for a file, with the reason that Python or the system gives."""
    reason = getattr(error, "strerror", None) or str(error)
    return errors.UNREADABLE(path=os.fspath(path), reason=reason[:1].lower() + reason[1:])


def _exists(path: FilePath) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:  # a null byte
        return False
