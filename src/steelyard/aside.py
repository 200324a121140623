"""Files written aside and renamed: temporary until the real one is merged."""

import os
from pathlib import Path

from steelyard import errors


def write_aside(path: str | os.PathLike[str], data: str | bytes) -> None:
    try:
        Path(path).write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise errors.UNWRITABLE(path=os.fspath(path), reason=error.strerror) from error
