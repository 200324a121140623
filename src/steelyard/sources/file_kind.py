"""Files read at once, and paths that are no files: a pipe waits for someone who writes, a device
may never end."""

import os
import stat
import time
from pathlib import Path

from steelyard import errors
from steelyard.atomic_write import FilePath, path_text
from steelyard.sources.unchanged import watched

NO_FILE = "it is not a file: write what it gives to one, or pass it to standard input (-)"
NO_WRITER = "it is a pipe that nobody writes to; a pipe can be read once"
PATIENCE = 10.0  # seconds to wait for the writer of a pipe
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
    """All bytes of a file; a pipe is read to its end, if anyone writes to it."""
    path = path_text(path)
    refuse_devices(path)
    check_unchanged = watched([path])
    try:
        data = _read_pipe(path) if _is_named_pipe(path) else Path(path).read_bytes()
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


def _is_named_pipe(path: FilePath) -> bool:
    """Whether it is a pipe in a folder, which waits for a writer; a shell's <() is in none."""
    real = os.path.realpath(path)
    return _exists(real) and stat.S_ISFIFO(os.stat(real).st_mode)


def _read_pipe(path: FilePath) -> bytes:
    """The bytes of a named pipe. Opened in the usual way, one without a writer waits for ever."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as pipe:
        start = time.monotonic()
        while (first := pipe.raw.read(1)) == b"":  # None: there is a writer
            if time.monotonic() - start > PATIENCE:
                raise errors.UNREADABLE(path=os.fspath(path), reason=NO_WRITER)
            time.sleep(0.02)
        os.set_blocking(pipe.fileno(), True)
        return (first or b"") + pipe.read()


def _exists(path: FilePath) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:  # a null byte
        return False
