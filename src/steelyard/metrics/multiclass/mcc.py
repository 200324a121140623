"""Matthews correlation coefficient of many classes: the correlation of truth and prediction."""

import numpy as np

from steelyard.metrics.class_metrics import CellsMetric
from steelyard.metrics.division import NO_ROWS, root_ratio
from steelyard.metrics.influence import ATANH
from steelyard.model import Floats, Undefined, Value
from steelyard.views.classes import ClassCells
from steelyard.views.cluster_cells import ClusterClasses

ONE_TRUE = "every row is of one class"
ONE_CALLED = "every row is called the same class"


def mcc(cells: ClassCells) -> Value:
    table = cells.table
    all_ = table.all
    chance = sum(t * p for t, p in zip(table.truth, table.predicted, strict=True))
    true, called = (all_**2 - sum(w * w for w in side) for side in (table.truth, table.predicted))
    if all_ == 0:
        return Undefined(NO_ROWS)
    return root_ratio(
        all_ * sum(table.hits) - chance, true * called, ONE_CALLED if true else ONE_TRUE
    )


def slopes(view: ClusterClasses, value: Floats) -> Floats:
    """The derivatives of N/√(A·B): dN/√(A·B) − value·(dA/2A + dB/2B).

    N = Σ hits_c − Σ t_c·p_c, A = Σ t_c·(1 − t_c), B = Σ p_c·(1 − p_c)
    """
    cells, own = view.one_vs_rest, view.slices
    true, called = cells.truth, cells.predicted
    not_true, not_called = cells.fp + cells.tn, cells.fn + cells.tn
    a, b = view.over_classes(true * not_true), view.over_classes(called * not_called)
    hits = view.over_classes(cells.tp)[own]
    change = hits + view.is_hit - called[view.true] - true[view.called]
    relative = not_true[view.true] / a[own] + not_called[view.called] / b[own]
    column: Floats = change / np.sqrt(a * b)[own] - value[own] * relative
    return column


METRIC = CellsMetric(
    formula=(
        "(N·Σ hits_c − Σ t_c·p_c) / √((N² − Σ t_c²)·(N² − Σ p_c²)), with t_c true and p_c "
        "predicted rows of class c"
    ),
    tex=r"\frac{N \sum_c TP_c - \sum_c t_c p_c}{\sqrt{(N^2 - \sum_c t_c^2)(N^2 - \sum_c p_c^2)}}",
    reading=(
        "1 if every row is right, 0 if prediction and truth are independent, whatever the sizes of "
        "the classes."
    ),
    range="-1 to 1; with more than two classes the lowest value lies above -1",
    better="higher",
    pitfalls=(
        (
            "If all rows are of one class, or are predicted as one, there is no value; "
            "scikit-learn shows 0."
        ),
    ),
    reference="Gorodkin (2004), Computational Biology and Chemistry 28(5-6):367",
    chinese="马修斯相关系数（多分类）",
    example='sy.mcc(["a", "b", "b", "c"], ["a", "b", "a", "c"])',
    aliases=("matthews_corrcoef",),
    value=mcc,
    slopes=slopes,
    scale=ATANH,
)
