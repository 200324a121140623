"""The moving parts of a report page, as a user has them: sliders, cells, marks of charts."""

import json
import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

SLIDE = """(slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input", {bubbles: true}));
}"""


@dataclass
class Panel:
    page: Page

    @property
    def data(self) -> Any:
        """What Python has stored for the script."""
        return json.loads(self.page.locator("#data").text_content() or "")

    @property
    def thresholds(self) -> list[float]:
        """The operating points of the first score, by rising threshold; the last is infinite."""
        stored = self.data["scores"][0]["thresholds"]
        assert stored[-1] is None
        return [float(each) for each in stored[:-1]] + [float("inf")]

    def pull(self, place: int, slider: str = "#threshold") -> None:
        """As if the slider was pulled there."""
        self.page.locator(slider).evaluate(SLIDE, str(place))

    @property
    def place(self) -> int:
        return int(self.page.locator("#threshold").input_value())

    @property
    def threshold(self) -> float:
        """The exact threshold at the place of the slider."""
        return self.thresholds[self.place]

    @property
    def threshold_text(self) -> str:
        return self.page.locator("#threshold-value").inner_text()

    def cells(self) -> dict[str, float]:
        """The four cells, as they are shown."""
        return {
            name: number(self.page.locator(f"[data-cell={name}] .count").inner_text())
            for name in ("tp", "fp", "fn", "tn")
        }

    def ratio(self, name: str) -> str:
        return self.page.locator(f"[data-ratio={name}]").inner_text()

    def plot(self, figure: str) -> "Plot":
        return Plot(self.page.locator(f"#figure-{figure} svg.chart"))


@dataclass
class Plot:
    """A chart on the page: from pixels back to numbers."""

    svg: Locator

    def __post_init__(self) -> None:
        self.frame, self.ends = map(self._numbers, ("data-frame", "data-ends"))

    def _numbers(self, name: str) -> list[float]:
        return list(map(float, (self.svg.get_attribute(name) or "").split()))

    def _at(self, x: float, y: float) -> tuple[float, float]:
        (left, top, right, bottom), (x0, x1, y0, y1) = self.frame, self.ends
        across, up = (x - left) / (right - left), (y - bottom) / (top - bottom)
        return x0 + across * (x1 - x0), y0 + up * (y1 - y0)

    def x_at(self, pixel: float) -> float:
        """The number at a place across."""
        return self._at(pixel, 0)[0]

    def _mark(self, role: str) -> Locator:
        return self.svg.locator(f"[data-role='{role}']")

    def line(self, role: str) -> list[tuple[float, float]]:
        """The points of a line."""
        found = re.findall(r"-?[\d.]+", self._mark(role).get_attribute("d") or "")
        places = list(map(float, found))
        return [self._at(x, y) for x, y in zip(places[::2], places[1::2], strict=True)]

    def point(self, role: str) -> tuple[float, float]:
        circle = self._mark(role).locator("circle")
        x, y = (float(circle.get_attribute(name) or "nan") for name in ("cx", "cy"))
        return self._at(x, y)

    def rule(self, role: str) -> float:
        """Where a vertical line stands."""
        ends = {self._mark(role).get_attribute(name) for name in ("x1", "x2")}
        (x,) = ends
        return self.x_at(float(x or "nan"))


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))
