"""Paths that are no files: a pipe waits for someone who writes, a device may never end."""

import os
import stat

from steelyard import errors

NO_FILE = "it is not a file: write what it gives to one, or pass it to standard input (-)"
ENDLESS = "it is a device, not a file"


def refuse_other_than_files(path: str) -> None:
    """Refuses what cannot be read twice. A path that does not exist is left to its reader."""
    if _exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise errors.UNREADABLE(path=path, reason=NO_FILE)


def refuse_devices(path: str | os.PathLike[str]) -> None:
    """Refuses devices such as /dev/zero; a pipe is read to its end."""
    if _exists(path) and stat.S_ISCHR(os.stat(path).st_mode):
        raise errors.UNREADABLE(path=os.fspath(path), reason=ENDLESS)


def _exists(path: str | os.PathLike[str]) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:  # a null byte
        return False
