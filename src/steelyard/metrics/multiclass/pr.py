"""PR curves of many classes: that of each class against all others, by the class's own score.

A class that has no rows has a single point of NaN.
"""

from steelyard.metrics.class_curves import ClassCurveMetric
from steelyard.model import PrecisionRecallOfClasses

METRIC = ClassCurveMetric(
    make=PrecisionRecallOfClasses,
    formula=(
        "for each class c: (TP_c(t)/P_c, TP_c(t)/(TP_c(t) + FP_c(t))), c against all others by its "
        "score s_c"
    ),
    tex=(
        r"\left(\frac{\mathrm{TP}_c(t)}{P_c}, \frac{\mathrm{TP}_c(t)}{\mathrm{TP}_c(t) + "
        r"\mathrm{FP}_c(t)}\right)_{c \in C}"
    ),
    chinese="多分类 PR 曲线（一对其余）",
    example='sy.pr(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])',
    aliases=("precision_recall_curve",),
    shape=PrecisionRecallOfClasses,
)
