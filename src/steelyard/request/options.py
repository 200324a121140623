"""A request: every option of `evaluate`, `state` and `compare`, defined once.

Signature, docstring, type stub, command line, the conventions of a result and the options that
merging compares follow from the fields below. Shell completion reads this module, so that it does
not import NumPy.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from steelyard import presets

Label = str | int | float | bool | None
Progress = Callable[[int, int | None], None]

NAN_CHOICES = ("error", "drop")
UNSCORED_CHOICES = ("error", "not_retrieved")
ROWS_CHOICES = ("common", "own")
FEWEST_REPLICATES = 100  # of a bootstrap: of fewer, the ends of a 95 % interval are single values
MOST_REPLICATES = 1_000_000  # of more, the values of one slice would take 8 MB and hours

# The sections of `steelyard eval --help`, in this order.
COLUMNS, ROWS, NUMBERS = "Columns", "Rows", "Numbers"
COMPARING, OUTPUT, GATES, MACHINE = "Comparison", "Output", "Gates", "Machine"
SECTIONS = (COLUMNS, ROWS, NUMBERS, COMPARING, OUTPUT, GATES, MACHINE)


class CliOption(NamedTuple):
    """The form of an option on the command line.

    section: the section of the help; kind: the kind of value, from `cli/request_options.py`
    help: the line of the help, if it differs from the option's help text
    metavar: the name of the value in the help; names: the flags, if they differ from the field name
    choices: the values allowed, or those that completion offers
    """

    section: str
    kind: str = "text"
    help: str = ""
    metavar: str | None = None
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


class OptionInfo(NamedTuple):
    """The description of an option.

    cli: its form on the command line, if it has one
    equal: whether two states can merge only if both have the same value
    role: whether a result records the option among its roles
    """

    help: str
    cli: CliOption | None = None
    equal: bool = False
    role: bool = False


def option(
    help: str,
    cli: CliOption | None = None,
    *,
    default: Any = None,
    equal: bool = False,
    role: bool = False,
) -> Any:
    """A field of a request with its description."""
    return field(default=default, metadata={"option": OptionInfo(help, cli, equal, role)})


@dataclass(frozen=True, kw_only=True)
class RoleOptions:
    """The source, the roles of its columns, and the metrics."""

    source: Any = option(
        "a mapping of arrays, a frame (pandas, Polars, PyArrow, ...), a path, a glob, a folder or "
        "a list of them, SQL, or a DuckDB relation; without one, the roles are arrays",
        role=True,
    )
    label: Any = option(
        "the true outcome: 0 and 1, -1 and +1, booleans, or two values with `positive`; ranking "
        "metrics take grades of zero or more; in a source, a column of a usual name if not given",
        CliOption(COLUMNS, "column", "The true outcome: 0 and 1, or text and --positive."),
        role=True,
    )
    score: Any = option(
        "the model's score; a list or {name: column} for several; in a source, a column of a usual "
        "name if neither it nor a prediction is given",
        CliOption(
            COLUMNS, "scores", "The model's score; repeatable, with a name as in new=pctr_new."
        ),
    )
    prediction: Any = option(
        "the predicted class or number, instead of a score",
        CliOption(
            COLUMNS,
            "scores",
            "The predicted class or number, instead of a score; repeatable like --score.",
        ),
    )
    classes: Any = option(
        "the class of each score column, where `score` is a list of columns or a matrix; of a "
        "prediction, the classes to average over",
        CliOption(
            COLUMNS,
            "list",
            "The class of each --score, in order; of a --prediction, those to average over.",
            metavar="CLASS,...",
        ),
        equal=True,
    )
    weight: Any = option("how much a row counts", CliOption(COLUMNS, "column"), role=True)
    trials: Any = option(
        "how many rows each aggregated row stands for; `label` then counts the positives",
        CliOption(
            COLUMNS,
            "column",
            "How many rows each aggregated row stands for; the label counts the positives.",
        ),
        role=True,
    )
    group: Any = option(
        "the key of the rows that are ranked together, such as the user or the query; a list for "
        "several columns",
        CliOption(
            COLUMNS,
            "columns",
            "The key of rows ranked together, such as user_id, or user_id,day for both.",
        ),
        equal=True,
        role=True,
    )
    cluster: Any = option(
        'the key of rows that depend on each other, such as the user: values get intervals; "row" '
        "if all rows are independent of each other",
        CliOption(
            COLUMNS,
            "named column",
            "The key of rows that depend on each other, such as user_id, for intervals; "
            "row if none do.",
        ),
        equal=True,
        role=True,
    )
    document: Any = option(
        "the document of each row, for metrics that break ties by it",
        CliOption(COLUMNS, "named column"),
        role=True,
    )
    by: Any = option(
        'slices: "country", ["country", "device"] each alone, [("country", "device")] crossed, '
        '{"night": "hour < 6"} with a name',
        CliOption(
            NUMBERS,
            "slices",
            "Also a line per value; repeatable. country,device crosses the two.",
            metavar="[NAME=]COLUMN",
        ),
        equal=True,
    )
    by_file: bool = option(
        "also a slice per file of the source, under the name file",
        CliOption(NUMBERS, "flag", "Also a line per file."),
        default=False,
    )
    where: str | None = option(
        "SQL that a row must satisfy",
        CliOption(
            ROWS, help="Use only the rows for which this SQL condition holds.", metavar="CONDITION"
        ),
        role=True,
    )
    metrics: str | Iterable[str] | None = option(
        'names such as "auc" or "precision(0.3)", several as in "auc,ks" or a list; '
        "`steelyard list` shows all",
        CliOption(
            NUMBERS,
            "metrics",
            'auc, "precision(0.3)", or several as in auc,ks; repeatable. '
            "steelyard list shows them.",
            names=("-m", "--metric"),
        ),
    )


@dataclass(frozen=True, kw_only=True)
class RecordedOptions:
    """The options that a result records among its conventions, under their own names.

    Reading may change a value to the type of its column: "1" is 1 among numbers.
    """

    preset: str | None = option(
        f"another tool's conventions: {', '.join(presets.names())}",
        CliOption(NUMBERS, metavar="TOOL", choices=presets.names()),
        equal=True,
    )
    positive: Label = option(
        "the label that counts as positive", CliOption(ROWS, metavar="VALUE"), equal=True
    )
    nan: str = option(
        '"error" refuses missing values, "drop" leaves those rows out and counts them',
        CliOption(
            ROWS,
            "choice",
            "Rows with a missing value: refused (error) or left out (drop).",
            choices=NAN_CHOICES,
        ),
        default=NAN_CHOICES[0],
        equal=True,
    )
    rows: str = option(
        'where several scores have missing values and `nan` is "drop": "common" leaves a row out '
        'for all scores if one is missing, "own" evaluates each score on its own rows',
        CliOption(
            ROWS,
            "choice",
            "Rows of several scores with --nan drop: those that all have, or each its own.",
            choices=ROWS_CHOICES,
        ),
        default=ROWS_CHOICES[0],
        equal=True,
    )
    unscored: str = option(
        '"error" refuses rows without a score; "not_retrieved" takes them as judged rows that '
        "were not ranked",
        CliOption(
            ROWS,
            "choice",
            "Rows without a score: refused (error), or judged but not ranked.",
            choices=UNSCORED_CHOICES,
        ),
        default=UNSCORED_CHOICES[0],
        equal=True,
    )
    downsampled: float | None = option(
        "the share of negatives that the model was trained on; calibration metrics then read "
        "p / (p + (1 - p) / downsampled)",
        CliOption(
            ROWS,
            "number",
            "The share of negatives the model was trained on; calibration corrects for it.",
            metavar="SHARE",
        ),
        equal=True,
    )
    clip: float | None = option(
        "logarithms read probabilities limited to [clip, 1 - clip]",
        CliOption(
            ROWS,
            "number",
            "Logarithms read probabilities limited to [NUMBER, 1 - NUMBER].",
            metavar="NUMBER",
        ),
        equal=True,
    )

    confidence: float | None = option(
        "the probability that an interval covers the value, 0.95 if not given; needs a `cluster`",
        CliOption(
            NUMBERS,
            "number",
            "How often intervals cover the true value: 0.95 if not given; needs --cluster.",
            metavar="SHARE",
        ),
        equal=True,
    )
    bootstrap: int | None = option(
        "how often clusters are resampled, such as 1000, for the intervals of metrics that have no "
        "formula for them",
        CliOption(
            NUMBERS,
            "replicates",
            "Resample clusters so often, for intervals of ks, lift and others; 1000 is usual.",
            metavar="COUNT",
        ),
        equal=True,
    )


@dataclass(frozen=True, kw_only=True)
class Request(RecordedOptions, RoleOptions):
    """What the user requests: roles, recorded options, and how the source is read."""

    group_sizes: Any = option(
        "instead of `group`, the number of consecutive rows of each group, where the rows are "
        "arrays, a mapping or a frame; only in `evaluate`"
    )
    shapes: bool = option(
        "whether the total keeps every curve and histogram that plots and reports draw; they are "
        "not printed",
        CliOption(OUTPUT, "flag", "Keep the curves and histograms of pictures, in JSON output."),
        default=False,
    )
    table: str | None = option(
        "the table to read, where the source is a database",
        CliOption(ROWS, help="The table to read, where the file is a database.", metavar="NAME"),
    )
    sql: str | None = option(
        "a SELECT whose rows are evaluated; in it, `source` is called source",
        CliOption(
            ROWS,
            help="Evaluate the rows of this SELECT; in it, the files are called source.",
            metavar="SELECT",
        ),
    )
    allow_files: bool = option(
        "whether SQL may read any file; else it reads those of the source and no others",
        CliOption(ROWS, "flag", "Let SQL read any file, not only FILES."),
        default=False,
    )
    threads: int | None = option(
        "the largest number of threads of DuckDB; all processors if not given",
        CliOption(
            MACHINE,
            "count",
            "The largest number of threads; all processors if not given.",
            metavar="COUNT",
        ),
    )
    memory: str | int | None = option(
        'the memory of DuckDB, such as "4GB"; what the metrics keep of the rows comes on top',
        CliOption(
            MACHINE,
            help="The memory of DuckDB, such as 4GB; what the metrics keep comes on top.",
            metavar="SIZE",
        ),
    )
    progress: Progress | None = option(
        "a function called with the rows read so far and about how many there are"
    )


@dataclass(frozen=True, kw_only=True)
class CompareRequest(Request):
    """What `compare` takes: a request, a second log, and how differences are judged."""

    after: Any = option(
        "a second log, whose rows are compared with those of `source`; without one, the scores of "
        "`source` are compared with each other"
    )
    baseline: str | None = option(
        "the score that others are compared with: the first if not given",
        CliOption(
            COMPARING,
            metavar="SCORE",
            help="The score that others are compared with; the first if not given.",
        ),
    )
    all_pairs: bool = option(
        "whether every score is compared with every other, instead of all with the baseline",
        CliOption(COMPARING, "flag", "Compare every score with every other, not with a baseline."),
        default=False,
    )
    margins: Mapping[str, float] | None = option(
        'by metric, how much worse is accepted, such as {"auc": 0.001}; without one, outcomes are '
        "better, worse or no difference seen"
    )
    min_rows: int = option(
        "slices of fewer rows are shown but not tested",
        CliOption(
            COMPARING, "count", "Slices of fewer rows are shown but not tested.", metavar="COUNT"
        ),
        default=1,
    )


def options_of(kind: type) -> dict[str, OptionInfo]:
    """The description of each option of a kind of request."""
    return {each.name: each.metadata["option"] for each in fields(kind)}


OPTIONS = options_of(Request)
EQUAL = tuple(name for name, info in OPTIONS.items() if info.equal)
ROLES = tuple(name for name, info in OPTIONS.items() if info.role)
