"""The gallery: every kind of picture that `Result.plot` draws, of the demo's log and of sales."""

from dataclasses import replace
from statistics import NormalDist
from typing import Any

import steelyard as sy
from steelyard.demo.ads_log import ads_log
from steelyard.report.charts.chart import Chart
from steelyard.report.charts.kinds import KINDS, SLICES
from steelyard.report.charts.of_result import chart_of
from tools.pictures.curves import Panels

ACROSS = 3
OF_NUMBERS = ("residuals", "predicted_vs_true")
ADS: dict[str, Any] = {
    "label": "click",
    "score": "pctr",
    "group": "user_id",
    "by": "country",
    "metrics": ["copc", "gauc", "confusion(0.05)"],
}
ROWS = 1_999  # a prime: multiples of a number run through all remainders


def kinds() -> Panels:
    ads = sy.evaluate(ads_log(), **ADS, shapes=True)
    truth, prediction = sales()
    numbers = sy.evaluate(label=truth, prediction=prediction, metrics=["mae", "bias"], shapes=True)
    charts = {kind: chart_of(numbers if kind in OF_NUMBERS else ads, kind) for kind in KINDS}
    charts[SLICES] = chart_of(ads, SLICES, metric="copc", by="country")
    panels = [_named(chart, kind) for kind, chart in charts.items()]
    return [panels[start : start + ACROSS] for start in range(0, len(panels), ACROSS)]


def _named(chart: Chart, kind: str) -> Chart:
    return replace(chart, title=f'r.plot("{kind}")', notes=())


def sales() -> tuple[list[float], list[float]]:
    """Numbers and their predictions: a normal distribution, and errors of another."""
    normal = NormalDist()
    levels = [normal.inv_cdf((row + 0.5) / ROWS) for row in range(ROWS)]
    truth = [round(50 + 12 * level, 2) for level in levels]
    prediction = [round(y + 2 + 5 * levels[row * 811 % ROWS], 2) for row, y in enumerate(truth)]
    return truth, prediction
