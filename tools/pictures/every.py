"""Every picture, by the name of its file."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from tools.pictures import curves, demo, kinds, probabilities
from tools.pictures.panels import WIDTH, drawn

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
WIDTHS = {"demo": 290, "kinds": 345}  # of a panel, where it is not the usual one
PICTURES: dict[str, Callable[[], curves.Panels]] = {
    "demo": demo.demo,
    "kinds": kinds.kinds,
    "roc_steps": curves.roc_steps,
    "threshold": curves.threshold,
    "roc_space": curves.roc_space,
    "crossing": curves.crossing,
    "imbalance": curves.imbalance,
    "rectangles": curves.rectangles,
    "one_vs_rest": curves.one_vs_rest,
    "calibration": probabilities.reliability,
}


@cache
def texts() -> dict[Path, str]:
    """Every file of the folder, as it should be."""
    return {
        FOLDER / f"{name}.svg": drawn(panels(), WIDTHS.get(name, WIDTH))
        for name, panels in PICTURES.items()
    }


def stray() -> set[Path]:
    """Files that are no picture any more."""
    return set(FOLDER.glob("*")) - texts().keys()
