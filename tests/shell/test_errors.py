"""Every message, on one page: how a user provokes it, and what it says.

A template without a row is a red test.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars
import pyarrow.dataset
import pytest
from matplotlib.figure import Figure

import steelyard
from steelyard import errors
from steelyard.cli import comparison_gates, gates, main, trec_names
from steelyard.comparison.page import Comparison
from steelyard.engines.pair_ranges import PairSlices
from steelyard.engines.protocol import Whole
from steelyard.engines.weighted_ranges import weighted_ranges
from steelyard.errors import Template
from steelyard.model import Conventions, Row
from steelyard.reading.arrays import read_arrays
from steelyard.result.result import Result
from steelyard.sources.blocks import ColumnRequest
from steelyard.sources.duck.connection import CONFIG, open_table, write_parquet
from steelyard.sources.unchanged import watched
from steelyard.states import ScoreTable, Sums
from steelyard.stats.poisson_weights import Replicate

sy: Any = steelyard  # the stubs refuse what some rows hand over, as they should

Y, S = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
RANGES = Whole(np.zeros(1), in_ranges=6_000)
HERE = "/".join(duckdb.execute("SELECT version(), platform FROM pragma_platform()").fetchall()[0])
NAN, INF = float("nan"), float("inf")


def file_of(text: str) -> str:
    """A file in the folder that the test runs in."""
    Path("log.csv").write_text(text, encoding="utf-8")
    return "log.csv"


def rounded_keys() -> str:
    keys = enumerate((2**53, 2**53 + 1, 0.5))
    lines = [f'{{"y": {i % 2}, "s": 0.{i}, "id": {key}}}' for i, key in keys]
    Path("log.jsonl").write_text("\n".join(lines))
    return "log.jsonl"


def changed() -> None:
    check = watched([file_of("click,pctr\n1,0.5\n")])
    os.truncate("log.csv", 11)
    check()


def gbk() -> str:
    Path("log.csv").write_bytes("click,pctr,城市\n1,0.5,北京\n".encode("gbk"))
    return "log.csv"


def in_folder(name: str, text: str) -> str:
    Path(name).mkdir()
    Path(file_of(text)).rename(f"{name}/log.csv")
    return name


def drop(before: dict[str, Any], after: dict[str, Any], **options: Any) -> sy.Diagnosis:
    """A diagnosis of two logs with a label, a score, a dimension and users."""
    log = {"y": Y, "s": S, "d": ["a", "b", "a", "b"], "u": [1, 2, 3, 4]}
    options = {"label": "y", "score": "s", "over": ["d"], "cluster": "u"} | options
    return sy.diagnose(log | before, log | after, **options)


def trend(*changed: dict[str, Any]) -> None:
    """A diagnosis of several logs."""
    log = {"y": Y, "s": S, "d": ["a", "b", "a", "b"]}
    sy.diagnose([log | each for each in changed], label="y", score="s", over=["d"])


def state_of(**options: Any) -> Any:
    return sy.state({"y": Y, "s": S}, label="y", score="s", metrics="auc", **options)


def many_values() -> dict[str, Any]:
    rows = np.arange(100_000)
    return {"y": rows % 2, "s": rows / 100_000, "d": rows, "u": rows}


def unwritable() -> None:
    Path("there").mkdir()
    write_parquet("there", {"click": np.zeros(1)})


def database() -> str:
    with duckdb.connect("log.duckdb") as connection:
        connection.execute("CREATE TABLE a AS SELECT 1 AS y; CREATE TABLE b AS SELECT 2 AS y")
    return "log.duckdb"


def mixed() -> list[str]:
    write_parquet("log.parquet", {"click": np.zeros(1)})
    return ["log.parquet", file_of("click\n1\n")]


def unlike() -> None:
    write_parquet("a.parquet", {"s": np.zeros(1)})
    write_parquet("b.parquet", {"s": np.array(["x"])})
    blocks("*.parquet", "s")


def blocks(source: Any, text: str) -> None:
    with open_table(source) as table:
        list(table.blocks([ColumnRequest(text, "number")], None))


def conditional(source: str, where: str) -> None:
    with open_table(source) as table:
        table.blocks([ColumnRequest("click", "label")], where)


def far(source: str = "s3://bucket/log.parquet") -> None:
    settings = {"extension_directory": "none", "custom_extension_repository": "none"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setitem(CONFIG, name, value)
        open_table(source)


def other_database() -> None:
    Path("log.db").write_bytes(b"SQLite format 3\0")
    far("log.db")


def command_line(*words: str) -> None:
    """A command without main, which would print the error and exit."""
    main.steelyard.main(list(words), standalone_mode=False)


def trec(qrels: str, run: str) -> Any:
    Path("qrels").write_text(qrels, encoding="utf-8")
    Path("run").write_text(run, encoding="utf-8")
    return sy.read_trec("qrels", "run")


def letor(lines: str, sizes: str = "") -> Any:
    Path("test.txt").write_text(lines, encoding="utf-8")
    Path("test.query").write_text(sizes, encoding="utf-8")
    return sy.read_letor("test.txt", group_sizes="test.query" if sizes else None)


def gate(under: str, over: str, score: list[float]) -> None:
    asked = gates.read([under] if under else [], [over] if over else [])
    names = [gate.metric for gate in asked]
    raise next(gates.missed(asked, sy.evaluate(label=Y, score=score, metrics=names)))


def compared_with_gates(fail: str = "", require: str = "", by: str | None = None) -> None:
    """A perfect and a reversed order: they differ by 1 whichever users are drawn."""
    log = {"y": [0, 1, 0, 1], "best": [1, 2, 1, 2], "worst": [2, 1, 2, 1], "user": [1, 1, 2, 2]}
    fails, requires = ([text] if text else [] for text in (fail, require))
    found = comparison_gates.read(fails, requires, by is not None, None, "score")
    roles: Any = {"label": "y", "score": ["best", "worst"], "cluster": "user", "by": by}
    compared = sy.compare(log, **roles, metrics=found.metrics, margins=found.margins)
    raise next(found.missed(compared, 1))


def compare_keys(role: str) -> Any:
    logs = [{"y": Y, "s": S, "k": keys} for keys in ([1, 2, 3, 4], ["1", "2", "3", "4"])]
    roles = {"cluster": "row", role: "k"}
    return sy.compare(*logs, label="y", score="s", **roles, metrics="auc")


def compare_three() -> Any:
    return sy.compare(label=Y, score={"a": S, "b": S, "c": S}, cluster="row", metrics="auc")


def merge_unlike() -> None:
    left, right = Sums(["weight"]), Sums(["weight"])
    left.update(read_arrays([0, 1], [0.1, 0.2]))
    right.update(read_arrays([-1, 1], [0.1, 0.2]))
    left.merge(right)


def merge_stable() -> None:
    state = sy.state(label=Y, score=S, group=Y, metrics="map(ties=stable)")
    sy.merge(state, state)


def keys_too_wide() -> None:
    keys = [np.full(4, key) for key in (np.uint64(2**63), np.int64(-1))]
    large, small = (sy.state(label=Y, score=S, group=key, metrics="map") for key in keys)
    sy.merge(large, small).result()


TWO = Result(
    [
        Row("auc", score, 0.5, None, 2, 1, 1, 1, 1, 0.5, 0.5, slice=slice_)
        for score in ("new", "old")
        for slice_ in ({}, {"country": "DE"})
    ],
    Conventions(by=(("country",),)),
)


def without(call: Callable[[], Any], *modules: str) -> None:
    """A call without some modules; those that it loads stay, as patch.dict would not let them."""
    with pytest.MonkeyPatch.context() as patched:
        for name in modules:
            patched.setitem(sys.modules, name, None)
        call()


def no_matplotlib() -> None:
    without(lambda: sy.plot.roc(Y, S), "matplotlib.pyplot", "matplotlib")


def uninstalled() -> None:
    without(TWO.to_polars, "polars")


def without_ipython(call: Callable[[], Any]) -> None:
    without(call, "IPython", "IPython.display")


ROWS: dict[str, tuple[Callable[[], Any], str]] = {
    "NOT_ARRAY": (
        lambda: sy.auc(Y, {"a": 1}),
        (
            "y_score cannot be read as an array (it is one dict): "
            "pass a list, a NumPy array or a column."
        ),
    ),
    "NOT_1D": (
        lambda: sy.ks(Y, np.zeros((4, 2))),
        (
            "y_score has 2 dimensions (shape (4, 2)), but one is expected: pass one value per row, "
            "such as a single column of it."
        ),
    ),
    "RAGGED": (
        lambda: sy.f1([[1, 0], [0]], [[1, 0], [0, 1]], average="macro"),
        (
            "y_true has 1 value at row 1 and 2 at row 0, but rows of one length are expected: give "
            "one value per row, or a matrix with a column for each label or class, where a set of "
            "labels is a row of 0 and 1."
        ),
    ),
    "LABELS_IN_TABLE": (
        lambda: sy.evaluate(label=[[1, 0], [0, 1]], score=S[:2], metrics="auc"),
        (
            "label is a matrix (shape (2, 2)), which a table does not take: pass one value per "
            'row, or call the function of a metric, as in sy.f1(y_true, y_pred, average="macro").'
        ),
    ),
    "LENGTHS": (
        lambda: sy.auc(Y, S[:3]),
        "y_score has 3 rows but y_true has 4: pass arrays of the same length.",
    ),
    "BAD_TYPE": (
        lambda: sy.auc(Y, [0.1, None, "a", 0.2]),
        (
            "y_score holds values of type str, the first at row 2, but values of one type are "
            "expected: convert the column first."
        ),
    ),
    "MISSING": (
        lambda: sy.auc(Y, [0.1, NAN, 0.3, None]),
        (
            "y_score has 2 missing values (NaN, None or masked), the first at row 1: "
            'fill them, or leave those rows out with nan="drop".'
        ),
    ),
    "UNSCORED": (
        lambda: sy.ndcg(Y, [0.1, NAN, 0.3, None]),
        (
            "y_score has 2 missing values (NaN, None or masked), the first at row 1: fill them, "
            'use unscored="not_retrieved" if those rows were judged but not ranked, or leave them '
            'out with nan="drop".'
        ),
    ),
    "INFINITE": (
        lambda: sy.auc(Y, [0.1, 0.2, -INF, INF]),
        (
            "y_score has 2 infinite values, the first at row 2: replace them with finite numbers, "
            "or leave those rows out with where='isfinite(y_score)', of arrays with np.isfinite; "
            'nan="drop" leaves out missing values alone.'
        ),
    ),
    "INEXACT_SCORE": (
        lambda: sy.auc(Y, [1, 2**53, 2**53 + 1, 2**60 + 1]),
        (
            "y_score has 2 values that float64 cannot hold exactly, the first at row 2 "
            "(9007199254740993): rescale them or rank them first."
        ),
    ),
    "NEGATIVE_AMOUNT": (
        lambda: sy.ecpm(Y, S, bid=[1, 0.5, -2, 1]),
        ("bid has 1 negative value, the first at row 2 (-2.0): bids and revenue are zero or more."),
    ),
    "NOT_PROBABILITY": (
        lambda: sy.copc(Y, [0.1, 2.5, -1.0, 0.3]),
        (
            "y_score has 2 values outside 0 to 1, the first at row 1 (2.5): calibration metrics "
            "read probabilities; if these are logits, 1 / (1 + exp(-y_score)) makes them so."
        ),
    ),
    "OUT_OF_RANGE": (
        lambda: sy.copc(Y, S, downsampled=1.5),
        "downsampled=1.5 is out of range: give a number above 0 up to 1.",
    ),
    "NEGATIVE_WEIGHT": (
        lambda: sy.auc(Y, S, sample_weight=[1, 1, -0.5, 1]),
        (
            "sample_weight has 1 negative value, the first at row 2 (-0.5): "
            "weights are zero or more; zero leaves a row out."
        ),
    ),
    "BAD_LABEL": (
        lambda: sy.auc([0, 1, 2, 3], S),
        (
            "y_true has 2 values outside {0, 1} and {-1, +1}, the first at row 2 (2): name the "
            "positive value with positive=...."
        ),
    ),
    "MIXED_LABELS": (
        lambda: sy.auc([1, 0, -1, 0], S),
        (
            "y_true marks negatives both as 0 and as -1 (a 0 first at row 1, a -1 first at row 2): "
            "use one of the two, or name the positive value with positive=...."
        ),
    ),
    "TOO_MANY_LABELS": (
        lambda: sy.auc(["yes", "no", "yes", "maybe"], S, positive="yes"),
        (
            "y_true has more than two values ('yes', 'no', 'maybe', the third first at row 3): a "
            "binary metric compares one class with one other; leave out the rest, or compare one "
            "class with all others, as in y_true == 'yes'."
        ),
    ),
    "BAD_GRADE": (
        lambda: sy.ndcg([1, -1, 0, -2], S),
        (
            "y_true has 2 values that are not grades, the first at row 1 (-1): ranking metrics "
            "take grades from 0 to 2**53; name the relevant value with positive=...."
        ),
    ),
    "BAD_GROUP": (
        lambda: sy.gauc(Y, S, group=[1, 2.5, 3, 4.5]),
        (
            "group has 2 values that are not whole numbers, the first at row 1 (2.5): the key of a "
            "group is a whole number of 64 bits or text."
        ),
    ),
    "ROUNDED_KEYS": (
        lambda: sy.evaluate(rounded_keys(), label="y", score="s", by="id", metrics="auc"),
        (
            "id has 1 whole number that float64 cannot hold exactly, such as 9007199254740993, and "
            "is read as float64 since others are not whole numbers of 64 bits: different keys "
            "would become one, write them as text."
        ),
    ),
    "GROUP_NEEDED": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc", "ndcg@10"]),
        (
            "ndcg@10 is computed by group: give the group of each row, such as its user or its "
            "query, with group=...."
        ),
    ),
    "GROUP_AND_SIZES": (
        lambda: sy.gauc(Y, S, group=[1, 1, 2, 2], group_sizes=[2, 2]),
        "both group and group_sizes say which rows belong together: leave out one of them.",
    ),
    "BAD_SIZE": (
        lambda: sy.gauc(Y, S, group_sizes=[5, -1]),
        (
            "group_sizes has -1 as number 1, counted from 0: a size is a whole number of 0 or "
            "more, the rows of one group."
        ),
    ),
    "SIZES_DIFFER": (
        lambda: sy.evaluate(label=Y, score=S, group_sizes=[2, 1], metrics="gauc"),
        (
            "group_sizes are for 3 rows but there are 4: give the number of consecutive rows of "
            "each group, in the order of the rows."
        ),
    ),
    "NO_ROW_ORDER": (
        lambda: sy.evaluate("log.csv", label="y", score="s", group_sizes=[2, 2], metrics="gauc"),
        (
            "group_sizes count consecutive rows, and rows of files have no fixed order here: give "
            "arrays, a mapping or a data frame, or name the column of the group with group=...."
        ),
    ),
    "SIZES_IN_STATE": (
        lambda: sy.state(label=Y, score=S, group_sizes=[2, 2], metrics="gauc"),
        (
            "group_sizes number the groups of one table, so the first groups of two states would "
            "become one when merged: name the key of each row's group with group=...."
        ),
    ),
    "ONE_ROLE": (
        lambda: sy.evaluate(label=Y, score=S, prediction=S, metrics="auc"),
        (
            "rows have either a score or a prediction, but there are both: give score=... for two "
            "classes and rankings, prediction=... for many classes and for numbers."
        ),
    ),
    "OTHER_ROLE": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc", "rmse"]),
        "rmse reads a prediction, but a score is given: give prediction=....",
    ),
    "NOT_OF_PREDICTIONS": (
        lambda: sy.evaluate(label=Y, prediction=Y, downsampled=0.1, metrics="f1"),
        (
            "downsampled applies to rows that have a score, but these rows have a prediction: "
            "leave it out."
        ),
    ),
    "CLASSES_OF_ONE_SCORE": (
        lambda: sy.evaluate({"y": Y, "s": S}, label="y", score="s", classes=[0, 1], metrics="f1"),
        (
            "classes names the class of each score column, but there is only one column: give "
            "score=... as a list of 2 columns or as a matrix."
        ),
    ),
    "CLASS_TWICE": (
        lambda: sy.evaluate(label=Y, score=[[0.1, 0.9]] * 4, classes=["a", "a"], metrics="f1"),
        "classes has 'a' twice: name each class once.",
    ),
    "CLASS_COUNT": (
        lambda: sy.top_k_accuracy(Y, [[0.2, 0.3, 0.5]] * 4),
        (
            "there are 3 score columns but 2 classes in y_true: give labels=... with one class for "
            "each column, in order."
        ),
    ),
    "UNKNOWN_CLASS": (
        lambda: sy.auc(["a", "b", "c", "c"], [[0.1, 0.9]] * 4, labels=["a", "b"]),
        (
            "y_true has 2 rows of a class that has no score column, the first at row 2 ('c'): the "
            "classes are a, b."
        ),
    ),
    "CLASS_TYPES_DIFFER": (
        lambda: sy.kappa([1, 2], ["1", "2"]),
        (
            "y_true holds numbers but y_pred holds text, so no prediction can be right: convert "
            "one of them."
        ),
    ),
    "SCORES_AS_CLASSES": (
        lambda: sy.f1(Y, S, average="macro"),
        (
            "y_pred has 4 values with a fraction, the first at row 0 (0.1), and y_true has none, "
            "so these look like scores: pass predicted classes, or pass the scores as y_score or "
            "score=...."
        ),
    ),
    "PROBABILITY_SUM": (
        lambda: sy.logloss(Y, [[0.1, 0.9], [0.5, 0.75], [1, 0], [1, 1]], labels=[0, 1]),
        (
            "the class probabilities (columns from y_score[0] on) do not add up to 1 in 2 rows, "
            "the first at row 1 (sum 1.25): divide each by the sum of its row."
        ),
    ),
    "MANY_CLASSES": (
        lambda: sy.f1([0, 1, 2, 2], [0, 1, 1, 2]),
        (
            "y_true has a third class at row 2 (the classes are 0, 1, 2), and an average is binary "
            "unless said, for two classes: choose macro, micro or weighted, as in f1(macro) or "
            "average='macro'."
        ),
    ),
    "POSITIVE_NEEDED": (
        lambda: sy.precision(["cat", "dog"], ["cat", "cat"]),
        (
            "the classes of y_true ('cat', 'dog') do not tell which one is positive: name it with "
            "positive=..., or choose an average over classes, macro, micro or weighted, as in "
            "f1(macro) or average='macro'."
        ),
    ),
    "POSITIVE_UNUSED": (
        lambda: sy.evaluate(label=Y, prediction=Y, positive=1, metrics=["mae", "f1(macro)"]),
        (
            "positive=1 has no effect on mae, f1(macro): leave it out, or request a metric with a "
            "binary average, such as f1."
        ),
    ),
    "NO_INTERVAL": (
        lambda: sy.ks(Y, S, cluster="row"),
        (
            "ks has no interval, since it is a maximum over thresholds, so its interval is "
            "optimistic: a table has one, with bootstrap=1000."
        ),
    ),
    "CLUSTER_VARIES": (
        lambda: sy.evaluate(
            *[{"y": Y, "s": S, "g": [7, 7, 8, 8], "u": [1, 2, 3, 3]}],
            label="y",
            score="s",
            group="g",
            cluster="u",
            metrics="gauc",
        ),
        (
            "1 group has rows of several clusters, the first of which is 7: the rows of a group "
            "must belong to one cluster, or the interval of a mean over groups would be too short; "
            "use the key of the group as cluster=..., or a coarser one."
        ),
    ),
    "CLUSTER_NEEDED": (
        lambda: sy.evaluate(label=Y, score=S, confidence=0.9),
        (
            "confidence=... needs cluster=..., the key of rows that depend on each other, such as "
            "the user: on logs, intervals of single rows are too short. Where rows are "
            'independent, say cluster="row".'
        ),
    ),
    "CLUSTER_OF_TRIALS": (
        lambda: sy.evaluate(label=[1, 2], score=[0.1, 0.2], trials=[3, 4], cluster="row"),
        (
            'cluster="row" does not apply to trials=...: the rows that were added up cannot be '
            "told apart. Name a column."
        ),
    ),
    "CLUSTER_NAMED_ROW": (
        lambda: sy.evaluate({"y": Y, "s": S, "row": Y}, label="y", score="s", cluster="row"),
        (
            'cluster="row" makes each row a cluster of its own, but there is a column called row '
            "too: write cluster='\"row\"' for the column, or rename it."
        ),
    ),
    "ROW_CLUSTERS_IN_STATE": (
        lambda: sy.state(label=Y, score=S, cluster="row"),
        (
            'cluster="row" numbers the rows of one table, so the first rows of two states would '
            "become one cluster when merged: name the key of each row's cluster with cluster=...."
        ),
    ),
    "COMPARE_CLUSTER": (
        lambda: sy.compare(label=Y, score={"a": S, "b": S}),
        (
            "a comparison needs cluster=..., the key of rows that depend on each other, such as "
            'the user; where rows are independent, say cluster="row"; ranking metrics of one group '
            "column need none."
        ),
    ),
    "COMPARE_SCORES": (
        lambda: sy.compare(label=Y, score=S, cluster="row"),
        (
            'there is one score (score): give two or more, as in score=["old", "new"], or a second '
            "log."
        ),
    ),
    "COMPARE_ONE_SCORE": (
        lambda: sy.compare(
            *[{"y": Y, "a": S, "b": S}] * 2, label="y", score=["a", "b"], cluster="row"
        ),
        "two logs are compared by one score, but there are 2: a, b.",
    ),
    "COMPARE_COMMON_ROWS": (
        lambda: sy.compare(label=Y, score={"a": S, "b": S}, cluster="row", rows="own"),
        "a comparison is of the same rows, so that rows=own does not apply: leave it out.",
    ),
    "COMPARE_BOOTSTRAP": (
        lambda: sy.compare(
            *[{"y": Y, "a": S}] * 2, label="y", score="a", cluster="row", bootstrap=200
        ),
        (
            "rows of two logs are never the same, so that they are not resampled together: leave "
            "out bootstrap=..., or name the key of rows that depend on each other in cluster=...."
        ),
    ),
    "TOO_MANY_WEIGHTINGS": (
        lambda: weighted_ranges(
            lambda _: [], [], RANGES, [Replicate(0)] * 1_000, np.abs, ["ks", "lift(0.1)"]
        ),
        (
            "ks, lift(0.1) in 1,000 replicates of 6,000 slices of score ranges are 18,000,000 "
            "parts, more than the 16,777,216 that are held at once: request fewer "
            "replicates in bootstrap=..., fewer slices or fewer such metrics; those with influence "
            "values, such as auc, need none."
        ),
    ),
    "NOT_BY_PARTS": (
        PairSlices(np.arange(1)).order_sums,
        (
            "kendall needs all rows of a slice together, and here they are in parts: leave it out, "
            "or read fewer rows with where=..., so that memory holds them."
        ),
    ),
    "NO_BASELINE": (
        lambda: sy.compare(label=Y, score={"a": S, "b": S}, cluster="row", baseline="c"),
        "no score is called 'c': the baseline is one of a, b.",
    ),
    "NOT_COMPARED": (
        lambda: compare_three().row("ap"),
        "ap was not compared: there is auc; request it in metrics=[...].",
    ),
    "NO_CANDIDATE": (
        lambda: compare_three().row("auc", "a"),
        "no candidate is called 'a': there is b, c.",
    ),
    "COMPARE_KEYS": (
        lambda: compare_keys("cluster"),
        (
            "k is whole numbers in one log and text in the other, so that no cluster of one would "
            "be found in the other: name the type for both, as in k::VARCHAR."
        ),
    ),
    "BASELINE_OF_LOGS": (
        lambda: sy.compare(
            *[{"y": Y, "a": S}] * 2, label="y", score="a", cluster="row", baseline="a"
        ),
        (
            "baseline=... names a score, but two logs are compared, of which the first is the "
            "baseline: leave it out, or give the logs in the other order."
        ),
    ),
    "ALL_PAIRS": (
        lambda: sy.compare(
            label=Y, score={"a": S, "b": S}, cluster="row", baseline="a", all_pairs=True
        ),
        (
            "all_pairs=True compares every score with every other, but baseline=... is given: "
            "leave out one of the two."
        ),
    ),
    "EACH_SLICE_UNUSED": (
        lambda: gates.refuse_unused_each_slice(
            {"each_slice": True, "fail_under": (), "fail_over": ()}, gates.OPTIONS
        ),
        (
            "--each-slice applies gates to slices, but there is no gate: add --fail-under or "
            "--fail-over, or leave it out."
        ),
    ),
    "BAD_MARGIN": (
        lambda: sy.compare(
            label=Y, score={"a": S, "b": S}, cluster="row", margins={"auc": -1}, metrics="auc"
        ),
        "the margin of auc is -1, but a number of 0 or more is expected.",
    ),
    "TWO_MARGINS": (
        lambda: compared_with_gates(fail="auc=0.5", require="auc=0.1"),
        (
            "auc has the margins 0.1, 0.5, but a comparison has one margin for each metric: give "
            "both gates the same."
        ),
    ),
    "GATE_WORSE": (
        lambda: compared_with_gates(fail="auc=0.01"),
        "auc of worst is worse by more than 0.01: -1 [-1, -1].",
    ),
    "GATE_NOT_SHOWN": (
        lambda: compared_with_gates(require="auc=0.5"),
        "auc of worst is not shown to be worse by 0.5 or less: -1 [-1, -1].",
    ),
    "GATE_NO_INTERVAL": (
        lambda: compared_with_gates(require="auc=2", by="user"),
        (
            "auc of worst in user=1 has no interval (a value rests on fewer than two clusters), so "
            "that the gate is missed."
        ),
    ),
    "NO_DIRECTION": (
        lambda: compared_with_gates(fail="prevalence=0"),
        "neither a higher nor a lower prevalence is better, so that it has no margin and no gate.",
    ),
    "NO_GATE": (
        lambda: compared_with_gates(fail="ks=0"),
        "ks cannot be a gate: it is a maximum over thresholds, so its interval is optimistic.",
    ),
    "SCORES_NEEDED": (
        lambda: sy.evaluate(label=Y, prediction=Y, metrics=["f1", "top_k_accuracy"]),
        (
            "top_k_accuracy reads one score per class, but one value per row is given: pass a "
            "matrix of scores, or in a table score=[...] with classes=[...]."
        ),
    ),
    "NUMBERS_NEEDED": (
        lambda: sy.evaluate(label=Y, score=[[0.1, 0.9]] * 4, metrics=["f1", "mae"]),
        (
            "mae reads a predicted number, but scores of classes are given: pass one prediction "
            "per row."
        ),
    ),
    "DOCUMENT_NEEDED": (
        lambda: sy.map(Y, S, ties="trec"),
        ("map(ties=trec) breaks ties by the document: name its column with document=...."),
    ),
    "GROUP_WEIGHT_VARIES": (
        lambda: sy.gauc(Y, S, group=["a", "b", "a", "b"], group_weight=[1, 2, 1, 3]),
        (
            "group_weight varies within 1 group, the first of which is 'b' (2.0 to 3.0): give all "
            "rows of a group the same weight."
        ),
    ),
    "LABEL_SHAPES": (
        lambda: sy.f1([[0, 1], [1, 0]], [[0, 1, 1], [1, 0, 0]], average="macro"),
        (
            "y_true has the shape (2, 2) and the second argument (2, 3), but two matrices of one "
            "shape are expected: give a score or a prediction for each label of each row."
        ),
    ),
    "OTHER_WAY": (
        lambda: sy.ndcg_score([[0, 1]], [[0.1, 0.2]], ignore_ties=True),
        'ndcg_score() does not take ignore_ties=True: write ties="stable".',
    ),
    "TWO_COLUMNS": (
        lambda: sy.roc_auc_score(Y, [[0.9, 0.1], [0.5, 0.5], [1, 0], [0, 1]]),
        (
            "roc_auc_score() takes one score per row of two classes, and y_score has two columns: "
            "pass the column of the positive class, as in y_score[:, 1]; of two models, call it "
            "for each."
        ),
    ),
    "TWO_SCORES": (
        lambda: sy.auc(Y, [[0.9, 0.1], [0.5, 0.75], [1, 0], [1, 1]]),
        (
            "y_score has two columns that are no probabilities of two classes (row 1 adds up to "
            "1.25): of two models, call it for each column; of two classes, pass the score of the "
            "positive one, or name the class of each column with labels=[...]."
        ),
    ),
    "OUTPUT_WEIGHTS": (
        lambda: sy.mean_squared_error([[0, 1], [1, 0]], [[0, 1], [1, 1]], multioutput=[1, 2, 3]),
        "multioutput has the shape (3,), but y_true has 2 columns: pass a number for each.",
    ),
    "TARGET_NAMES": (
        lambda: sy.classification_report([0, 1, 2], [0, 1, 1], target_names=["a", "b"]),
        (
            "target_names has 2 names, but the report has 3 classes (0, 1, 2): pass a name for "
            "each, in this order."
        ),
    ),
    "LABEL_AVERAGE": (
        lambda: sy.f1([[0, 1], [1, 0]], [[0, 1], [1, 0]]),
        (
            "y_true is a matrix of labels, so f1 is averaged over them: choose average=... as one "
            "of macro, micro, samples, weighted, or None for each label."
        ),
    ),
    "MISSING_WEIGHT": (
        lambda: sy.f1(
            [[0, 1], [1, 0]], [[0, 1], [1, 0]], average="macro", sample_weight=[1.0, np.nan]
        ),
        (
            "sample_weight has 1 missing value (NaN, None or masked), the first at row 1: fill "
            "them; a weight of 0 leaves a row out."
        ),
    ),
    "BAD_CELL": (
        lambda: sy.f1([[0, 1], [1, 0]], [[0, 1], [2, 0]], average="macro"),
        (
            "y_pred has 1 value that should be 0 or 1, since integers are classes, the first at "
            "row 1, column 0 (2): correct the matrix."
        ),
    ),
    "NO_CLASSES": (
        lambda: sy.recall(["a", "b"], ["a", "a"], labels=[], average="macro"),
        "labels names no class: name one or more, or leave it out.",
    ),
    "CLASSES_UNUSED": (
        lambda: sy.accuracy(["a", "b"], ["a", "a"], labels=["a"]),
        (
            "labels chooses predicted classes to average over, which has no meaning for accuracy: "
            "leave it out, or request an average such as f1(macro)."
        ),
    ),
    "MATRIX_TOO_LARGE": (
        lambda: sy.confusion(range(4097), y_pred=range(4097)),
        (
            "the confusion matrix of 4097 classes is too large (at most 4,096): combine rare "
            "classes, or use precision, recall or f1, which take any number of classes."
        ),
    ),
    "NOT_EXP2": (
        lambda: sy.dcg([54, 0, 1, 2], S, gain="exp2"),
        ("gain=exp2 takes whole grades up to 53, but there is a grade of 54: use gain=linear."),
    ),
    "BEYOND_MAX_GRADE": (
        lambda: sy.err([5, 0, 1, 2], S),
        (
            "err takes whole grades up to max_grade=4, but there is a grade of 5: give the highest "
            "grade, as in err(max_grade=...)."
        ),
    ),
    "NOT_LISTS": (
        lambda: sy.from_lists("abc", [["a"]]),
        (
            "ranked is a str, but lists are expected: give a list of items for each user or query, "
            "by name or in order."
        ),
    ),
    "LIST_COUNTS_DIFFER": (
        lambda: sy.from_lists([["a"], ["b"]], [["a"]]),
        (
            "there are 2 ranked lists but 1 list of relevant items: give both for each user or "
            "query, or give them by name."
        ),
    ),
    "NO_LIST_IN_COMMON": (
        lambda: sy.from_lists({"7": ["a"], "8": ["b"]}, {7: ["a"], 8: ["b"]}),
        (
            "ranked and relevant have no name in common (their first names are '7' and 7): give "
            "both by the same names, of the same type."
        ),
    ),
    "ITEM_TWICE": (
        lambda: sy.from_lists({"ann": ["a", "b", "a"]}, {"ann": ["a"]}),
        "the list of 'ann' has 'a' twice: list each item once.",
    ),
    "NO_RANKS": (
        lambda: sy.evaluate(label=Y, score=S, metrics="auc", unscored="not_retrieved"),
        (
            'auc cannot use rows without a score: with unscored="not_retrieved" request only '
            "ranking metrics, or leave those rows out."
        ),
    ),
    "NOT_BY_TRIALS": (
        lambda: sy.evaluate(label=Y, trials=Y, score=S, group=Y, metrics="map"),
        (
            "map ranks single rows, so trials have no meaning for it: leave them out and pass one "
            "row per trial."
        ),
    ),
    "CUT_NEEDED": (
        lambda: sy.evaluate(label=Y, score=S, group=Y, metrics="precision_at_k"),
        "precision_at_k cuts a ranked list: give the rank, as in precision@10.",
    ),
    "CUT_AS_PARAMETER": (
        lambda: sy.evaluate(label=Y, score=S, group=Y, metrics="ndcg(k=5)"),
        "ndcg takes its cut after an @, not as a parameter: write ndcg@5.",
    ),
    "NO_LINE_TABLE": (
        lambda: TWO.groups(),
        (
            "this result has no table of groups (it holds auc): request a mean over groups, such "
            "as gauc or ndcg; a result read from a file has no such table."
        ),
    ),
    "NOT_A_MEAN_OVER": (
        lambda: sy.evaluate(label=Y, score=S, group=Y, metrics=["auc", "map"]).groups("auc"),
        "auc is not a mean over groups, so the table of groups does not have it: use map.",
    ),
    "NOT_OVER_GROUPS": (
        lambda: sy.evaluate(label=Y, score=S, group=Y, metrics=["group_values(auc)"]),
        (
            "group_values shows the values of a mean over groups, and auc is not one: use gauc, "
            'uauc or a metric of ranked lists, such as "ndcg@10".'
        ),
    ),
    "MERGE_STABLE": (
        merge_stable,
        (
            "ties=stable depends on the order of rows, which two states do not share: read all "
            "rows in one call, or use ties=expected."
        ),
    ),
    "KEYS_TOO_WIDE": (
        keys_too_wide,
        ("group keys of 2**63 and more cannot be combined with keys below zero (-1): use text."),
    ),
    "POSITIVE_ABSENT": (
        lambda: sy.auc(["yes", "no", "yes", "no"], S, positive="Yes"),
        (
            "positive='Yes' does not occur in y_true, which holds 'yes', 'no': use one of these "
            "values."
        ),
    ),
    "NOT_WHOLE": (
        lambda: sy.evaluate(label=[1, 2.5], trials=[3, 3], score=[0.1, 0.2]),
        (
            "label has 1 value that is not a whole number of zero or more, the first at row 1 "
            "(2.5): trials and positives are counts."
        ),
    ),
    "BEYOND_TRIALS": (
        lambda: sy.evaluate(label=[1, 4], trials=[3, 3], score=[0.1, 0.2]),
        (
            "label is larger than trials in 1 row, the first at row 1 (4 of 3): a row cannot have "
            "more positives than trials."
        ),
    ),
    "WEIGHT_TOO_LARGE": (
        lambda: sy.evaluate(label=[1], trials=[2**40], score=[0.1], weight=[2**40]),
        (
            "a weight times its trials is 1.21e+24, but at most 2**63 is possible: use smaller "
            "weights."
        ),
    ),
    "POSITIVE_WITH_TRIALS": (
        lambda: sy.evaluate(label=[1], trials=[2], score=[0.1], positive="yes"),
        (
            "positive='yes' has no meaning with trials, where the label counts the positives: "
            "leave it out."
        ),
    ),
    "BAD_MEMORY": (
        lambda: open_table("SELECT 1", memory="lots"),
        "memory='lots' is not a size: write a number and a unit, such as 4GB.",
    ),
    "BAD_CHOICE": (
        lambda: sy.auc(Y, S, nan="ignore"),
        "nan='ignore' is not one of the choices: use one of error, drop.",
    ),
    "OPTION_TYPE": (
        lambda: sy.evaluate(label=Y, score=S, metrics=5),
        'metrics is of type int: give it as names, as in ["auc", "ks"].',
    ),
    "BAD_SPEC": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["precision(0.3"]),
        (
            "cannot read the metric 'precision(0.3' at character 14: the text ends where ',' or "
            "')' is expected; metrics look like auc, precision(0.3) or ndcg(gain=exp2)@10."
        ),
    ),
    "NOT_QRELS": (
        lambda: sy.from_qrels({"q1": ["a"]}, {"q1": {"a": 0.5}}),
        (
            "qrels of 'q1' is a mapping of list, but a mapping of mappings is expected: give "
            "{query: {document: number}}; sy.read_trec(...) reads TREC files."
        ),
    ),
    "NOT_A_TREC_FILE": (
        lambda: sy.read_trec("qrels", {"bm25": {"q1": {"a": 0.5}}}),
        (
            "run bm25 is a dict, but the path of a TREC file is expected: give paths, or "
            "dictionaries to sy.from_qrels(...)."
        ),
    ),
    "RUNS_DIFFER": (
        lambda: sy.from_qrels(
            {"q1": {"a": 1}, "q2": {"a": 1}},
            {"bm25": {"q1": {"a": 0.5}}, "bert": {"q1": {"a": 0.5}, "q2": {"a": 0.5}}},
        ),
        (
            "run 'bert' has the query 'q2', which run 'bm25' does not have: evaluate each run "
            "alone, or give complete=True, which counts queries without a document as 0."
        ),
    ),
    "TRANSPOSED": (
        lambda: sy.evaluate(label=Y, score=[S, S], metrics="auc"),
        (
            "score has 2 rows of 4 values, but label has 4 rows: give several scores by name, as "
            "in score={'new': ...}; class scores are a matrix with a row for each label."
        ),
    ),
    "GRADES_BESIDE_CLASSES": (
        lambda: sy.evaluate(label=[0, 1, 3, 0], score=S, group=Y, metrics="ndcg,auc"),
        (
            "label has 1 grade other than 0 and 1, the first at row 2 (3), but metrics of two "
            "classes are requested beside the ranking metrics: request them separately, with "
            "label >= 1 as the label."
        ),
    ),
    "BAD_CONDITION": (
        lambda: sy.evaluate({"y": Y, "s": S}, label="y", score="s", where="s >"),
        "where='s >' cannot be read as an SQL expression: syntax error at or near \">\".",
    ),
    "FAILED_CONDITION": (
        lambda: sy.evaluate({"y": Y, "s": S}, label="y", score="s", where="error('no')"),
        "where=\"error('no')\" fails on a row of 'dict': no; correct it, perhaps with TRY_CAST.",
    ),
    "FAILED_EXPRESSION": (
        lambda: sy.evaluate(
            file_of("y,s,g\n1,0.5,a\n"), label="y", score="s", by="CAST(g AS INT)", metrics="auc"
        ),
        (
            "'CAST(g AS INT)' fails on a row of 'log.csv': Could not convert string 'a' to INT32 "
            "when casting from source column g; correct it, perhaps with TRY_CAST."
        ),
    ),
    "NOT_LOADED": (
        lambda: sy.load(file_of("junk")),
        (
            "'log.csv' cannot be loaded: these bytes are not a steelyard state: they start with "
            "b'junk', not b'STEELYRD'."
        ),
    ),
    "UNKNOWN_METRIC": (
        lambda: sy.evaluate(label=Y, score=S, metrics="auc,f2"),
        "there is no metric 'f2': did you mean fbeta(2).",
    ),
    "NOT_OF_A_RUN": (
        lambda: trec_names.measures(["gauc"]),
        (
            "gauc is not a measure of a run, which holds only ranked lists: steelyard list ranking "
            "shows the measures of a run."
        ),
    ),
    "UNKNOWN_PARAMETER": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["fbeta(b=2)"]),
        "fbeta has no parameter 'b': it takes beta, threshold.",
    ),
    "TOO_MANY_PARAMETERS": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["fbeta(1, 0.5, 3)"]),
        "fbeta takes 2 parameters but is given 3: it takes beta, threshold.",
    ),
    "REPEATED_PARAMETER": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["fbeta(1, beta=2)"]),
        "fbeta is given 'beta' twice: give it once.",
    ),
    "MISSING_PARAMETER": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["fbeta"]),
        "fbeta needs beta: write fbeta(beta=...).",
    ),
    "BAD_PARAMETER": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["fbeta(0)"]),
        "fbeta takes beta as a number above 0, not 0.0.",
    ),
    "COST_ONLY": (
        lambda: sy.best_threshold(Y, S, criterion="f1", fn=5),
        (
            "best_threshold(f1) has no costs: use best_threshold(cost, fp=..., fn=...), or leave "
            "fp and fn out."
        ),
    ),
    "NO_MICRO_PAIRS": (
        lambda: sy.auc([0, 1], np.eye(2), multi_class="ovo", average="micro"),
        (
            "auc(ovo) has no micro average, because each pair of classes has its own rows: use "
            "macro or weighted, or auc(average=micro)."
        ),
    ),
    "NO_CUT": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc@10"]),
        "auc does not cut a ranked list, so auc@10 has no meaning: write auc.",
    ),
    "NO_APPROXIMATION": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc~"]),
        "there is no auc~: auc has no certified approximation; write auc.",
    ),
    "NOT_A_NUMBER": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["roc"])["roc"],
        (
            "roc is not a single number, so there is no value to look up, compare or sort by: "
            'result.shape("roc") returns it.'
        ),
    ),
    "NOT_COMPARABLE": (
        lambda: command_line("eval", file_of("click,pctr\n1,1\n"), "--fail-under", "confusion=3"),
        (
            "confusion is not a single number, so it cannot be compared or sorted by: name a "
            "metric that is one, such as auc."
        ),
    ),
    "NOT_A_SHAPE": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc"]).shape("auc"),
        'auc is a single number: result["auc"] returns it.',
    ),
    "OTHER_SHAPE": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["thresholds"]).curve("thresholds"),
        'thresholds is not a curve: result.shape("thresholds") returns it.',
    ),
    "ONE_TABLE": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc", "roc"]).to_csv(),
        (
            "the result has several tables (auc, roc), but CSV holds one: request one of them, or "
            "write JSON, which holds all."
        ),
    ),
    "SLICE_TWICE": (
        lambda: sy.evaluate({"y": Y, "s": S}, label="y", score="s", by=["y", {"y": "s > 0.2"}]),
        "two slicings are called 'y': give one of them another name.",
    ),
    "NO_FILES": (
        lambda: sy.evaluate(label=Y, score=S, metrics="auc", by_file=True),
        (
            "there are no files to slice by: the source (arrays) is not a file, a folder or a list "
            "of files on this machine; leave out by_file=True."
        ),
    ),
    "NO_SLICES": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc"]).select(top=1),
        (
            "there are no slices to select from: slice with by=..., or leave out sort=..., "
            "top=... and min_rows=...."
        ),
    ),
    "NOT_A_COUNT": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc"]).select(top=0),
        "top=0 is not a count: give a whole number of 1 or more.",
    ),
    "NO_PICTURE": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["accuracy"]).picture_shape("roc"),
        (
            "this result has no roc of the total to draw: evaluate with shapes=True, or for every "
            'slice with metrics=[..., "roc"].'
        ),
    ),
    "NOT_IN_RESULT": (
        lambda: sy.evaluate(label=Y, score=S, metrics=["auc", "ks"])["precision(0.3)"],
        "this result has no precision(0.3): it holds auc, ks; request it in metrics=[...].",
    ),
    "SEVERAL_SCORES": (
        lambda: TWO["auc"],
        (
            "this result has several scores ('new', 'old'): name one, as in result.value('auc', "
            "score='new')."
        ),
    ),
    "NO_SCORE": (
        lambda: TWO.value("auc", score="nev"),
        "this result has no score 'nev': it has 'new', 'old'.",
    ),
    "NOT_SLICED": (
        lambda: TWO.value("auc", score="new", device="phone"),
        "this result is not sliced by device: it is sliced by country; request it in by=[...].",
    ),
    "NO_SLICE": (
        lambda: TWO.value("auc", score="new", country="de"),
        "this result has no slice country='de': did you mean country='DE'.",
    ),
    "NOT_A_RESULT": (
        lambda: sy.Result.from_json("{}"),
        'this is not a steelyard result: it has no "schema".',
    ),
    "RESULT_SCHEMA": (
        lambda: sy.Result.from_dict({"schema": "steelyard.result/7"}),
        (
            "this result has the schema 'steelyard.result/7', but this steelyard reads "
            "'steelyard.result/1': write it again with this version."
        ),
    ),
    "RESULT_DAMAGED": (
        lambda: sy.Result.from_dict(TWO.to_dict() | {"rows": [{"metric": 7}]}),
        ("this result is damaged: rows[0].score is missing or not a string; write it again."),
    ),
    "NOT_INSTALLED": (
        uninstalled,
        "polars is not installed: pip install polars, or use to_csv or to_json.",
    ),
    "EXCEL_LIMIT": (
        lambda: sy.evaluate(
            {"y": Y, "s": S, "k": ["x" * 40_000] * len(Y)},
            label="y",
            score="s",
            by="k",
            metrics="auc",
        ).to_excel("result.xlsx"),
        (
            "the sheet wide would have 40,000 characters in a cell, but Excel has at most 32,767: "
            "use to_csv."
        ),
    ),
    "NO_NOTEBOOK": (
        lambda: without_ipython(sy.evaluate(label=Y, score=S, metrics=["auc"]).show),
        (
            "show() is for notebooks, and this Python has no IPython: write the report with "
            'to_html("report.html") and open that file.'
        ),
    ),
    "NO_MATPLOTLIB": (
        no_matplotlib,
        "pictures are drawn by matplotlib, which is not installed: pip install matplotlib.",
    ),
    "NO_PICTURE_ENDING": (
        lambda: command_line("plot", "roc", "none.csv", "-o", "roc.gif"),
        "the ending of 'roc.gif' is not that of a picture: use one of .png, .svg, .pdf.",
    ),
    "NO_PICTURE_KIND": (
        lambda: TWO.plot("rock"),
        (
            "there is no picture of the kind 'rock' (did you mean 'roc'?): the kinds are roc, pr, "
            "calibration, scores, lift, gain, confusion, groups, threshold, residuals, "
            "predicted_vs_true, slices."
        ),
    ),
    "BAD_STYLE": (
        lambda: sy.plot.roc(Y, S, ax=Figure().subplots(), line_width=3),
        (
            "'line_width' is no property of what is drawn, which matplotlib calls Line2D: did you "
            "mean linewidth; **style takes properties such as linewidth, alpha or color."
        ),
    ),
    "BY_OR_SLICE": (
        lambda: TWO.plot("roc", by="country", slice={}),
        "by='country' and slice=... exclude each other: give one of them.",
    ),
    "NOT_A_BY": (
        lambda: TWO.plot("roc", by="device"),
        "this result has no slices by 'device', but by country: request them in by=[...].",
    ),
    "NOT_A_DIMENSION": (
        lambda: drop({}, {}).plot(by="device"),
        "this diagnosis has no parts by 'device', but by d: name others in over=[...].",
    ),
    "ONLY_TOTAL": (
        lambda: sy.evaluate(label=Y, score=S).plot("slices"),
        "this result has the total alone, and no slices to draw: request them with by=....",
    ),
    "NO_EVALUATION": (
        lambda: Comparison([], [], "old", sy.evaluate(label=Y, score=S).conventions).to_html(),
        (
            "this comparison was made of rows alone, and a report is on values too: "
            "sy.compare(...) gives a comparison that has both."
        ),
    ),
    "OTHER_PICTURE": (
        lambda: sy.evaluate(label=Y, score=S).plot("roc", metric="pr"),
        "pr is not what a picture of the kind 'roc' shows, which is roc.",
    ),
    "ONE_SERIES": (
        lambda: sy.evaluate(label=Y, score={"old": S, "new": S}).plot("confusion"),
        (
            "a picture of the kind 'confusion' shows one score of one slice, not old, new: choose "
            "one score with score=..., and one slice or the total."
        ),
    ),
    "NOT_A_STATE": (
        lambda: ScoreTable.loads(b"label,score\n"),
        "these bytes are not a steelyard state: they start with b'label,sc', not b'STEELYRD'.",
    ),
    "STATE_VERSION": (
        lambda: Sums.loads(b"STEELYRD\x07\x00" + bytes(20)),
        (
            "this state has format version 7, but this steelyard reads version 1: write it again "
            "with this version."
        ),
    ),
    "STATE_TRUNCATED": (
        lambda: Sums.loads(b"STEELYRD\x01\x00\x40\x00\x00\x00" + bytes(20)),
        "the state is cut short in the header: 64 bytes are expected, but there are 20.",
    ),
    "STATE_DAMAGED": (
        lambda: Sums.loads(Sums(["weight"]).dumps() + b"!"),
        "the state is damaged in its end: other data follows it.",
    ),
    "STATE_KIND": (
        lambda: ScoreTable.loads(Sums(["weight"]).dumps()),
        "the state is of kind 'sums', not 'score_table'.",
    ),
    "NOTHING_TO_MERGE": (
        lambda: sy.merge(),
        "there is nothing to merge: pass one state or more.",
    ),
    "MERGES_STATES": (
        lambda: sy.merge([sy.state(label=Y, score=S)]),
        (
            "merge is given a list, but a state is expected: pass states one by one, as in "
            "sy.merge(*states); sy.load reads one from its file."
        ),
    ),
    "KEYS_UNLIKE": (
        lambda: sy.merge(
            *(
                sy.state({"y": Y, "s": S, "k": keys}, label="y", score="s", by="k")
                for keys in ([1, 2, 3, 4], ["1", "2", "3", "4"])
            )
        ),
        (
            "k has keys that are numbers in one state and text in another, so equal values would "
            "be counted apart: name the type in both, as in k::VARCHAR."
        ),
    ),
    "MERGE_DIFFERS": (
        merge_unlike,
        (
            "two states that were read differently cannot be merged: the negative label is 0 in "
            "one and -1 in the other; read both the same way."
        ),
    ),
    "NO_FILE": (
        lambda: sy.evaluate("log.csv", label="click", score="pctr"),
        "there is no file 'log.csv': check the path.",
    ),
    "NO_MATCH": (
        lambda: open_table("day=*/*.parquet"),
        "no file matches 'day=*/*.parquet': check the pattern and the folder it starts in.",
    ),
    "FILE_TWICE": (
        lambda: open_table([file_of("click\n1\n"), "./log.csv"]),
        (
            "'log.csv' is given twice, the second time as './log.csv', so its rows would count "
            "twice: name it once."
        ),
    ),
    "MIXED_FORMATS": (
        lambda: open_table(mixed()),
        ("'log.parquet' is Parquet but 'log.csv' is text: read files of one format at a time."),
    ),
    "DIFFERENT_TYPES": (
        unlike,
        (
            "s is DOUBLE in 'a.parquet' but VARCHAR in 'b.parquet': "
            "convert the column in one of them."
        ),
    ),
    "UNREADABLE": (
        lambda: sy.evaluate(file_of(""), label="click", score="pctr"),
        "'log.csv' cannot be read: the file is empty.",
    ),
    "CHANGED": (
        changed,
        (
            "'log.csv' changed while it was read, so that some rows would be old and some new: "
            "read it when it is complete, or a copy of it."
        ),
    ),
    "NO_STEPS": (
        lambda: sy.explain("ks", on={"label": [0, 1], "score": [0.1, 0.2]}),
        "ks cannot be shown step by step on rows of your own: auc and ndcg can.",
    ),
    "NEEDS_ON": (
        lambda: sy.explain("auc", label=[0, 1], score=[0.2, 0.4]),
        "label, score: name the rows too, as in on={'label': [0, 1], 'score': [0.2, 0.4]}.",
    ),
    "ONE_WORKED": (
        lambda: sy.explain("auc", "ndcg", on={"label": [0, 1], "score": [0.1, 0.2]}),
        "one metric is shown step by step, not auc, ndcg: ask for each of them.",
    ),
    "ONE_LIST": (
        lambda: sy.explain(
            "auc", on={"label": [0, 1], "a": [0.1, 0.2], "b": [0.1, 0.2]}, score=["a", "b"]
        ),
        "one score is shown step by step, without slices: name one score, and leave out by=.",
    ),
    "NOT_UTF8": (
        lambda: sy.evaluate(gbk(), label="click", score="pctr"),
        (
            "'log.csv' is not UTF-8 text: convert it, as in iconv -f GB18030 -t UTF-8 log.csv > "
            "log.utf8.csv (GB18030 is for Chinese files, those in GBK too; SHIFT_JIS and EUC-KR "
            "are for Japanese and Korean ones)."
        ),
    ),
    "UNWRITABLE": (unwritable, "'there' cannot be written: Is a directory."),
    "NO_COLUMN": (
        lambda: sy.evaluate(file_of("click,pctr\n1,0.5\n"), label="clik", score="pctr"),
        "there is no column 'clik': did you mean 'click'; the columns are click, pctr.",
    ),
    "COLUMN_TWICE": (
        lambda: sy.evaluate(file_of("click,p,p\n1,0.5,1\n"), label="click", score="p"),
        (
            "2 columns are named 'p' (columns 2 and 3 of 'log.csv'): rename all but one; the "
            "columns are click, p, p."
        ),
    ),
    "KEY_REPEATS_COLUMN": (
        lambda: sy.evaluate(in_folder("click=1", "click,p\n1,0.5\n"), label="click", score="p"),
        (
            "'click' is a column of 'click=1/log.csv', and 'click=1' in its path is a key of that "
            "name, so it is not clear which one is meant: rename the column or the folder."
        ),
    ),
    "BAD_EXPRESSION": (
        lambda: blocks(file_of("click,pctr\n1,0.5\n"), "pctr *"),
        (
            "'pctr *' is not a column, and it cannot be read as an SQL expression: syntax error at "
            'or near "*".'
        ),
    ),
    "LAZY_FAILED": (
        lambda: sy.evaluate(
            polars.scan_parquet("nope.parquet"), label="y", score="s", metrics="auc"
        ),
        (
            "Polars cannot compute the LazyFrame: No such file or directory (os error 2): "
            "nope.parquet; correct it where it is made."
        ),
    ),
    "NOT_A_CONDITION": (
        lambda: conditional(file_of("click,pctr\n1,0.5\n"), "pctr"),
        "where='pctr' is of type DOUBLE, not true or false: compare it, as in where='pctr > 0'.",
    ),
    "NAMES_DIFFER_IN_CASE": (
        lambda: blocks(file_of("CTR,ctr\n1,0.5\n"), "ctr * 2"),
        (
            "the columns 'CTR' and 'ctr' are the same to SQL, which ignores case, so 'ctr' cannot "
            "be used in an expression: rename all but one."
        ),
    ),
    "BAD_SQL": (
        lambda: open_table(None, sql="SELECT * FROM nowhere"),
        "the SQL cannot be run: Table with name nowhere does not exist.",
    ),
    "READ_ONLY_SQL": (
        lambda: open_table(None, sql="SELECT 1; DROP TABLE log"),
        (
            "the SQL holds SELECT and DROP, but a single SELECT is expected: nothing else is run, "
            "so that nothing is ever written."
        ),
    ),
    "WHICH_TABLE": (
        lambda: open_table(database()),
        (
            "'log.duckdb' holds 2 tables (a, b): name one with table=..., "
            "or select from them with sql=...."
        ),
    ),
    "NO_TABLE": (
        lambda: open_table(database(), table="c"),
        "there is no table 'c' in 'log.duckdb': the tables are a, b.",
    ),
    "NO_DATABASE": (
        lambda: open_table(file_of("click\n1\n"), table="a"),
        "table='a' names a table of a database, but the source is not a database: leave it out.",
    ),
    "NO_EXTENSION": (
        far,
        (
            "'s3://bucket/log.parquet' needs DuckDB's extension httpfs, which is not on this "
            'machine and could not be downloaded: Failed to install local extension "httpfs", '
            f'no access to the file at PATH "none/{HERE}/httpfs.duckdb_extension"; '
            "try again with a network, or write the rows to Parquet or CSV first."
        ),
    ),
    "EXTENSION_NOT_ASKED": (
        other_database,
        (
            "'log.db' needs DuckDB's extension sqlite, which is not on this machine and is "
            "downloaded only where the address asks for it: write sqlite:log.db."
        ),
    ),
    "NOT_A_SOURCE": (
        lambda: sy.evaluate(3.5, label="click", score="pctr"),
        (
            "the source is of type float and cannot be read: pass a path, SQL, a frame or a "
            "mapping of arrays, or the columns themselves, as in label=table['click'], "
            "score=table['pctr']."
        ),
    ),
    "NOT_COLLECTED": (
        lambda: sy.evaluate(pyarrow.dataset.dataset(mixed()[0]), label="click", score="pctr"),
        (
            "the source is of type FileSystemDataset, which has no rows yet: pass the result of "
            "its to_table(), or the path of its files."
        ),
    ),
    "NAME_WITHOUT_SOURCE": (
        lambda: sy.evaluate(label="click", score="pctr"),
        (
            "label='click' names a column, but there is no source: pass it first, as in "
            "sy.evaluate('log.parquet', label='click', ...)."
        ),
    ),
    "BY_ARRAYS": (
        lambda: sy.evaluate(label=Y, score=S, by=["a", "b", "a", "b"]),
        (
            "by is of type list, but the roles are arrays: pass a mapping of arrays by name, as in "
            "by={'country': country}."
        ),
    ),
    "NO_SCORES": (
        lambda: sy.evaluate({"click": Y, "pctr": S}, label="click", score=[]),
        "score names no column: name one or more.",
    ),
    "NOT_A_NAME": (
        lambda: sy.evaluate(file_of("click,pctr\n1,0.5\n"), label="click", score=S),
        (
            "score is of type float, but a source is given: name one of its columns, as in "
            "score='...'."
        ),
    ),
    "NOT_NUMBERS": (
        lambda: sy.evaluate(file_of("click,pctr\n1,0.5\n0,low\n"), label="click", score="pctr"),
        (
            "pctr has 1 value that is not a number, the first at row 1 ('low'): correct them, or "
            'leave those rows out with TRY_CAST(pctr AS DOUBLE) instead of the name and nan="drop".'
        ),
    ),
    "EMPTY_FILE": (
        lambda: trec("\n", ""),
        "'qrels' has no lines: check that it is the right file.",
    ),
    "NOT_TEXT": (
        lambda: trec("1 0 a 1\n1 0 b\0 1\n", ""),
        "'qrels' is not UTF-8 text in line 2: convert the file, or unpack it first.",
    ),
    "LINE_FIELDS": (
        lambda: trec("1 0 a 1\n1 0 a b 1\n", "1 Q0 a 1 0.5 x\n"),
        (
            "'qrels' has 5 fields in line 2, but 4 are expected (query iteration document grade): "
            "correct the line."
        ),
    ),
    "LINE_VALUE": (
        lambda: trec("1 0 a 1\n", "1 Q0 a 1 0.5 x\n1 Q0 b 2 high x\n"),
        (
            "'run' has 'high' as the score in line 2, which is not a finite number: "
            "correct the line."
        ),
    ),
    "LINE_TWICE": (
        lambda: trec("1 0 a 1\n2 0 a 1\n1 0 a 0\n", "1 Q0 a 1 0.5 x\n"),
        (
            "'qrels' has document 'a' of query '1' in line 1 and again in line 3: "
            "keep one of the two."
        ),
    ),
    "NO_COMMON_QUERY": (
        lambda: trec("1 0 a 1\n", "q1 Q0 a 1 0.5 x\n"),
        "'run' and 'qrels' have no query in common: check that they belong together.",
    ),
    "BAD_PAIR": (
        lambda: letor("1 qid:1 1:0.5\n0 qid:1 1:0.5 2:\n"),
        (
            "'test.txt' has '2:' in line 2, but a feature's number and its value are expected, "
            "such as 3:0.5: correct the line."
        ),
    ),
    "NO_FEATURE": (
        lambda: command_line("letor", file_of("1 qid:1 7:0.5\n"), "--score", "99"),
        "there is no feature '99' in 'log.csv': the features are 7.",
    ),
    "SCORES_NAME": (
        lambda: sy.read_letor(file_of("1 qid:1 7:0.5\n"), {"7": "scores.txt"}),
        "scores cannot be called '7', since 'log.csv' has a column of that name.",
    ),
    "FEATURE_TWICE": (
        lambda: letor("1 qid:1 3:0.5 2:1 3:0.5\n"),
        "'test.txt' has feature 3 twice in line 1: keep one of the two.",
    ),
    "QID_MISSING": (
        lambda: letor("1 qid:1 1:0.5\n0 1:0.5\n"),
        (
            "'test.txt' has no qid in line 2, although other lines have one: write a qid after the "
            "label of every line, as in 2 qid:7 1:0.5, or of none."
        ),
    ),
    "NO_QUERIES": (
        lambda: letor("1 1:0.5\n"),
        (
            "'test.txt' does not show which query a line belongs to: its lines need a qid, as in 2 "
            "qid:7 1:0.5, or pass a file of group sizes with group_sizes=...."
        ),
    ),
    "TWO_QUERIES": (
        lambda: letor("1 qid:1 1:0.5\n", "1\n"),
        (
            "'test.txt' has a qid in its lines, and 'test.query' gives group sizes too: "
            "leave out one of them."
        ),
    ),
    "ROW_COUNTS_DIFFER": (
        lambda: letor("1 1:0.5\n0 1:0.25\n", "1\n2\n"),
        "'test.query' is for 3 rows but 'test.txt' has 2: check that they belong together.",
    ),
    "NO_SOURCE": (
        lambda: command_line("eval", "--label", "click"),
        (
            "no data is given: name files, a pattern such as 'day=*/*.parquet', - for standard "
            "input, or use --sql."
        ),
    ),
    "NO_ROLE": (
        lambda: command_line("eval", file_of("when,pctr\n1,0.5\n")),
        (
            "no column is recognised as the label: name one with --label; "
            "the columns are when, pctr."
        ),
    ),
    "ROLE_TIE": (
        lambda: command_line("eval", file_of("click,pctr,p_ctr\n1,0.5,0.4\n")),
        "pctr and p_ctr may each be the score: name the right one with --score.",
    ),
    "SCORE_TWICE": (
        lambda: command_line(
            "eval", file_of("click,a,b\n1,0.5,0.4\n"), "--score", "new=a", "--score", "new=b"
        ),
        "two scores have the name 'new': give each its own name, as in score={'new': ...}.",
    ),
    "BAD_ENDING": (
        lambda: command_line("eval", "log.csv", "-o", "report.html"),
        (
            "the ending of 'report.html' does not belong to a format that can be written: use one "
            "of .json, .jsonl, .csv, .md, .txt, or name a format with --format."
        ),
    ),
    "BAD_GATE": (
        lambda: command_line("eval", "log.csv", "--fail-over", "ks=low"),
        ("cannot read the gate 'ks=low': write a metric and a number, as in --fail-over auc=0.75."),
    ),
    "GATE_SCORE": (
        lambda: gate("new.auc=0.8", "", S),
        (
            "--fail-under names the score 'new' of auc, but the scores are score: name one of "
            "them, or write --fail-under auc=... for all."
        ),
    ),
    "NO_WORST": (
        lambda: sy.evaluate(
            {"y": Y, "s": S}, label="y", score="s", by="y", metrics="prevalence"
        ).select(sort="prevalence worst"),
        (
            "slices have no worst prevalence, since neither more nor less of it is better: sort by "
            "prevalence, or by 'prevalence asc'."
        ),
    ),
    "GATE_LOW": (
        lambda: gate("auc=0.8", "", S),
        "auc of score is 0.75, which is under 0.8.",
    ),
    "GATE_HIGH": (
        lambda: gate("", "auc=0.7", S),
        "auc of score is 0.75, which is over 0.7.",
    ),
    "GATE_NO_VALUE": (
        lambda: gate("precision(0.9)=0.1", "", S),
        (
            "precision(0.9) of score has no value (no row is called positive), so --fail-under "
            "precision(0.9)=0.1 is missed."
        ),
    ),
    "TWO_LOGS": (
        lambda: sy.diagnose({"y": Y, "s": S}, label="y", score="s", over=["y"]),
        (
            "a diagnosis compares two logs or more: pass them in the order of time, or one and a "
            "pair of conditions, as in where=('day = 1', 'day = 2')."
        ),
    ),
    "IN_TREND": (
        lambda: trend({}, {"s": [0.1, NAN, 0.3, 0.4]}, {}),
        (
            "in the log log 2: s has 1 missing value (NaN, None or masked), the first at row 1: "
            'fill them, or leave those rows out with nan="drop".'
        ),
    ),
    "LOG_TWICE": (
        lambda: sy.diagnose(["a.csv", "b.csv", "./a.csv"]),
        (
            "'a.csv' is given twice, the second time as './a.csv', so that its value would count "
            "twice in the trend: name it once."
        ),
    ),
    "STATE_MADE_WITH": (
        lambda: sy.diagnose([state_of(), state_of()], clip=0.01),
        (
            "in the log log 1: the state was made with clip=None, and its rows cannot be read "
            "again with clip=0.01: leave clip out, or name the log itself."
        ),
    ),
    "TREND_DIFFERS": (
        lambda: sy.diagnose([state_of(), state_of(clip=0.01)]),
        (
            "the logs log 1 and log 2 were read differently, so that their values are not "
            "comparable: clip is None in one and 0.01 in the other; make both states with the "
            "same options."
        ),
    ),
    "FEW_VALUES": (
        lambda: trend({}, {"y": [0, 0, 0, 0]}, {"y": [1, 1, 1, 1]}),
        ("auc has a value in 1 of 3 logs, and a trend needs two: there are no positives."),
    ),
    "ONE_CONDITION": (
        lambda: drop({}, {}, where=("s > 0", "s < 1"), earlier=[{"y": Y, "s": S}]),
        (
            "where=... is a pair of conditions, which is for two logs without states and without "
            "earlier=...: give one condition for all logs."
        ),
    ),
    "IN_LOG": (
        lambda: drop({}, {"s": [0.1, NAN, 0.3, 0.4]}),
        (
            "in the log after (arrays): s has 1 missing value (NaN, None or masked), the first at "
            'row 1: fill them, or leave those rows out with nan="drop".'
        ),
    ),
    "EMPTY_LOG": (
        lambda: drop({}, {name: [] for name in "ysdu"}),
        "the log after (arrays) has no rows: check the source and where=....",
    ),
    "ONE_CLASS_LOG": (
        lambda: drop({"y": [0, 0, 0, 0]}, {}),
        (
            "every row of the log before (arrays) is negative, so that nothing can be compared: "
            "check the column y, and whether its labels have arrived."
        ),
    ),
    "ONE_CLUSTER": (
        lambda: drop({"u": [7] * 4}, {"u": [7] * 4}),
        (
            "u has one value in both logs, and an interval needs several: name another column "
            "with cluster=...."
        ),
    ),
    "KEY_TYPES": (
        lambda: drop({}, {"u": ["1", "2", "3", "4"]}),
        (
            "u holds whole numbers in one log and text in the other, so that no user is in both: "
            "convert one of them, as in cluster='CAST(u AS VARCHAR)'."
        ),
    ),
    "CLUSTER_IN_GROUPS": (
        lambda: drop({}, {}, metric="gauc", group="d"),
        (
            "rows of one group have several values of u: the rows of a group must belong to one "
            "cluster, or the interval of a mean over groups would be too short; use the key of the "
            "group as cluster=..., or a coarser one."
        ),
    ),
    "ROLE_AS_DIMENSION": (
        lambda: drop({}, {}, over=["d", "u"]),
        "u is the cluster, so that a cause cannot be looked for in it: leave it out.",
    ),
    "VARYING_DIMENSION": (
        lambda: drop(
            {"q": [1, 1, 2, 2]}, {"q": [1, 1, 2, 2]}, metric="ndcg", group="q", cluster="q"
        ),
        (
            "within groups these vary, and the value of a list belongs to all of its rows: d. "
            "Leave them out, or diagnose gauc, which has parts by any column."
        ),
    ),
    "APART_DIMENSIONS": (
        lambda: drop({}, {"d": ["c", "e", "c", "e"]}),
        (
            "the logs have no value of d in common, so that nothing can be compared in it: look "
            "for a cause in other columns, with over=...."
        ),
    ),
    "DIMENSION_TYPES": (
        lambda: drop({}, {"d": [1, 2, 1, 2]}),
        (
            "d holds numbers in one log and text in the other, so that no value is in both: "
            "convert one of them, as in over='CAST(d AS VARCHAR)'."
        ),
    ),
    "NOT_DIAGNOSED": (
        lambda: drop({}, {}, metric="aucc"),
        (
            "'aucc' has no diagnosis: did you mean auc; metrics that have one are auc, gauc, copc, "
            "ctr, logloss, ne, ndcg."
        ),
    ),
    "NO_VALUE_IN_LOG": (
        lambda: drop({}, {"s": [0.0, 0.0, 0.0, 0.0]}, metric="copc"),
        (
            "copc has no value in the log after (arrays), so it has no change: no click is "
            "predicted: every probability is 0."
        ),
    ),
    "WEIGHTS_APART": (
        lambda: drop({"w": [1e30, 1, 1e30, 1]}, {"w": [1, 1, 1, 1]}, weight="w"),
        (
            "the weights of w are too far apart: all rows of one class weigh less than 2**-52 of "
            "the others together; leave the heaviest rows out."
        ),
    ),
    "MANY_VALUES": (
        lambda: drop(many_values(), many_values()),
        (
            "d has 100,000 values, and over=... takes columns of at most 10,000: group its values "
            "in SQL, as in over={'band': '... // 100'}, or leave it out."
        ),
    ),
    "ONE_SCORE": (
        lambda: drop({}, {}, score=["s", "d"]),
        (
            "a diagnosis is of one score: name its column with score=..., and that of another "
            "model with control_score=...."
        ),
    ),
    "NO_DIMENSIONS": (
        lambda: drop({}, {}, over=[]),
        (
            "there is no column to look for a cause in: name some with over=..., such as country "
            "and hour."
        ),
    ),
    "CROSSED_DIMENSION": (
        lambda: drop({}, {}, over=[("d", "u")]),
        (
            "over=... takes columns one by one, not crossed (d, u): pairs of them are searched "
            "anyway."
        ),
    ),
}

TEMPLATES = {name: value for name, value in vars(errors).items() if isinstance(value, Template)}


def test_every_template_has_a_row() -> None:
    assert set(ROWS) == set(TEMPLATES)


@pytest.mark.parametrize("name", ROWS)
def test_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    provoke, message = ROWS[name]
    template = TEMPLATES[name]
    with pytest.raises(template.error) as caught:
        provoke()
    assert type(caught.value) is template.error
    assert str(caught.value) == message


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_message_is_one_sentence(name: str) -> None:
    text = TEMPLATES[name].text
    assert text.endswith(".")
    assert "\n" not in text
    assert "  " not in text


def test_the_hierarchy() -> None:
    assert errors.SteelyardError.__bases__ == (Exception,)
    assert errors.InputError.__bases__ == (errors.SteelyardError, ValueError)
    assert errors.SpecError.__bases__ == (errors.SteelyardError, ValueError)
    assert errors.StateError.__bases__ == (errors.SteelyardError,)
    assert errors.SourceError.__bases__ == (errors.SteelyardError,)
    assert errors.UndefinedWarning.__bases__ == (UserWarning,)


def test_every_exception_is_public() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    for error in classes:
        if issubclass(error, Exception):
            assert getattr(sy, error.__name__) is error
