"""Builds the wheel and the sources into dist/, and tries them: python -m tools.wheels.

The wheel has compiled kernels where cargo is found, and serves Python 3.11 and newer. It is
installed into a fresh environment of each interpreter at hand; the sources into two more, with and
without cargo. In each of them the kernels that should be there compute an AUC.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMES = [f"python3.{minor}" for minor in range(11, 21)]
# Of the four pairs of a positive and a negative, three are in the right order.
TRIAL = """
import sys, steelyard as sy
from steelyard import kernels
assert sy.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) == 0.75
found = sorted(kernels.available())
assert found == sys.argv[1].split(), found
"""


def build(folder: Path) -> tuple[Path, Path]:
    """The wheel and the sources; the wheel is built from the sources."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(made.stdout[-2000:] + made.stderr[-8000:])
    (wheel,), (sources,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sources


def interpreters() -> Iterator[Path]:
    """One of each version of Python that can run steelyard, on the path or of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for name in NAMES:
        places = [Path(found) for found in [shutil.which(name)] if found]
        for place in places + sorted(pyenv.glob(f"*/bin/{name}")):
            # A shim of pyenv is there for versions that are not in use, and fails.
            command = [str(place), "-c", "import ensurepip, venv"]
            if not subprocess.run(command, capture_output=True, check=False).returncode:
                yield place
                break


def without_cargo() -> dict[str, str]:
    """This environment, with no folder on the path that has cargo."""
    folders = os.environ["PATH"].split(os.pathsep)
    kept = [folder for folder in folders if not Path(folder, "cargo").exists()]
    return os.environ | {"PATH": os.pathsep.join(kept)}


def try_one(python: Path, package: Path, kernels: str, environment: dict[str, str]) -> None:
    """Installs a package into a fresh environment, and computes with it."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = f"{folder}/bin/python"
        install = [fresh, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in (
            [str(python), "-m", "venv", folder],
            [*install, str(package)],
            [fresh, "-I", "-c", TRIAL, kernels],
        ):
            subprocess.run(command, check=True, cwd=folder, env=environment)


def say(line: str) -> None:
    sys.stdout.write(f"wheel: {line}\n")
    sys.stdout.flush()


def main() -> None:
    wheel, sources = build(ROOT / "dist")
    compiled = "numpy rust" if shutil.which("cargo") else "numpy"
    here = dict(os.environ)
    for made in (wheel, sources):
        say(f"{made.relative_to(ROOT)}, {made.stat().st_size / 1e6:.1f} MB")
    for python in interpreters():
        try_one(python, wheel, compiled, here)
        say(f"the wheel works with {python.name}, kernels: {compiled}")
    try_one(Path(sys.executable), sources, compiled, here)
    say(f"the sources install, kernels: {compiled}")
    try_one(Path(sys.executable), sources, "numpy", without_cargo())
    say("the sources install without cargo, kernels: numpy")


if __name__ == "__main__":
    main()
