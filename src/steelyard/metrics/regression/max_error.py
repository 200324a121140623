"""Max error: the largest error of any row."""

from steelyard.metrics.about import About
from steelyard.metrics.regression.record import RegressionMetric
from steelyard.metrics.value import settled
from steelyard.model import Value
from steelyard.states import Largest


def max_error(state: Largest) -> Value:
    assert state.error is not None
    return settled(state.error)


METRIC = RegressionMetric(
    name="max_error",
    doc=__doc__,
    value=max_error,
    state=Largest,
    about=About(
        formula="max |p − y|",
        tex=r"\max_i |p_i - y_i|",
        reading="How far off the worst prediction is, in the unit of the truth.",
        range="0 and above",
        better="lower",
        pitfalls=(
            "It is one row: often a mistake in the data rather than in the model.",
            "It grows with the number of rows, so samples of different size cannot be compared.",
            "Weights do not enter it, save that a row of weight 0 is absent.",
        ),
        reference="Chebyshev (1854), on the uniform norm of an error.",
        chinese="最大误差",
        example="sy.max_error([3.0, 2.0, 7.0, 1.0], [4.0, 2.0, 7.0, 1.0])",
    ),
)
