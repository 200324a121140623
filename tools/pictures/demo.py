"""The picture of the README: what the demo's log shows, and what its AUC does not show."""

import numpy as np

import steelyard as sy
from steelyard.demo.ads_log import ads_log
from steelyard.report.charts import calibration, roc
from steelyard.report.charts.chart import Axis, Bars, Chart, Rule
from steelyard.report.charts.series import Series
from steelyard.result.result import Result
from tools.pictures.curves import Panels, words

METRICS = ["auc", "copc", "roc", "calibration_curve"]
WRONG, RIGHT = "BR", "US"


def demo() -> Panels:
    result = sy.evaluate(ads_log(), label="click", score="pctr", by="country", metrics=METRICS)
    return [[_roc(result), _calibration(result), _copc(result)]]


def _roc(result: Result) -> Chart:
    chart = roc.chart([Series(shape=result.shape("roc"), numbers={"auc": result["auc"]})])
    return words(chart, title="How good is it?")


def _calibration(result: Result) -> Chart:
    countries = [
        Series(
            shape=result.shape("calibration_curve", country=country),
            name=country,
            colour=colour,
            numbers={"copc": result.value("copc", country=country)},
        )
        for colour, country in enumerate((RIGHT, WRONG))
    ]
    return words(calibration.chart(countries), title="Do the predictions come true?")


def _copc(result: Result) -> Chart:
    """Bars by country, and 1 where the predictions are right."""
    found = {
        str(row.slice["country"]): row.value
        for row in result.rows
        if row.slice and row.metric == "copc"
    }
    names = tuple(sorted(found))
    places = np.arange(len(names), dtype=float)
    values = np.array([found[name] for name in names])
    wrong = np.array([name == WRONG for name in names])
    bars = [
        Bars(
            low=places[chosen] - 0.36,
            high=places[chosen] + 0.36,
            lengths=values[chosen],
            sideways=True,
            colour=colour,
        )
        for colour, chosen in enumerate((~wrong, wrong))
    ]
    return Chart(
        kind="slices",
        title="And for whom?",
        summary="Clicks over predicted clicks (COPC) by country.",
        x=Axis(label="Clicks over predicted clicks", high=1.2),
        y=Axis(label="Country", names=names),
        marks=(*bars, Rule(x=1.0, name="as predicted", colour=None)),
    )
