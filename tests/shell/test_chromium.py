"""The browser of the tests: installing it tells why it cannot be done, and never fails or hangs."""

from pathlib import Path

import pytest

from tools import chromium

SUCCESS = "exit 0"
FAILURE = "echo 'W: slow' >&2; echo 'E: Unable to locate package' >&2; exit 100"


def with_apt(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str, user: int = 0) -> None:
    """A PATH with nothing but an apt-get that notes how it was called, and a user."""
    apt = folder / "apt-get"
    apt.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/calls"\n{script}\n', encoding="utf-8")
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("STEELYARD_CHROMIUM", raising=False)
    monkeypatch.setattr("os.geteuid", lambda: user)


@pytest.mark.parametrize(
    ("script", "user", "why"),
    [
        (SUCCESS, 0, None),
        (SUCCESS, 1000, "this needs root"),
        (FAILURE, 0, "apt-get update failed: E: Unable to locate package"),
        ("exit 7", 0, "apt-get update failed: no reason given"),
        ("while :; do :; done", 0, "apt-get update took longer than 0.2 s"),
    ],
)
def test_why_it_is_not_installed(
    script: str, user: int, why: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_apt(monkeypatch, tmp_path, script, user)
    monkeypatch.setattr(chromium, "INSTALL_SECONDS", 0.2 if "while" in script else 60)
    assert chromium.install() == why


def test_nothing_is_done_without_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_apt(monkeypatch, tmp_path, SUCCESS)
    (tmp_path / "apt-get").unlink()
    assert chromium.install() == "there is no apt-get"


def test_it_is_installed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_apt(monkeypatch, tmp_path, f'echo > "{tmp_path}/chromium"; /bin/chmod +x {tmp_path}/*')
    chromium.main()
    assert chromium.executable() == str(tmp_path / "chromium")
    chromium.main()
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert [call.split()[5] for call in calls] == ["update", "install"]
    assert calls[1].endswith("-y --no-install-recommends chromium fonts-dejavu-core")
    assert capsys.readouterr().err == "chromium: installing it for the tests in a browser\n"


def test_a_failure_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_apt(monkeypatch, tmp_path, FAILURE)
    chromium.main()
    told = capsys.readouterr().err
    assert "not installed, since apt-get update failed: E: Unable to locate package" in told
    assert "STEELYARD_CHROMIUM=path/to/chrome" in told
