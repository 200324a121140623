"""ROC curves of many classes: that of each class against all others, by the class's own score.

A class that has no rows has a single point of NaN.
"""

from steelyard.metrics.class_curves import ClassCurveMetric
from steelyard.model import RocOfClasses

METRIC = ClassCurveMetric(
    make=RocOfClasses,
    formula="for each class c: (FP_c(t)/N_c, TP_c(t)/P_c), c against all others by its score s_c",
    tex=(r"\left(\frac{\mathrm{FP}_c(t)}{N_c}, \frac{\mathrm{TP}_c(t)}{P_c}\right)_{c \in C}"),
    chinese="多分类 ROC 曲线（一对其余）",
    example='sy.roc(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])',
    aliases=("roc_curve",),
    shape=RocOfClasses,
)
