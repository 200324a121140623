"""UAUC: the mean over groups of each group's own AUC, with equal weights."""

from steelyard.metrics.group_metrics import GROUP_WEIGHT, WEIGHTS
from steelyard.metrics.groups.gauc import MIN_ROWS, SINGLE_CLASS, GroupAuc
from steelyard.metrics.parameter import column_or

METRIC = GroupAuc(
    formula="Σ over groups of AUC / the number of groups that have both classes",
    tex=(
        r"\frac{1}{|G|} \sum_{g \in G} \mathrm{AUC}_g \quad \text{where } G \text{ are the groups "
        r"with both classes}"
    ),
    reading=(
        'GAUC with `group_weight="equal"`: a user with three rows counts as much as one with three '
        "thousand."
    ),
    range="0 to 1; 0.5 is chance",
    better="higher",
    pitfalls=(
        "Users with few rows dominate it, and their AUCs are mostly noise: try `min_rows`.",
        "Users of one class are skipped and counted, as in GAUC.",
        "Check which of the two a paper means: this one is often called GAUC.",
    ),
    reference="Rendle et al. (2009), UAI, 452.",
    chinese="用户平均 AUC",
    example=(
        'sy.uauc([1, 0, 1, 0, 0], [0.9, 0.1, 0.3, 0.4, 0.2], group=["ann", "ann", "bob", "bob", '
        '"bob"])'
    ),
    parameters=(
        column_or("group_weight", "equal", *WEIGHTS, means=GROUP_WEIGHT),
        SINGLE_CLASS,
        MIN_ROWS,
    ),
)
