"""Every exception and every message, on one page.

An error says what is wrong, which value, where it is and what to do about it. Other modules write
no messages: they raise one of the templates below, as in `raise TEMPLATE(count=3)`.
"""

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from steelyard.phrases import listing, phrase


class SteelyardError(Exception):
    """Any error that steelyard reports, with the template and the facts of its message."""

    template: "Template | None" = None
    facts: Mapping[str, Any] = MappingProxyType({})


class InputError(SteelyardError, ValueError):
    """Rows or arguments that cannot be evaluated."""


class SpecError(SteelyardError, ValueError):
    """A metric's name or parameters that cannot be read."""


class StateError(SteelyardError):
    """A state that cannot be loaded or merged."""


class SourceError(SteelyardError):
    """Data that cannot be read."""


class UndefinedWarning(UserWarning):
    """A metric has no value on these rows; the number returned is NaN."""


class SkippedWarning(UserWarning):
    """A folder or a pattern names files that are not read."""


class FontWarning(UserWarning):
    """No installed font has some characters of a picture."""


class Template:
    """The text of a message; a call with the facts returns the exception to raise."""

    def __init__(self, error: type[SteelyardError], text: str) -> None:
        self.error = error
        self.text = text

    def __call__(self, **facts: Any) -> SteelyardError:
        error = self.error(phrase(self.text, **facts))
        error.template, error.facts = self, facts
        return error


def clause(error: SteelyardError) -> str:
    """The message of an error, as a part of another message."""
    if error.template is None:
        return str(error).removesuffix(".")
    return phrase(error.template.text.removesuffix("."), **error.facts)


# --- errors of Python's own types ----------------------------------------------------------------
def missing_argument(function: str, name: str) -> TypeError:
    return TypeError(f"{function}() missing 1 required positional argument: {name!r}")


def missing_keyword(function: str, name: str) -> TypeError:
    return TypeError(f"{function}() missing 1 required keyword-only argument: {name!r}")


# What the keywords of other tools are here: another keyword, or a function.
OTHER_NAMES = {
    "alpha": "q",
    "drop_intermediate": "points",
    "eps": "clip",
    "ignore_ties": "ties",
    "max_fpr": "sy.partial_auc",
    "n_bins": "bins",
    "pos_label": "positive",
    "preds": "y_score",
    "squared": "sy.root_mean_squared_error",
    "strategy": "kind",
    "target": "y_true",
    "y1": "y_true",
    "y2": "y_pred",
    "y_pred": "y_score",
    "y_prob": "y_score",
    "y_proba": "y_score",
    "y_score": "y_pred",
}


# Parameters of metrics that are taken for options of a table, in a metric as it is written.
PARAMETERS = {
    "average": "f1(macro)",
    "beta": "fbeta(2)",
    "bins": "ece(bins=20)",
    "gain": "ndcg(gain=exp2)@10",
    "group_weight": "gauc(group_weight=pairs)",
    "k": "ndcg@10",
    "max_fpr": "partial_auc(max_fpr=0.1)",
    "n_bins": "ece(bins=20)",
    "points": "roc(points=200)",
    "quantile": "pinball(0.9)",
    "rel": "map(rel=2)",
    "single_class": "gauc(single_class=0.5)",
    "threshold": "precision(threshold=0.3)",
    "ties": "ndcg(ties=trec)@10",
}

# Arguments of plain functions that are taken for options of a table, which names its columns.
OPTION_NAMES = {
    "query": "group",
    "target": "label",
    "y_pred": "prediction",
    "y_prob": "score",
    "y_proba": "score",
    "y_true": "label",
}


def unexpected_option(function: str, name: str, known: Collection[str]) -> TypeError:
    """The error for an option that a table does not have."""
    if name in PARAMETERS:
        written = f"it is written in the metric, as in {PARAMETERS[name]!r}"
        return TypeError(f"{function}() got an unexpected keyword argument {name!r}: {written}")
    if OPTION_NAMES.get(name) in known:
        hint = f"did you mean {OPTION_NAMES[name]!r}"
        return TypeError(f"{function}() got an unexpected keyword argument {name!r}: {hint}")
    return unexpected_argument(function, name, known)


def unexpected_argument(
    function: str, name: str, known: Collection[str], see: str = ""
) -> TypeError:
    """The error for a keyword that is not known; see: the function that has it, if any."""
    other = OTHER_NAMES.get(name, see)
    close = other if other in known else nearest(name, known)
    hint = f": did you mean {close!r}" if close else ""
    if other.startswith("sy."):
        hint = f": see {other}"
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def other_argument(function: str, reads: str, name: str) -> TypeError:
    other = {
        "score": "predicted classes or a matrix of scores, with y_pred=... or average=...",
        "prediction": "a score of two classes",
        "labels": "a matrix of labels",
        "label": "one label per row",
        "lists": "one value per row, where the rows of a matrix are the lists",
    }
    return TypeError(f"{function}() takes {name!r} only for {other[reads]}")


def repeated_argument(function: str, name: str, other: str) -> TypeError:
    return TypeError(f"{function}() got both {name!r} and {other!r}, which mean the same")


def no_attribute(name: str, hint: object = "") -> AttributeError:
    text = f"module 'steelyard' has no attribute {name!r}"
    return AttributeError(f"{text}: {hint}" if hint else text)


def without_interval(metric: str, why: str) -> UndefinedWarning:
    return UndefinedWarning(f"{metric} has no interval: {why}")


def no_value(metric: str, why: str) -> UndefinedWarning:
    return UndefinedWarning(f"{metric} has no value: {why}")


def zero_for_no_value(function: str) -> UndefinedWarning:
    return UndefinedWarning(
        f"{function}() counts a value that does not exist (0/0) as 0, since zero_division='warn'"
    )


def caller_level() -> int:
    """The stack level, for warnings, of the first caller outside of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    return level


def skipped(paths: Sequence[str]) -> SkippedWarning:
    left_out = f"{len(paths):,} files are" if len(paths) > 1 else "1 file is"
    return SkippedWarning(
        f"{left_out} skipped, since no format that is read has the ending of the name: "
        f"{listing(sorted(paths))}"
    )


def no_font(missing: Iterable[str], *, east_asian: bool) -> FontWarning:
    signs = sorted(missing)
    what = "this character" if len(signs) == 1 else f"these {len(signs):,} characters"
    shown = "".join(signs[:10]) + ("…" if len(signs) > 10 else "")
    install = (
        "one for Chinese, Japanese and Korean, such as Noto Sans CJK "
        "(on Debian and Ubuntu: apt-get install fonts-noto-cjk)"
        if east_asian
        else "one that has them"
    )
    return FontWarning(
        f"no font has {what} of the picture, drawn as boxes: {shown}; install {install} "
        "and draw it again"
    )


# --- suggestions ---------------------------------------------------------------------------------
def nearest(word: str, known: Iterable[str]) -> str | None:
    """The most similar name, if any is close; swapped letters are closer than other letters.

    >>> nearest("--lable", ["--table", "--label"]), nearest("evl", ["eval"]), nearest("x", ["eval"])
    ('--label', 'eval', None)
    """
    close = get_close_matches(word, known)
    return min(close, key=lambda name: sorted(name) != sorted(word), default=None)


def no_column(name: str, columns: Sequence[str]) -> SteelyardError:
    """The error for a name that no column has, with the most similar column."""
    same_but_case = [column for column in columns if column.lower() == name.lower()]
    close = same_but_case or get_close_matches(name, columns, n=1)
    hint = f"did you mean {close[0]!r}; " if close else ""
    return NO_COLUMN(name=name, hint=f"{hint}the columns are {listing(columns)}")


def column_twice(name: str, columns: Sequence[str], source: str = "") -> SteelyardError:
    """The error for a name that several columns have; source: where they are, if it has a name."""
    places = [str(place) for place, column in enumerate(columns, 1) if column == name]
    where = " and ".join([", ".join(places[:-1]), places[-1]]) + (
        f" of {source!r}" if source else ""
    )
    return COLUMN_TWICE(count=len(places), name=name, places=where, listed=listing(columns))


# Functions that are no metrics, and what to read instead.
ONLY_FUNCTIONS = dict.fromkeys(
    ("lrap", "label_ranking_average_precision_score"),
    "sy.lrap is a function of matrices of labels, which tables do not have; help(steelyard.lrap) "
    "describes it, explain ap has the formula of a row",
)
# Names of everyday use, and what they are here; without their case and separators.
_DELONG = phrase(
    "a test of two AUCs is sy.compare or steelyard compare, with a cluster; where all rows are "
    'independent of each other, cluster="row" gives DeLong\'s variance'
)
_INTERVAL = phrase(
    "cluster=... gives every metric its interval, and bootstrap=... makes it of replicates"
)
_SHARE_OF_POSITIVES = "did you mean prevalence, the share of positives"
EVERYDAY_NAMES = {
    **dict.fromkeys(("delong", "delongtest", "delongroctest", "delongrocvariance"), _DELONG),
    **dict.fromkeys(("ctr", "clickrate", "clickthroughrate"), _SHARE_OF_POSITIVES),
    **dict.fromkeys(("cvr", "conversionrate", "baserate", "positiverate"), _SHARE_OF_POSITIVES),
    **dict.fromkeys(("errorrate", "misclassificationrate"), "it is 1 - accuracy: ask for accuracy"),
    **dict.fromkeys(("calibration", "calibrationratio", "oe"), "did you mean copc, ece or ne"),
    **dict.fromkeys(("rows", "count", "n", "positives"), "every table shows it without a metric"),
    **dict.fromkeys(("bootstrap", "bootstrapci", "confidenceinterval"), _INTERVAL),
    **dict.fromkeys(("falsealarmrate", "falseacceptrate"), "did you mean fpr"),
    **dict.fromkeys(("missrate", "falserejectrate"), "did you mean fnr"),
}
# Names of scikit-learn that are no metrics here, and what to use instead.
SCIKIT_LEARN_NAMES = {
    "CalibrationDisplay": "sy.plot.calibration(y_true, y_score) draws the curve",
    "ConfusionMatrixDisplay": "sy.plot.confusion(y_true, y_pred) draws the matrix",
    "DetCurveDisplay": "sy.plot.roc(y_true, y_score) draws the same rates",
    "PrecisionRecallDisplay": "sy.plot.pr(y_true, y_score) draws the curve",
    "PredictionErrorDisplay": "sy.plot.predicted_vs_true(y_true, y_pred) draws it",
    "RocCurveDisplay": "sy.plot.roc(y_true, y_score) draws the curve",
    "d2_brier_score": "it is 1 - sy.brier(...) / sy.unc(...)",
    "d2_log_loss_score": "sy.rig(y_true, y_score) is this share",
    "det_curve": "sy.roc_curve(y_true, y_score) has its rates: fnr is 1 - tpr",
    "explained_variance_score": "sy.r2(y_true, y_pred) is close; it counts the bias too",
    "get_scorer": "scikit-learn's make_scorer takes the functions here: make_scorer(sy.f1)",
    "hamming_loss": "it is 1 - sy.accuracy(...), for a matrix of labels with average='macro'",
    "jaccard_score": "it is f1 / (2 - f1), where f1 is sy.f1(...)",
    "make_scorer": (
        "scikit-learn's own takes the functions here: sklearn.metrics.make_scorer(sy.f1, "
        "average='macro')"
    ),
    "mean_squared_log_error": "it is sy.rmsle(y_true, y_pred) ** 2",
    "multilabel_confusion_matrix": "sy.one_vs_rest(y_true, y_pred=...).matrices has them",
    "precision_recall_fscore_support": "sy.class_report(y_true, y_pred=...) has its columns",
    "zero_one_loss": "it is 1 - sy.accuracy(...)",
}


def unknown_metric(name: str, close: Sequence[str]) -> SteelyardError:
    """The error for a name that no metric has, with the most similar names."""
    everyday = EVERYDAY_NAMES.get(re.sub(r"[\W_]+", "", name).lower())
    instead = (ONLY_FUNCTIONS | SCIKIT_LEARN_NAMES).get(name, everyday)
    if instead:
        return UNKNOWN_METRIC(name=name, hint=instead)
    *others, last = close or [""]
    listed = f"{', '.join(others)} or {last}" if others else last
    hint = f"did you mean {listed}" if close else "steelyard list shows every metric"
    return UNKNOWN_METRIC(name=name, hint=hint)


# --- arguments ---------------------------------------------------------------------------------
NOT_ARRAY = Template(
    InputError,
    "{name} cannot be read as an array ({reason}): pass a list, a NumPy array or a column.",
)
RAGGED = Template(
    InputError,
    "{name} has {count:value|values} at row {position} and {first} at row 0, but rows of one "
    "length are expected: give one value per row, or a matrix with a column for each label or "
    "class, where a set of labels is a row of 0 and 1.",
)
NOT_1D = Template(
    InputError,
    "{name} has {ndim} dimensions (shape {shape}), but one is expected: pass one value per row, "
    "such as a single column of it.",
)
LABELS_IN_TABLE = Template(
    InputError,
    "{name} is a matrix (shape {shape}), which a table does not take: pass one value per row, or "
    'call the function of a metric, as in sy.f1(y_true, y_pred, average="macro").',
)
LENGTHS = Template(
    InputError,
    "{name} has {count:row|rows} but {other} has {other_count}: pass arrays of the same length.",
)
BAD_TYPE = Template(
    InputError,
    "{name} holds values of type {type}, the first at row {position}, but {wanted} are expected: "
    "convert the column first.",
)
MISSING = Template(
    InputError,
    "{name} has {count:missing value|missing values} (NaN, None or masked), "
    "the first at row {position}: "
    'fill them, or leave those rows out with nan="drop".',
)
UNSCORED = Template(
    InputError,
    "{name} has {count:missing value|missing values} (NaN, None or masked), the first at row "
    '{position}: fill them, use unscored="not_retrieved" if those rows were judged but not '
    'ranked, or leave them out with nan="drop".',
)
INFINITE = Template(
    InputError,
    "{name} has {count:infinite value|infinite values}, the first at row {position}: replace "
    "them with finite numbers, or leave those rows out with where='isfinite({name})', of arrays "
    'with np.isfinite; nan="drop" leaves out missing values alone.',
)
INEXACT_SCORE = Template(
    InputError,
    "{name} has {count:value|values} that float64 cannot hold exactly, the first at row {position} "
    "({value}): rescale them or rank them first.",
)
NEGATIVE_WEIGHT = Template(
    InputError,
    "{name} has {count:negative value|negative values}, the first at row {position} ({value}): "
    "weights are zero or more; zero leaves a row out.",
)
NEGATIVE_AMOUNT = Template(
    InputError,
    "{name} has {count:negative value|negative values}, the first at row {position} ({value}): "
    "bids and revenue are zero or more.",
)
NOT_PROBABILITY = Template(
    InputError,
    "{name} has {count:value|values} outside 0 to 1, the first at row {position} ({value}): "
    "calibration metrics read probabilities; {hint}.",
)
BAD_LABEL = Template(
    InputError,
    "{name} has {count:value|values} outside {{0, 1}} and {{-1, +1}}, the first at row "
    "{position} ({value}): name the positive value with positive=....",
)
GRADES_BESIDE_CLASSES = Template(
    InputError,
    "{name} has {count:grade|grades} other than 0 and 1, the first at row {position} ({value}), "
    "but metrics of two classes are requested beside the ranking metrics: request them separately, "
    "with {name} >= 1 as the label.",
)
MIXED_LABELS = Template(
    InputError,
    "{name} marks negatives both as 0 and as -1 (a 0 first at row {zero}, a -1 first at row "
    "{minus}): use one of the two, or name the positive value with positive=....",
)
TOO_MANY_LABELS = Template(
    InputError,
    "{name} has more than two values ({values}, the third first at row {position}): a binary "
    "metric compares one class with one other; leave out the rest, or compare one class with all "
    "others, as in {name} == {positive!r}.",
)
BAD_GROUP = Template(
    InputError,
    "{name} has {count:value that is not a whole number|values that are not whole numbers}, the "
    "first at row {position} ({value}): the key of a group is a whole number of 64 bits or text.",
)
ROUNDED_KEYS = Template(
    InputError,
    "{name} has {count:whole number|whole numbers} that float64 cannot hold exactly, such as "
    "{value}, and is read as float64 since others are not whole numbers of 64 bits: different keys "
    "would become one, write them as text.",
)
GROUP_NEEDED = Template(
    InputError,
    "{metric} is computed by group: give the group of each row, such as its user or its query, "
    "with group=....",
)
GROUP_AND_SIZES = Template(
    InputError, "both group and group_sizes say which rows belong together: leave out one of them."
)
BAD_SIZE = Template(
    InputError,
    "group_sizes has {value} as number {position}, counted from 0: a size is a whole number of 0 "
    "or more, the rows of one group.",
)
SIZES_DIFFER = Template(
    InputError,
    "group_sizes are for {count:row|rows} but there are {rows}: give the number of consecutive "
    "rows of each group, in the order of the rows.",
)
NO_ROW_ORDER = Template(
    InputError,
    "group_sizes count consecutive rows, and rows of {source} have no fixed order here: give "
    "arrays, a mapping or a data frame, or name the column of the group with group=....",
)
SIZES_IN_STATE = Template(
    InputError,
    "group_sizes number the groups of one table, so the first groups of two states would become "
    "one when merged: name the key of each row's group with group=....",
)
ONE_ROLE = Template(
    InputError,
    "rows have either a score or a prediction, but {found}: give score=... for two classes and "
    "rankings, prediction=... for many classes and for numbers.",
)
NOT_OF_PREDICTIONS = Template(
    InputError,
    "{role} applies to rows that have a score, but these rows have a prediction: leave it out.",
)
CLASSES_OF_ONE_SCORE = Template(
    InputError,
    "classes names the class of each score column, but there is only one column: give score=... "
    "as a list of {count:column|columns} or as a matrix.",
)
LABEL_SHAPES = Template(
    InputError,
    "y_true has the shape {truth} and the second argument {scores}, but two matrices of one shape "
    "are expected: give a score or a prediction for each label of each row.",
)
OTHER_WAY = Template(SpecError, "{function}() does not take {keyword}={value}: {instead}.")
TWO_COLUMNS = Template(
    InputError,
    "{function}() takes one score per row of two classes, and {name} has two columns: pass the "
    "column of the positive class, as in {name}[:, 1]; of two models, call it for each.",
)
TWO_SCORES = Template(
    InputError,
    "{name} has two columns that are no probabilities of two classes (row {position} adds up to "
    "{value}): of two models, call it for each column; of two classes, pass the score of the "
    "positive one, or name the class of each column with {names}=[...].",
)
OUTPUT_WEIGHTS = Template(
    InputError,
    "multioutput has the shape {shape}, but y_true has {columns} columns: pass a number for each.",
)
TARGET_NAMES = Template(
    InputError,
    "target_names has {count:name|names}, but the report has {classes} classes ({labels}): pass a "
    "name for each, in this order.",
)
LABEL_AVERAGE = Template(
    InputError,
    "y_true is a matrix of labels, so {metric} is averaged over them: choose average=... as one of "
    "{choices}, or None for each label.",
)
BAD_CELL = Template(
    InputError,
    "{name} has {count:value|values} that should be {wanted}, the first at row {position}, column "
    "{column} ({value}): correct the matrix.",
)
MISSING_WEIGHT = Template(
    InputError,
    "{name} has {count:missing value|missing values} (NaN, None or masked), the first at row "
    "{position}: fill them; a weight of 0 leaves a row out.",
)
NO_CLASSES = Template(InputError, "{role} names no class: name one or more, or leave it out.")
CLASS_TWICE = Template(InputError, "{role} has {name} twice: name each class once.")
CLASS_COUNT = Template(
    InputError,
    "there are {columns:score column|score columns} but {count:class|classes}{seen}: give "
    "{names}=... with one class for each column, in order.",
)
TRANSPOSED = Template(
    InputError,
    "{name} has {rows:row|rows} of {columns:value|values}, but {label} has {columns:row|rows}: "
    "give several scores by name, as in score={{'new': ...}}; class scores are a matrix with a "
    "row for each label.",
)
UNKNOWN_CLASS = Template(
    InputError,
    "{name} has {count:row|rows} of a class that has no score column, the first at row "
    "{position} ({value}): the classes are {known}.",
)
MANY_CLASSES = Template(
    InputError,
    "{name} has a third class at row {position} (the classes are {values}), and an average is "
    "binary unless said, for two classes: choose macro, micro or weighted, as in f1(macro) or "
    "average='macro'.",
)
POSITIVE_NEEDED = Template(
    InputError,
    "the classes of {name} ({values}) do not tell which one is positive: name it with "
    "positive=..., or choose an average over classes, macro, micro or weighted, as in f1(macro) "
    "or average='macro'.",
)
POSITIVE_UNUSED = Template(
    InputError,
    "positive={positive!r} has no effect on {metrics}: leave it out, or request a metric with a "
    "binary average, such as f1.",
)
NO_INTERVAL = Template(InputError, "{metric} has no interval, since {why}: {hint}.")
CLUSTER_VARIES = Template(
    InputError,
    "{count:group has|groups have} rows of several clusters, the first of which is {group}: the "
    "rows of a group must belong to one cluster, or the interval of a mean over groups would be "
    "too short; use the key of the group as cluster=..., or a coarser one.",
)
CLUSTER_NEEDED = Template(
    InputError,
    "{option} needs cluster=..., the key of rows that depend on each other, such as the user: on "
    'logs, intervals of single rows are too short. Where rows are independent, say cluster="row".',
)
COMPARE_CLUSTER = Template(
    InputError,
    "a comparison needs cluster=..., the key of rows that depend on each other, such as the user; "
    'where rows are independent, say cluster="row"; ranking metrics of one group column need none.',
)
COMPARE_SCORES = Template(
    InputError,
    "there is one score ({score}): give two or more, as in {example}, or a second log.",
)
COMPARE_ONE_SCORE = Template(
    InputError,
    "two logs are compared by one score, but there are {count}: {scores}.",
)
COMPARE_COMMON_ROWS = Template(
    InputError,
    "a comparison is of the same rows, so that rows=own does not apply: leave it out.",
)
COMPARE_BOOTSTRAP = Template(
    InputError,
    "rows of two logs are never the same, so that they are not resampled together: leave out "
    "{option}, or name the key of rows that depend on each other in cluster=....",
)
TOO_MANY_WEIGHTINGS = Template(
    InputError,
    "{metrics} in {weightings:,} replicates of {slices:,} slices of score ranges are {cells:,} "
    "parts, more than the {most:,} that are held at once: request fewer replicates in {option}, "
    "fewer slices or fewer such metrics; those with influence values, such as auc, need none.",
)
NOT_BY_PARTS = Template(
    InputError,
    "{what} needs all rows of a slice together, and here they are in parts: leave it out, or read "
    "fewer rows with where=..., so that memory holds them.",
)
NO_BASELINE = Template(
    InputError,
    "no score is called {name}: the baseline is one of {known}.",
)
ALL_PAIRS = Template(
    InputError,
    "{option} compares every score with every other, but {other}: leave out one of the two.",
)
COMPARE_KEYS = Template(
    InputError,
    "{name} is {left} in one log and {right} in the other, so that no {what} of one would be found "
    "in the other: name the type for both, as in {example}.",
)
BASELINE_OF_LOGS = Template(
    InputError,
    "{option} names a score, but two logs are compared, of which the first is the baseline: leave "
    "it out, or give the logs in the other order.",
)
BAD_MARGIN = Template(
    InputError,
    "the margin of {metric} is {value}, but a number of 0 or more is expected.",
)
TWO_MARGINS = Template(
    InputError,
    "{metric} has the margins {margins}, but a comparison has one margin for each metric: give "
    "both gates the same.",
)
CLUSTER_OF_TRIALS = Template(
    InputError,
    'cluster="row" does not apply to trials=...: the rows that were added up cannot be told '
    "apart. Name a column.",
)
CLUSTER_NAMED_ROW = Template(
    InputError,
    'cluster="row" makes each row a cluster of its own, but there is a column called row too: '
    "write cluster='\"row\"' for the column, or rename it.",
)
ROW_CLUSTERS_IN_STATE = Template(
    InputError,
    'cluster="row" numbers the rows of one table, so the first rows of two states would become '
    "one cluster when merged: name the key of each row's cluster with cluster=....",
)
TWO_LOGS = Template(
    InputError,
    "a diagnosis compares two logs or more: pass them in the order of time, or one and a pair of "
    "conditions, as in where=('day = 1', 'day = 2').",
)
IN_LOG = Template(InputError, "in the log {side} ({name}): {reason}.")
EMPTY_LOG = Template(
    InputError, "the log {side} ({name}) has no rows: check the source and where=...."
)
ONE_CLASS_LOG = Template(
    InputError,
    "every row of the log {side} ({name}) is {found}, so that nothing can be compared: check the "
    "column {label}, and whether its labels have arrived.",
)
ONE_CLUSTER = Template(
    InputError,
    "{name} has one value in both logs, and an interval needs several: name another column with "
    "cluster=....",
)
KEY_TYPES = Template(
    InputError,
    "{name} holds whole numbers in one log and text in the other, so that no user is in both: "
    "convert one of them, as in {role}='CAST({name} AS VARCHAR)'.",
)
CLUSTER_IN_GROUPS = Template(
    InputError,
    "rows of one group have several values of {name}: the rows of a group must belong to one "
    "cluster, or the interval of a mean over groups would be too short; use the key of the group "
    "as cluster=..., or a coarser one.",
)
ROLE_AS_DIMENSION = Template(
    InputError,
    "{name} is the {role}, so that a cause cannot be looked for in it: leave it out.",
)
VARYING_DIMENSION = Template(
    InputError,
    "within groups these vary, and the value of a list belongs to all of its rows: {names}. Leave "
    "them out, or diagnose gauc, which has parts by any column.",
)
APART_DIMENSIONS = Template(
    InputError,
    "the logs have no value of {names} in common, so that nothing can be compared in it: look for "
    "a cause in other columns, with over=....",
)
DIMENSION_TYPES = Template(
    InputError,
    "{name} holds numbers in one log and text in the other, so that no value is in both: convert "
    "one of them, as in over='CAST({name} AS VARCHAR)'.",
)
NOT_DIAGNOSED = Template(
    InputError, "{metric!r} has no diagnosis{hint}; metrics that have one are {choices}."
)
IN_TREND = Template(InputError, "in the log {name}: {reason}.")
LOG_TWICE = Template(
    SourceError,
    "{path!r} is given twice, the second time as {other!r}, so that its value would count twice in "
    "the trend: name it once.",
)
STATE_MADE_WITH = Template(
    InputError,
    "the state was made with {option}={found!r}, and its rows cannot be read again with "
    "{option}={wanted!r}: leave {option} out, or name the log itself.",
)
TREND_DIFFERS = Template(
    InputError,
    "the logs {first} and {name} were read differently, so that their values are not comparable: "
    "{field} is {left!r} in one and {right!r} in the other; make both states with the same "
    "options.",
)
FEW_VALUES = Template(
    InputError,
    "{metric} has a value in {known} of {logs} logs, and a trend needs two: {why}.",
)
ONE_CONDITION = Template(
    InputError,
    "where=... is a pair of conditions, which is for two logs without states and without "
    "earlier=...: give one condition for all logs.",
)
NO_VALUE_IN_LOG = Template(
    InputError, "{metric} has no value in the log {side} ({name}), so it has no change: {why}."
)
WEIGHTS_APART = Template(
    InputError,
    "the weights of {name} are too far apart: all rows of {part} weigh less than 2**-52 of the "
    "others together; leave the heaviest rows out.",
)
MANY_VALUES = Template(
    InputError,
    "{name} has {count:,} values, and over=... takes columns of at most {most:,}: group its values "
    "in SQL, as in over={{'band': '... // 100'}}, or leave it out.",
)
ONE_SCORE = Template(
    InputError,
    "a diagnosis is of one score: name its column with score=..., and that of another model with "
    "control_score=....",
)
NO_DIMENSIONS = Template(
    InputError,
    "there is no column to look for a cause in: name some with over=..., such as country and hour.",
)
CROSSED_DIMENSION = Template(
    InputError,
    "over=... takes columns one by one, not crossed ({names}): pairs of them are searched anyway.",
)
CLASS_TYPES_DIFFER = Template(
    InputError,
    "{label} holds {truth} but {name} holds {prediction}, so no prediction can be right: convert "
    "one of them.",
)
SCORES_AS_CLASSES = Template(
    InputError,
    "{name} has {count:value with a fraction|values with a fraction}, the first at row "
    "{position} ({value}), and {label} has none, so these look like scores: pass predicted "
    "classes, or pass the scores as y_score or score=....",
)
PROBABILITY_SUM = Template(
    InputError,
    "the class probabilities (columns from {name} on) do not add up to 1 in {count:row|rows}, "
    "the first at row {position} (sum {value}): divide each by the sum of its row.",
)
SCORES_NEEDED = Template(
    InputError,
    "{metric} reads one score per class, but one value per row is given: pass a matrix of "
    "scores, or in a table score=[...] with classes=[...].",
)
NUMBERS_NEEDED = Template(
    InputError,
    "{metric} reads a predicted number, but scores of classes are given: pass one prediction per "
    "row.",
)
DOCUMENT_NEEDED = Template(
    InputError, "{metric} breaks ties by the document: name its column with document=...."
)
GROUP_WEIGHT_VARIES = Template(
    InputError,
    "{name} varies within {count:group|groups}, the first of which is {group} ({low} to {high}): "
    "give all rows of a group the same weight.",
)
NOT_EXP2 = Template(
    InputError,
    "gain=exp2 takes whole grades up to 53, but there is a grade of {value}: use gain=linear.",
)
BEYOND_MAX_GRADE = Template(
    InputError,
    "err takes whole grades up to max_grade={most}, but there is a grade of {value}: give the "
    "highest grade, as in err(max_grade=...).",
)
CLASSES_UNUSED = Template(
    InputError,
    "{option} chooses predicted classes to average over, which has no meaning for {metric}: leave "
    "it out, or request an average such as f1(macro).",
)
MATRIX_TOO_LARGE = Template(
    InputError,
    "the confusion matrix of {count:class|classes} is too large (at most {most:,}): combine rare "
    "classes, or use precision, recall or f1, which take any number of classes.",
)
NOT_LISTS = Template(
    InputError,
    "{role} is a {type}, but lists are expected: give a list of items for each user or query, by "
    "name or in order.",
)
LIST_COUNTS_DIFFER = Template(
    InputError,
    "there are {count:ranked list|ranked lists} but {other:list|lists} of relevant items: give "
    "both for each user or query, or give them by name.",
)
NO_LIST_IN_COMMON = Template(
    InputError,
    "ranked and relevant have no name in common (their first names are {ranked!r} and "
    "{relevant!r}): give both by the same names, of the same type.",
)
NOT_QRELS = Template(
    InputError,
    "{role} is a {type}, but a mapping of mappings is expected: give "
    "{{query: {{document: number}}}}; sy.read_trec(...) reads TREC files.",
)
NOT_A_TREC_FILE = Template(
    InputError,
    "{role} is a {type}, but the path of a TREC file is expected: give paths, or dictionaries to "
    "sy.from_qrels(...).",
)
RUNS_DIFFER = Template(
    InputError,
    "run {has!r} has the query {query!r}, which run {lacks!r} does not have: evaluate each run "
    "alone, or give complete=True, which counts queries without a document as 0.",
)
ITEM_TWICE = Template(InputError, "the list of {list!r} has {item!r} twice: list each item once.")
NO_RANKS = Template(
    InputError,
    '{metric} cannot use rows without a score: with unscored="not_retrieved" request only '
    "ranking metrics, or leave those rows out.",
)
NOT_BY_TRIALS = Template(
    InputError,
    "{metric} ranks single rows, so trials have no meaning for it: leave them out and pass one "
    "row per trial.",
)
BAD_GRADE = Template(
    InputError,
    "{name} has {count:value that is not a grade|values that are not grades}, the first at row "
    "{position} ({value}): ranking metrics take grades from 0 to 2**53; name the relevant value "
    "with positive=....",
)
POSITIVE_ABSENT = Template(
    InputError,
    "positive={positive!r} does not occur in {name}, which holds {values}: use one of these "
    "values.",
)
NOT_WHOLE = Template(
    InputError,
    "{name} has {count:value that is not a whole number|values that are not whole numbers} of "
    "zero or more, the first at row {position} ({value}): trials and positives are counts.",
)
BEYOND_TRIALS = Template(
    InputError,
    "{name} is larger than {trials} in {count:row|rows}, the first at row {position} ({value}): "
    "a row cannot have more positives than trials.",
)
WEIGHT_TOO_LARGE = Template(
    InputError,
    "a weight times its trials is {value}, but at most {most} is possible: use smaller weights.",
)
POSITIVE_WITH_TRIALS = Template(
    InputError,
    "positive={positive!r} has no meaning with trials, where the label counts the positives: "
    "leave it out.",
)
BAD_MEMORY = Template(
    InputError, "memory={value!r} is not a size: write a number and a unit, such as 4GB."
)
OUT_OF_RANGE = Template(InputError, "{name}={value!r} is out of range: give {wanted}.")
BAD_CHOICE = Template(
    InputError, "{name}={value!r} is not one of the choices: use one of {choices}."
)
OPTION_TYPE = Template(InputError, "{name} is of type {type}: give it as {wanted}.")

# --- metric names and parameters -----------------------------------------------------------------
BAD_SPEC = Template(
    SpecError,
    "cannot read the metric {text!r} at character {position}: {reason}; "
    "metrics look like auc, precision(0.3) or ndcg(gain=exp2)@10.",
)
UNKNOWN_METRIC = Template(SpecError, "there is no metric {name!r}: {hint}.")
UNKNOWN_PARAMETER = Template(SpecError, "{metric} has no parameter {name!r}: it takes {known}.")
TOO_MANY_PARAMETERS = Template(
    SpecError, "{metric} takes {most:parameter|parameters} but is given {count}: it takes {known}."
)
REPEATED_PARAMETER = Template(SpecError, "{metric} is given {name!r} twice: give it once.")
MISSING_PARAMETER = Template(SpecError, "{metric} needs {name}: write {metric}({name}=...).")
BAD_PARAMETER = Template(SpecError, "{metric} takes {name} as {wanted}, not {value!r}.")
OTHER_ROLE = Template(SpecError, "{metric} reads {reads}, but {given} is given: give {give}.")
COST_ONLY = Template(
    SpecError,
    "best_threshold({criterion}) has no costs: use best_threshold(cost, fp=..., fn=...), or leave "
    "fp and fn out.",
)
NO_MICRO_PAIRS = Template(
    SpecError,
    "auc(ovo) has no micro average, because each pair of classes has its own rows: use macro or "
    "weighted, or auc(average=micro).",
)
NO_CUT = Template(
    SpecError,
    "{metric} does not cut a ranked list, so {metric}@{k} has no meaning: write {metric}.",
)
CUT_NEEDED = Template(
    SpecError, "{metric}_at_k cuts a ranked list: give the rank, as in {metric}@10."
)
CUT_AS_PARAMETER = Template(
    SpecError, "{metric} takes its cut after an @, not as a parameter: write {metric}@{k}."
)
NOT_OF_A_RUN = Template(
    SpecError,
    "{metric} is not a measure of a run, which holds only ranked lists: steelyard list ranking "
    "shows the measures of a run.",
)
NO_APPROXIMATION = Template(
    SpecError, "there is no {metric}~: {metric} has no certified approximation; write {metric}."
)
NOT_A_NUMBER = Template(
    SpecError,
    "{metric} is not a single number, so there is no value to look up, compare or sort by: "
    'result.shape("{metric}") returns it.',
)
NOT_COMPARABLE = Template(
    SpecError,
    "{metric} is not a single number, so it cannot be compared or sorted by: name a metric that is "
    "one, such as auc.",
)
NOT_A_SHAPE = Template(SpecError, '{metric} is a single number: result["{metric}"] returns it.')
OTHER_SHAPE = Template(
    SpecError, '{metric} is not a {wanted}: result.shape("{metric}") returns it.'
)
ONE_TABLE = Template(
    SpecError,
    "the result has several tables ({tables}), but CSV holds one: request one of them, or write "
    "JSON, which holds all.",
)

SLICE_TWICE = Template(
    InputError, "two slicings are called {name!r}: give one of them another name."
)
NO_FILES = Template(
    InputError,
    "there are no files to slice by: the source ({source}) is not a file, a folder or a list of "
    "files on this machine; leave out by_file=True.",
)
NO_SLICES = Template(
    InputError,
    "there are no slices to select from: slice with by=..., or leave out sort=..., "
    "top=... and min_rows=....",
)
NOT_A_COUNT = Template(
    InputError, "{name}={value!r} is not a count: give a whole number of 1 or more."
)
NO_PICTURE = Template(
    SpecError,
    "this result has no {metric} of the {what} to draw{hint}: evaluate with shapes=True, or for "
    'every slice with metrics=[..., "{metric}"].',
)
NOT_IN_RESULT = Template(
    SpecError, "this result has no {metric}: it holds {known}; request it in metrics=[...]."
)
SEVERAL_SCORES = Template(
    SpecError,
    "this result has several scores ({known}): name one, as in result.value({metric!r}, "
    "score={first!r}).",
)
NOT_COMPARED = Template(
    SpecError, "{metric} was not compared: there is {known}; request it in metrics=[...]."
)
NO_CANDIDATE = Template(SpecError, "no candidate is called {score!r}: there is {known}.")
NO_SCORE = Template(SpecError, "this result has no score {score!r}: it has {known}.")
NOT_SLICED = Template(
    SpecError, "this result is not sliced by {names}: {known}; request it in by=[...]."
)
NO_LINE_TABLE = Template(
    SpecError,
    "this result has no table of {what} (it holds {known}): request a mean over {what}, such as "
    "{such}; a result read from a file has no such table.",
)
NOT_A_MEAN_OVER = Template(
    SpecError,
    "{metric} is not a mean over {what}, so the table of {what} does not have it: use {known}.",
)
NOT_OVER_GROUPS = Template(
    SpecError,
    "{outer} shows the values of a mean over groups, and {metric} is not one: use gauc, uauc or a "
    'metric of ranked lists, such as "ndcg@10".',
)
NO_SLICE = Template(SpecError, "this result has no slice {slice}: {hint}.")

# --- results -------------------------------------------------------------------------------------
NOT_A_RESULT = Template(SourceError, "this is not a steelyard result: {reason}.")
RESULT_SCHEMA = Template(
    SourceError,
    "this result has the schema {schema!r}, but this steelyard reads {known!r}: write it again "
    "with this version.",
)
RESULT_DAMAGED = Template(
    SourceError, "this result is damaged: {part} is missing or not {wanted}; write it again."
)
NOT_INSTALLED = Template(
    SteelyardError, "{library} is not installed: pip install {library}, or use to_csv or to_json."
)

EXCEL_LIMIT = Template(
    SteelyardError,
    "the sheet {sheet} would have {found} {what}, but Excel has at most {most}: use to_csv.",
)
NO_NOTEBOOK = Template(
    SteelyardError,
    "show() is for notebooks, and this Python has no IPython: write the report with "
    'to_html("report.html") and open that file.',
)

# --- pictures ------------------------------------------------------------------------------------
NO_MATPLOTLIB = Template(
    SteelyardError,
    "pictures are drawn by matplotlib, which is not installed: pip install matplotlib.",
)
NO_PICTURE_ENDING = Template(
    InputError, "the ending of {path!r} is not that of a picture: use one of {endings}."
)
NO_PICTURE_KIND = Template(
    InputError, "there is no picture of the kind {kind!r}{hint}: the kinds are {known}."
)
BAD_STYLE = Template(
    InputError,
    "{name!r} is no property of what is drawn, which matplotlib calls {what}{hint}; **style takes "
    "properties such as linewidth, alpha or color.",
)
BY_OR_SLICE = Template(InputError, "by={by!r} and slice=... exclude each other: give one of them.")
NOT_A_BY = Template(
    SpecError, "this result has no slices by {by!r}, but by {known}: request them in by=[...]."
)
NOT_A_DIMENSION = Template(
    SpecError, "this diagnosis has no parts by {by!r}, but by {known}: name others in over=[...]."
)
ONLY_TOTAL = Template(
    SpecError, "this result has the total alone, and no slices to draw: request them with by=...."
)
NO_EVALUATION = Template(
    SpecError,
    "this comparison was made of rows alone, and a report is on values too: sy.compare(...) gives "
    "a comparison that has both.",
)
OTHER_PICTURE = Template(
    SpecError, "{metric} is not what a picture of the kind {kind!r} shows, which is {shape}."
)
ONE_SERIES = Template(
    InputError,
    "a picture of the kind {kind!r} shows one score of one slice, not {series}: choose one score "
    "with score=..., and one slice or the total.",
)

# --- states --------------------------------------------------------------------------------------
NOT_A_STATE = Template(
    StateError, "these bytes are not a steelyard state: they start with {start!r}, not {magic!r}."
)
NOT_LOADED = Template(StateError, "{path!r} cannot be loaded: {reason}.")
STATE_VERSION = Template(
    StateError,
    "this state has format version {version}, but this steelyard reads version {known}: write it "
    "again with this version.",
)
STATE_TRUNCATED = Template(
    StateError,
    "the state is cut short in {part}: {wanted} bytes are expected, but there are {found}.",
)
STATE_DAMAGED = Template(StateError, "the state is damaged in {part}: {reason}.")
STATE_KIND = Template(StateError, "the state is of kind {found!r}, not {wanted!r}.")
NOTHING_TO_MERGE = Template(StateError, "there is nothing to merge: pass one state or more.")
MERGE_STABLE = Template(
    StateError,
    "ties=stable depends on the order of rows, which two states do not share: read all rows in "
    "one call, or use ties=expected.",
)
KEYS_TOO_WIDE = Template(
    StateError,
    "group keys of 2**63 and more cannot be combined with keys below zero ({low}): use text.",
)
MERGES_STATES = Template(
    StateError,
    "merge is given a {type}, but a state is expected: pass states one by one, as in "
    "sy.merge(*states); sy.load reads one from its file.",
)
KEYS_UNLIKE = Template(
    StateError,
    "{name} has keys that are {left} in one state and {right} in another, so equal values would be "
    "counted apart: name the type in both, as in {example}.",
)
MERGE_DIFFERS = Template(
    StateError,
    "two states that were read differently cannot be merged: {field} is {left!r} in one and "
    "{right!r} in the other; {advice}.",
)
MERGE_ADVICE = {
    "score_type": "name the type in both, as in pctr::FLOAT",
    "the columns of groups": "name the type in both, as in user::VARCHAR",
}


def merge_differs(field: str, left: object, right: object) -> SteelyardError:
    """The error for a merge of what was read differently, with what makes it equal."""
    advice = MERGE_ADVICE.get(field, "read both the same way")
    return MERGE_DIFFERS(field=field, left=left, right=right, advice=advice)


# --- files and columns ---------------------------------------------------------------------------
NO_FILE = Template(SourceError, "there is no file {path!r}: check the path.")
NO_MATCH = Template(
    SourceError, "no file matches {pattern!r}: check the pattern and the folder it starts in."
)
FILE_TWICE = Template(
    SourceError,
    "{path!r} is given twice, the second time as {other!r}, so its rows would count twice: name "
    "it once.",
)
MIXED_FORMATS = Template(
    SourceError,
    "{path!r} is {format} but {other!r} is {other_format}: read files of one format at a time.",
)
DIFFERENT_TYPES = Template(
    SourceError,
    "{name} is {type} in {path!r} but {other_type} in {other!r}: "
    "convert the column in one of them.",
)
UNREADABLE = Template(SourceError, "{path!r} cannot be read: {reason}.")
CHANGED = Template(
    SourceError,
    "{path!r} changed while it was read, so that some rows would be old and some new: read it when "
    "it is complete, or a copy of it.",
)
NO_STEPS = Template(
    SpecError, "{metric} cannot be shown step by step on rows of your own: {known} can."
)
NEEDS_ON = Template(
    InputError, "{names}: name the rows too, as in on={{'label': [0, 1], 'score': [0.2, 0.4]}}."
)
ONE_WORKED = Template(
    SpecError, "one metric is shown step by step, not {metrics}: ask for each of them."
)
ONE_LIST = Template(
    InputError,
    "one score is shown step by step, without slices: name one score, and leave out by=.",
)
NOT_UTF8 = Template(
    SourceError,
    "{path!r} is not UTF-8 text{where}: convert it, as in {command} (GB18030 is for Chinese files, "
    "those in GBK too; SHIFT_JIS and EUC-KR are for Japanese and Korean ones).",
)
UNWRITABLE = Template(SourceError, "{path!r} cannot be written: {reason}.")
NO_COLUMN = Template(SourceError, "there is no column {name!r}: {hint}.")
COLUMN_TWICE = Template(
    SourceError,
    "{count} columns are named {name!r} (columns {places}): rename all but one; the columns are "
    "{listed}.",
)
KEY_REPEATS_COLUMN = Template(
    SourceError,
    "{name!r} is a column of {path!r}, and {folder!r} in its path is a key of that name, so it is "
    "not clear which one is meant: rename the column or the folder.",
)
BAD_EXPRESSION = Template(
    SourceError, "{text!r} is not a column, and it cannot be read as an SQL expression: {reason}."
)
BAD_CONDITION = Template(
    SourceError, "where={text!r} cannot be read as an SQL expression: {reason}."
)
FAILED_CONDITION = Template(
    SourceError,
    "where={text!r} fails on a row of {source!r}: {reason}; correct it, perhaps with TRY_CAST.",
)
FAILED_EXPRESSION = Template(
    SourceError,
    "{text!r} fails on a row of {source!r}: {reason}; correct it, perhaps with TRY_CAST.",
)
LAZY_FAILED = Template(
    SourceError,
    "Polars cannot compute the LazyFrame: {reason}; correct it where it is made.",
)
NOT_A_CONDITION = Template(
    SourceError,
    "where={text!r} is of type {type}, not true or false: compare it, as in where='{text} > 0'.",
)
NAMES_DIFFER_IN_CASE = Template(
    SourceError,
    "the columns {listed} are the same to SQL, which ignores case, so {name!r} cannot be used in "
    "an expression: rename all but one.",
)
BAD_SQL = Template(SourceError, "the SQL cannot be run: {reason}.")
READ_ONLY_SQL = Template(
    SourceError,
    "the SQL holds {found}, but a single SELECT is expected: nothing else is run, so that "
    "nothing is ever written.",
)
WHICH_TABLE = Template(
    SourceError,
    "{path!r} holds {count:table|tables} ({listed}): name one with table=..., "
    "or select from them with sql=....",
)
NO_TABLE = Template(SourceError, "there is no table {name!r} in {path!r}: the tables are {listed}.")
NO_DATABASE = Template(
    SourceError,
    "table={table!r} names a table of a database, but the source is not a database: leave it out.",
)
NO_EXTENSION = Template(
    SourceError,
    "{path!r} needs DuckDB's extension {extension}, which is not on this machine and could not "
    "be downloaded: {reason}; try again with a network, or write the rows to Parquet or CSV "
    "first.",
)
EXTENSION_NOT_ASKED = Template(
    SourceError,
    "{path!r} needs DuckDB's extension {extension}, which is not on this machine and is "
    "downloaded only where the address asks for it: write {extension}:{path}.",
)
NOT_A_SOURCE = Template(
    InputError,
    "the source is of type {type} and cannot be read: pass a path, SQL, a frame or a mapping of "
    "arrays, or the columns themselves, as in label=table['click'], score=table['pctr'].",
)
NOT_COLLECTED = Template(
    InputError,
    "the source is of type {type}, which has no rows yet: pass the result of its {method}(), or "
    "the path of its files.",
)
NAME_WITHOUT_SOURCE = Template(
    InputError,
    "{role}={text!r} names a column, but there is no source: pass it first, as in "
    "sy.evaluate('log.parquet', {role}={text!r}, ...).",
)
NOT_A_NAME = Template(
    InputError,
    "{role} is of type {type}, but a source is given: name one of its columns, as in {role}='...'.",
)
BY_ARRAYS = Template(
    InputError,
    "by is of type {type}, but the roles are arrays: pass a mapping of arrays by name, as in "
    "by={{'country': country}}.",
)
NO_SCORES = Template(InputError, "score names no column: name one or more.")
SCORE_TWICE = Template(
    InputError,
    "two scores have the name {name!r}: give each its own name, as in score={{'new': ...}}.",
)
NOT_NUMBERS = Template(
    InputError,
    "{name} has {count:value that is not a number|values that are not numbers}, "
    "the first at row {position} ({value!r}): "
    "correct them, or leave those rows out with TRY_CAST({name} AS DOUBLE) instead of the name "
    'and nan="drop".',
)

# --- lines of TREC, LETOR and group-size files ---------------------------------------------------
EMPTY_FILE = Template(SourceError, "{path!r} has no lines: check that it is the right file.")
NOT_TEXT = Template(
    SourceError, "{path!r} is not UTF-8 text in line {line}: convert the file, or unpack it first."
)
LINE_FIELDS = Template(
    SourceError,
    "{path!r} has {count:field|fields} in line {line}, but {wanted:is|are} expected ({layout}): "
    "correct the line.",
)
LINE_VALUE = Template(
    SourceError,
    "{path!r} has {value!r} as the {field} in line {line}, which is not {wanted}: "
    "correct the line.",
)
LINE_TWICE = Template(
    SourceError,
    "{path!r} has document {document!r} of query {query!r} in line {first} and again in line "
    "{line}: keep one of the two.",
)
BAD_PAIR = Template(
    SourceError,
    "{path!r} has {text!r} in line {line}, but a feature's number and its value are expected, "
    "such as 3:0.5: correct the line.",
)
NO_FEATURE = Template(
    SourceError, "there is no feature {name!r} in {path!r}: the features are {listed}."
)
SCORES_NAME = Template(
    SourceError, "scores cannot be called {name!r}, since {path!r} has a column of that name."
)
FEATURE_TWICE = Template(
    SourceError, "{path!r} has feature {feature} twice in line {line}: keep one of the two."
)
QID_MISSING = Template(
    SourceError,
    "{path!r} has no qid in line {line}, although other lines have one: write a qid after the "
    "label of every line, as in 2 qid:7 1:0.5, or of none.",
)
NO_QUERIES = Template(
    SourceError,
    "{path!r} does not show which query a line belongs to: its lines need a qid, as in 2 qid:7 "
    "1:0.5, or pass a file of group sizes with group_sizes=....",
)
TWO_QUERIES = Template(
    SourceError,
    "{path!r} has a qid in its lines, and {other!r} gives group sizes too: leave out one of them.",
)
ROW_COUNTS_DIFFER = Template(
    SourceError,
    "{path!r} is for {count:row|rows} but {other!r} has {rows}: check that they belong together.",
)
NO_COMMON_QUERY = Template(
    SourceError, "{run!r} and {qrels!r} have no query in common: check that they belong together."
)

# --- the command line ----------------------------------------------------------------------------
NO_SOURCE = Template(
    InputError,
    "no data is given: name files, a pattern such as 'day=*/*.parquet', - for standard input, or "
    "use --sql.",
)
NO_ROLE = Template(
    InputError,
    "no column is recognised as the {role}: name one with {option}; the columns are {listed}.",
)
ROLE_TIE = Template(InputError, "{found} may each be the {role}: name the right one with {option}.")
BAD_ENDING = Template(
    InputError,
    "the ending of {path!r} does not belong to a format that can be written: use one of "
    "{endings}, or name a format with --format.",
)
BAD_GATE = Template(
    InputError,
    "cannot read the gate {text!r}: write a metric and a number, as in {option} auc=0.75.",
)
GATE_SCORE = Template(
    InputError,
    "{option} names the score {score!r} of {metric}, but the scores are {known}: name one of them, "
    "or write {option} {metric}=... for all.",
)
GATE_LOW = Template(InputError, "{metric} of {score} is {value!r}, which is under {limit!r}.")
GATE_HIGH = Template(InputError, "{metric} of {score} is {value!r}, which is over {limit!r}.")
GATE_WORSE = Template(
    InputError,
    "{metric} of {score}{where} is worse by more than {limit!r}: {difference:+.4g} [{low:+.4g}, "
    "{high:+.4g}].",
)
GATE_NOT_SHOWN = Template(
    InputError,
    "{metric} of {score}{where} is not shown to be worse by {limit!r} or less: {difference:+.4g} "
    "[{low:+.4g}, {high:+.4g}].",
)
GATE_NO_INTERVAL = Template(
    InputError,
    "{metric} of {score}{where} has no interval ({why}), so that the gate is missed.",
)
EACH_SLICE_UNUSED = Template(
    InputError,
    "--each-slice applies gates to slices, but there is no {missing}: add {options}, or leave it "
    "out.",
)
NO_WORST = Template(
    InputError,
    "slices have no worst {metric}, since neither more nor less of it is better: sort by {metric}, "
    "or by '{metric} asc'.",
)
NO_DIRECTION = Template(
    InputError,
    "neither a higher nor a lower {metric} is better, so that it has no margin and no gate.",
)
NO_GATE = Template(
    InputError,
    "{metric} cannot be a gate: {why}.",
)
GATE_NO_VALUE = Template(
    InputError,
    "{metric} of {score} has no value ({why}), so {option} {metric}={limit!r} is missed.",
)
