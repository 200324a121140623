"""The source distribution: what is in it is enough to run the tests."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.paths import ROOT

BUILD = "from setuptools.build_meta import build_sdist; build_sdist({folder!r})"


@pytest.mark.full
def test_the_tests_can_be_collected_from_the_source_distribution(tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is not a checkout, but perhaps a source distribution itself")
    tools = tmp_path / "tools"
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(tools)]
    if subprocess.run(
        [*install, "setuptools>=77", "setuptools-rust"], capture_output=True
    ).returncode:
        pytest.skip("setuptools cannot be fetched")
    checkout = tmp_path / "checkout"
    for name in listed.stdout.splitlines():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_bytes((ROOT / name).read_bytes())
    words = [sys.executable, "-c", BUILD.format(folder=str(tmp_path))]
    environment = {"PYTHONPATH": str(tools), "PATH": ""}
    subprocess.run(words, cwd=checkout, check=True, capture_output=True, env=environment)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(tmp_path, filter="data")
    (unpacked,) = (path for path in tmp_path.glob("steelyard-*") if path.is_dir())
    collect = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-n", "0"]
    environment = {"PYTHONPATH": str(unpacked / "src")}
    done = subprocess.run(collect, cwd=unpacked, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-2000:]


def test_what_the_tests_read_is_in_the_source_distribution() -> None:
    """The quick part of the test above, which builds it and collects the tests from it."""
    shipped = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    for folder in ("tests", "tools", "docs", "bench", "rust"):
        assert folder in shipped
    for page in ("CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
        assert page in shipped
