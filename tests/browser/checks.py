"""What every page must keep: names for a screen reader, contrast, nothing wider than the window."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imread
from playwright.sync_api import Page

from steelyard.model import Array


def script(name: str) -> str:
    """A function that the page runs; it returns a list of what is wrong, in words."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


NAMES, CONTRAST, TOO_WIDE, FOCUS = map(
    script, ("names.js", "contrast.js", "too_wide.js", "focus.js")
)


def pixels(page: Page) -> Array:
    """The whole page as a matrix of colours from 0 to 1: of nine pixels, one."""
    image: Array = imread(BytesIO(page.screenshot(full_page=True)))
    return image[::3, ::3, :3]


def filled_bands(image: Array, bands: int = 12) -> Array:
    """The share of pixels in each band, from top to bottom, that are not of the back's colour."""
    back = np.median(image.reshape(-1, 3), axis=0)
    ink = np.abs(image - back).max(axis=2) > 0.08
    return np.array([band.mean() for band in np.array_split(ink, bands)])


def tabbed(page: Page, most: int = 300) -> list[dict[str, Any]]:
    """Every element that the Tab key reaches, in order, from the top of the page."""
    reached: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUS)
        if found is None or (reached and found["place"] == reached[0]["place"]):
            return reached
        reached.append(found)
    raise AssertionError(f"Tab never leaves the page: {reached[-1]}")
