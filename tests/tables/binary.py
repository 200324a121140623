"""The table of binary labels: counts at a threshold, and curves."""

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from steelyard.metrics import catalogue
from steelyard.metrics.count_metrics import CountMetric
from steelyard.metrics.parameter import THRESHOLD
from steelyard.model import Row as ResultRow
from steelyard.result.result import Result
from tests.oracles.answers import Row, Rows, Why
from tests.oracles.binary import ORACLES
from tests.oracles.curves import least_cost, operating_point
from tests.tables.binary_data import DATA
from tests.tables.case import Case, Family, Options, Sample, parsed
from tests.tables.harness import is_number, is_right

# Each precision of ap is rounded before the exact sum. pr_auc is the one metric with logarithms:
# each block's mean precision is rounded from a few rounded factors.
ROUNDINGS = {"ap": 1, "pr_auc": 3}

THRESHOLDS = ("", "threshold=0.3", "threshold=-1", "threshold=1e300")
# A metric of the cells with no other parameter needs no spec of its own.
COUNTS = [
    metric.name
    for metric in catalogue.every()
    if isinstance(metric, CountMetric) and metric.parameters == (THRESHOLD,)
]

SPECS = (
    *(f"{name}({threshold})" for name in COUNTS for threshold in THRESHOLDS),
    "fbeta(beta=2)",
    "fbeta(beta=0.1, threshold=0.3)",
    "prevalence()",
    *(f"confusion({threshold})" for threshold in THRESHOLDS),
    *(f"confusion(normalize={share})" for share in ('"true"', "pred", "all")),
    "class_report()",
    "class_report(threshold=0.3, zero_division=0)",
    "thresholds(points=100000)",
    "score_histogram()",
    "score_histogram(bins=1)",
    "score_histogram(bins=7)",
    "gains()",
    "roc()",
    "pr()",
    "auc()",
    "ap()",
    "pr_auc()",
    "gini()",
    "ks()",
    "pnr()",
    "partial_auc()",
    "partial_auc(max_fpr=0.1)",
    "partial_auc(max_fpr=0.3, standardize=true)",
    "partial_auc(min_tpr=0.9, standardize=true)",
    "partial_auc(max_fpr=0.6, min_tpr=0.3)",
    "partial_auc(max_fpr=0.2, min_tpr=0.7, standardize=true)",
    "break_even()",
    "precision_at_recall(recall=0)",
    "precision_at_recall(recall=0.95)",
    "precision_at_recall(recall=1)",
    "recall_at_precision(precision=0)",
    "recall_at_precision(precision=0.6)",
    "recall_at_precision(precision=0.123456789012)",
    "recall_at_precision(precision=1)",
    "tpr_at_fpr(fpr=0)",
    "tpr_at_fpr(fpr=0.1)",
    "tpr_at_fpr(fpr=1)",
    "fpr_at_tpr(tpr=0)",
    "fpr_at_tpr(tpr=0.8)",
    "fpr_at_tpr(tpr=1)",
    "best_f1()",
    "best_threshold()",
    "best_threshold(criterion=f1)",
    "best_threshold(criterion=cost)",
    "best_threshold(criterion=cost, fp=1, fn=7)",
    "best_threshold(criterion=cost, fp=0.3, fn=0.1)",
    "best_threshold(criterion=cost, fp=0, fn=1)",
    "best_threshold(criterion=cost, fp=1, fn=0)",
    "best_threshold(criterion=cost, fp=0.123456789012, fn=1e9)",
    "lift(q=0.1)",
    "lift(q=0.35)",
    "capture(q=0.1)",
    "capture(q=1)",
)


def rows(data: Sample, options: Options) -> Rows:
    """The rows of the oracles: those that have weight, with the values that the types hold."""
    label, score = data.columns["label"].tolist(), data.columns["score"]
    positive = data.roles.get("positive", 1)
    every = zip(label, score.tolist(), data.weights, strict=True)
    kept = [Row(y == positive, s, Fraction(w)) for y, s, w in every if w != 0]
    return Rows(tuple(kept), score.dtype.name)


AT_A_THRESHOLD = (
    *("best_f1", "ks", "precision_at_recall", "recall_at_precision", "tpr_at_fpr", "fpr_at_tpr"),
)


def details(
    spec: str, data: Sample, row: ResultRow, result: Result, answer: Any, options: Options
) -> Any:
    """The operating point beside a value, the cost beside its threshold, the area beside AUC."""
    name, params = parsed(spec)
    every = rows(data, options)
    if row.value is None:
        assert not row.details.keys() - {"area"}
    elif name in AT_A_THRESHOLD:
        assert row.details == {"threshold": operating_point(every, name, *params.values())}, spec
    elif name == "auc":
        area = answer * every.P * every.N
        assert is_right(row.details["area"], area)
    elif params.get("criterion") == "cost":
        cost = least_cost(every, params.get("fp", 1), params.get("fn", 1))
        assert is_right(row.details["cost"], cost)
    return answer


def sqrt_of(above: int, below: int) -> Decimal:
    """The root of a fraction, to 50 digits."""
    with localcontext(prec=50):
        return (Decimal(above) / Decimal(below)).sqrt()


NONE_FOUND = "no threshold has a precision of 1 or more"
NEARLY_ONE = "no threshold has a precision of 0.9999999 or more"
NOTHING_TO_FIND = "there are no positives and no row is called positive"
BY_HAND = (
    Case("auc()", "seed", "seeds: 3 of 4 pairs", Fraction(3, 4)),
    Case("auc()", "seed_tie", "seeds: 3½ of 4 pairs", Fraction(7, 8)),
    Case("auc()", "all_tied", "every pair is tied", Fraction(1, 2)),
    Case("auc()", "separated", "every pair is right", Fraction(1)),
    Case("auc()", "reversed", "every pair is wrong", Fraction(0)),
    Case("auc()", "signed_zero", "both zeros tie", Fraction(1, 2)),
    Case("auc()", "neighbours", "both positives are below, if by one bit", Fraction(0)),
    Case("auc()", "bool", "one tie, two wrong, one right", Fraction(3, 8)),
    Case("auc()", "signs", "0.8 beats 0.3, ties 0.8; 0.1 loses both", Fraction(3, 8)),
    Case("auc()", "words", "4 beats 3 and 2, 1 beats none", Fraction(1, 2)),
    Case("auc()", "zero_is_positive", "0.9 beats three, 0.7 beats two", Fraction(5, 6)),
    Case("auc()", "zero_weights", "0.9 is absent; the rest beat 0.1", Fraction(1, 2)),
    Case("auc()", "positives_only", "no pair", Why("there are no negatives")),
    Case("auc()", "negatives_only", "no pair", Why("there are no positives")),
    Case("auc()", "class_without_weight", "weight 0 is absence", Why("there are no negatives")),
    Case("auc()", "no_rows", "nothing", Why("there are no rows")),
    Case("auc()", "no_weight", "weight 0 is absence", Why("there are no rows")),
    Case("gini()", "reversed", "the other end of the scale", Fraction(-1)),
    Case("pnr()", "seed", "3 right, 1 wrong", Fraction(3)),
    Case("pnr()", "separated", "nothing to divide by", Why("no pair is in the wrong order")),
    Case("pnr()", "all_tied", "0/0 is not 1", Why("no pair is in the wrong order")),
    Case("ks()", "reversed", "calling nothing or everything", Fraction(0)),
    Case("best_threshold()", "alternating", "of six equal gaps the highest", Fraction(12)),
    Case("best_threshold()", "reversed", "no gap above 0: call nothing", Decimal("inf")),
    Case("best_threshold()", "all_tied", "no gap above 0: call nothing", Decimal("inf")),
    Case("best_threshold()", "negatives_only", "0/0", Why("there are no positives")),
    Case("best_threshold(criterion=f1)", "negatives_only", "0/0", Why("there are no positives")),
    Case("best_threshold(criterion=cost)", "negatives_only", "call nothing", Decimal("inf")),
    Case("best_threshold(criterion=cost)", "positives_only", "call all", Decimal("0.2")),
    Case("best_threshold(criterion=cost)", "no_rows", "nothing", Why("there are no rows")),
    Case("ap()", "all_tied", "one threshold: the prevalence", Fraction(2, 5)),
    Case("ap()", "positives_only", "precision is 1 throughout", Fraction(1)),
    Case("ap()", "negatives_only", "0/0 is not 0", Why("there are no positives")),
    Case("pr_auc()", "all_tied", "constant precision", Fraction(2, 5)),
    Case("precision()", "one_negative", "nothing called", Why("no row is called positive")),
    Case("precision(threshold=0.3)", "float32", "0.3 is called, and 0.7", Fraction(2, 3)),
    Case("recall(threshold=0.7)", "float32", "float32 0.7 is under 0.7: called", Fraction(1, 3)),
    Case("mcc(threshold=0.7)", "float32", "TP 1, FP 0, FN 2, TN 2: 2/√(1·3·2·4)", sqrt_of(1, 6)),
    Case("npv(threshold=-1)", "seed", "0/0", Why("every row is called positive")),
    Case("mcc(threshold=-1)", "seed", "0/0 is not 0", Why("every row is called positive")),
    Case("mcc()", "separated", "all scores are above ½", Why("every row is called positive")),
    Case("recall()", "negatives_only", "0/0", Why("there are no positives")),
    Case("specificity()", "positives_only", "0/0", Why("there are no negatives")),
    Case("f1()", "one_negative", "0/0", Why(NOTHING_TO_FIND)),
    Case("f1()", "negatives_only", "false calls make it 0, not 0/0", Fraction(0)),
    Case("accuracy()", "no_rows", "0/0", Why("there are no rows")),
    Case("confusion()", "seed", "no false call", tuple(map(Fraction, (1, 0, 1, 2)))),
    Case("break_even()", "big_ties", "depth 10 of a block of 20 with 10 positives", Fraction(1, 2)),
    Case("capture(q=0.1)", "big_ties", "3 rows of that block", Fraction(3, 20)),
    Case("lift(q=0.1)", "big_ties", "the block is 1½ times as dense", Fraction(3, 2)),
    Case("recall_at_precision(precision=1)", "reversed", "no point has it", Why(NONE_FOUND)),
    Case("recall_at_precision(precision=0.9999999)", "reversed", "as written", Why(NEARLY_ONE)),
    Case("tpr_at_fpr(fpr=0)", "reversed", "calling nothing is allowed", Fraction(0)),
    Case("fpr_at_tpr(tpr=0)", "reversed", "calling nothing is enough", Fraction(0)),
    Case("partial_auc(max_fpr=0.1)", "all_tied", "half of 0.1²", Fraction(1, 200)),
    Case("partial_auc(max_fpr=0.3, standardize=true)", "all_tied", "chance is ½", Fraction(1, 2)),
    Case("partial_auc(max_fpr=0.3, standardize=true)", "separated", "the best is 1", Fraction(1)),
    Case("partial_auc(min_tpr=0.9, standardize=true)", "separated", "the best is 1", Fraction(1)),
)  # fmt: skip

FAMILY = Family(
    name="binary",
    data=DATA,
    specs=SPECS,
    rows=rows,
    oracles=ORACLES,
    by_hand=BY_HAND,
    roundings=ROUNDINGS,
    details=details,
)
# Those that are one number, and so fit a table.
NUMBERS = [spec for spec in SPECS if is_number(spec, DATA["seed"])]
