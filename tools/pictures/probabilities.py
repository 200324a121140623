"""Pictures of probabilities: calibration before and after the correction."""

import numpy as np

import steelyard as sy
from steelyard.report.charts import calibration
from steelyard.report.charts.series import Series
from tools.pictures import examples
from tools.pictures.curves import Panels, words


def reliability() -> Panels:
    """Predictions of a model trained on a tenth of the negatives, as they are and corrected."""
    trained, shown = np.array(examples.TRAINED), examples.SHOWN
    clicks = np.array(examples.CLICKS)
    label = np.repeat([1, 0], len(trained))
    score, weight = np.tile(trained, 2), np.concatenate([clicks, shown - clicks])
    curves = [
        Series(
            shape=sy.calibration_curve(label, score, sample_weight=weight, downsampled=share),
            name=name,
            colour=colour,
        )
        for colour, (name, share) in enumerate((("as trained", 1), ("corrected", examples.SHARE)))
    ]
    return [[words(calibration.chart(curves), title="Trained on one negative in ten")]]
