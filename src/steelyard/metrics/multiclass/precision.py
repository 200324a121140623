"""Precision: the share of the rows called a class that are of it, averaged over the classes."""

from steelyard.metrics.about import About
from steelyard.metrics.class_metrics import ClassMetric, OneVsRest, Quotient


def precision(cells: OneVsRest) -> Quotient:
    return cells.tp, cells.tp + cells.fp


METRIC = ClassMetric(
    name="precision",
    doc=__doc__,
    about=About(
        formula="P_c = TP_c / (TP_c + FP_c) · macro: mean of P_c · micro: ΣTP / Σ(TP+FP) · "
        "weighted: Σ n_c·P_c / Σ n_c",
        tex=r"P_c = \frac{TP_c}{TP_c + FP_c},\qquad P_{macro} = \frac{1}{|C|}\sum_{c \in C} P_c",
        reading="How far a predicted class can be believed: each class is taken against all "
        "others, and the classes' values are averaged. Macro lets every class count the same, "
        "weighted lets it count as its true rows weigh, micro pools all rows.",
        range="0 to 1",
        better="higher",
        pitfalls=(
            (
                "Weighted leaves a class that is never predicted out as macro does, however many "
                "rows are of it: read the classes used beside it, or say zero_division=0."
            ),
            (
                "A class that is never predicted has no precision (0/0): it is left out and "
                "counted, where scikit-learn takes it as 0; zero_division=0 does so here."
            ),
            "With one prediction a row, micro precision, recall and F1 are all the accuracy.",
            "Macro gives a class of ten rows the say of one of a million.",
        ),
        reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
        chinese="精确率（宏平均、微平均、加权平均）",
        example='sy.precision(["a", "b", "b", "c"], y_pred=["a", "b", "a", "c"])',
        seed="004",
    ),
    quotient=precision,
)
