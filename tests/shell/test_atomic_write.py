"""Files are whole or not there."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from steelyard.atomic_write import temporary_path, write_atomically
from steelyard.errors import SourceError

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes, rights and signals")


def test_text_is_utf8_and_line_ends_are_as_given(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new", "é\r\n\n")
    assert (tmp_path / "new").read_bytes() == b"\xc3\xa9\r\n\n"
    write_atomically(str(tmp_path / "new"), b"\xff")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"\xff"]


@pytest.mark.parametrize("fails", ["fsync", "replace"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_failure_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str, error: BaseException
) -> None:
    def failing(*_: object) -> None:
        raise error

    (tmp_path / "there").write_text("the one before")
    monkeypatch.setattr(os, fails, failing)
    expected = SourceError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as caught:
        write_atomically(tmp_path / "there", "new")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the one before"]
    if isinstance(error, OSError):
        assert str(caught.value).endswith("there' cannot be written: No space left on device.")


@posix
def test_a_kill_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    code = (
        "import os, signal\n"
        "from steelyard.atomic_write import temporary_path\n"
        f"with temporary_path({str(tmp_path / 'there')!r}) as part, open(part, 'w') as file:\n"
        "    file.write('half'), file.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code])
    assert done.returncode == -signal.SIGKILL
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]


def test_the_content_may_be_written_by_the_caller(tmp_path: Path) -> None:
    with temporary_path(tmp_path / "there") as part:
        assert not Path(part).exists()
        assert Path(part).parent == tmp_path
        Path(part).write_text("whole")
        assert not (tmp_path / "there").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_a_place_that_cannot_be_written_is_a_source_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be written: No such file or directory"):
        write_atomically(tmp_path / "none" / "x", "")
    with pytest.raises(SourceError, match=r"Is a directory|Access is denied"):
        write_atomically(tmp_path, "")
    with pytest.raises(SourceError, match="it holds what is not UTF-8 text"):
        write_atomically(tmp_path / "x", "\ud800")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("x" * 255), "long")
    assert (tmp_path / ("x" * 255)).read_text() == "long"


@posix
def test_permissions_stay_and_new_files_get_the_default(tmp_path: Path) -> None:
    for name in ("old", "plain", "new"):
        (tmp_path / name).touch()
    (tmp_path / "old").chmod(0o640)
    (tmp_path / "new").unlink()
    for name in ("old", "new"):
        write_atomically(tmp_path / name, "x")
    rights = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert rights == {"old": 0o640, "plain": rights["plain"], "new": rights["plain"]}


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("there")
    write_atomically(tmp_path / "link", "first")
    write_atomically(tmp_path / "link", "second")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_text() == "second"


@posix
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_atomically(pipe, "through")
    reader.join(10)
    assert read == ["through"]
    assert pipe.is_fifo()
