"""Matthews correlation coefficient: the correlation of label and call.

(TP·TN − FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN))

>>> import steelyard as sy
>>> sy.mcc([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
1.0

Matthews (1975), Biochimica et Biophysica Acta 405(2):442.
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import ALL_CALLED, NONE_CALLED, lacking, root_ratio
from steelyard.model import Value


def mcc(cells: Counts) -> Value:
    tp, fp, fn, tn, _ = cells
    called, spared = tp + fp, tn + fn
    square = called * spared * cells.positives * cells.negatives
    absent = lacking(cells.positives, cells.negatives, ("positives", "negatives"))
    return absent or root_ratio(tp * tn - fp * fn, square, ALL_CALLED if called else NONE_CALLED)


METRIC = CountMetric(name="mcc", doc=__doc__, value=mcc)
