"""The Chromium that tests and benchmarks open pages in: found, installed and started.

Playwright drives the browser of the system and downloads none. `make chromium` installs the Debian
package where that can be done: as root, with apt-get. It never fails: tests without a browser are
skipped, and say why.
"""

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium", "fonts-dejavu-core")  # without a font, text has no pixels
HOW = (
    "install it (Debian: apt-get install chromium; as root, make chromium does it) or name one: "
    "STEELYARD_CHROMIUM=path/to/chrome"
)
# Root may not use the sandbox, and the shared memory of a container may be 64 MB. The pages that we
# open are our own.
ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage")
START_MS = 60_000
INSTALL_SECONDS = 300


def executable() -> str | None:
    """The path of Chromium, if there is one."""
    named = os.environ.get("STEELYARD_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def start(playwright: "Playwright", path: str) -> "Browser":
    """A headless browser; Playwright's own error if it does not start."""
    return playwright.chromium.launch(
        executable_path=path, args=list(ARGUMENTS), timeout=START_MS, env={**os.environ}
    )


def install() -> str | None:
    """Install the Debian package; why not, where it cannot be done."""
    if os.name != "posix" or os.geteuid() != 0:
        return "this needs root"
    if not (apt := shutil.which("apt-get")):
        return "there is no apt-get"
    patience = ["-o", "Acquire::http::Timeout=20", "-o", "DPkg::Lock::Timeout=60"]
    without_questions = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        try:
            subprocess.run(
                [apt, "-qq", *patience, *words],
                check=True,
                capture_output=True,
                text=True,
                timeout=INSTALL_SECONDS,
                env=without_questions,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return f"apt-get {words[0]} took longer than {INSTALL_SECONDS} s"
        except subprocess.CalledProcessError as error:
            reasons = error.stderr.strip().splitlines() or ["no reason given"]
            return f"apt-get {words[0]} failed: {reasons[-1]}"
    return None


def main() -> None:
    if executable():
        return
    sys.stderr.write("chromium: installing it for the tests in a browser\n")
    if why := install():
        sys.stderr.write(f"chromium: not installed, since {why}. To run these tests, {HOW}\n")


if __name__ == "__main__":
    main()
