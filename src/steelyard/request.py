"""A request: every option of `evaluate` and `state`, once, as the user gave it.

Signature, docstring, type stub, command line, the record of a result and what merging compares all
follow from the fields below. NumPy is not imported here: shell completion reads this module.
"""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from textwrap import fill
from typing import Any, NamedTuple, TypeVar

from steelyard import presets
from steelyard.arguments import argument_reader

Label = str | int | float | bool | None
Progress = Callable[[int, int | None], None]
Function = TypeVar("Function", bound=Callable[..., Any])

NAN_CHOICES = ("error", "drop")
UNSCORED_CHOICES = ("error", "not_retrieved")

# The sections of `steelyard eval --help`, in this order.
COLUMNS, ROWS, NUMBERS = "Columns", "Rows", "Numbers"
OUTPUT, GATES, MACHINE = "Output", "Gates", "Machine"
SECTIONS = (COLUMNS, ROWS, NUMBERS, OUTPUT, GATES, MACHINE)

OPTIONS_PLACEHOLDER = "{options}"  # where a docstring lists the options
DOCSTRING_WIDTH = 96  # of the lines of that list


class CliOption(NamedTuple):
    """How an option is typed on the command line.

    section: of the help; kind: what its words are, one of the kinds in `cli/request_options.py`
    help: where the line in the help is not simply the option's own help text
    names: the flags, where they are not simply the field's name; metavar: the word for its value
    choices: the words that it takes, or that completion offers
    """

    section: str
    kind: str = "text"
    help: str = ""
    metavar: str | None = None
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


class OptionInfo(NamedTuple):
    """What there is to say of an option.

    cli: its form on the command line, if it has one
    equal: whether two tallies merge only where it is equal
    role: whether a result records what the user wrote among its roles
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
    """A field of a request, with all there is to say of it."""
    return field(default=default, metadata={"option": OptionInfo(help, cli, equal, role)})


@dataclass(frozen=True, kw_only=True)
class RoleOptions:
    """The rows of a request and the roles of their columns, and the metrics."""

    source: Any = option(
        "a mapping of arrays, a frame (pandas, Polars, PyArrow, ...), a path, a glob, a folder or "
        "a list of them, SQL, or a DuckDB relation; without one, the roles are arrays",
        role=True,
    )
    label: Any = option(
        "what happened: 0 and 1, -1 and +1, booleans, or two values with `positive`; ranking "
        "metrics take grades of zero or more",
        CliOption(COLUMNS, "column", "What happened: 0 and 1, or words and --positive."),
        default=MISSING,
        role=True,
    )
    score: Any = option(
        "what the model said; a list or {name: column} for several",
        CliOption(
            COLUMNS, "scores", "What the model said; repeatable, with a name as in new=pctr_new."
        ),
    )
    prediction: Any = option(
        "what the model said where that is a class or a number, in place of a score",
        CliOption(
            COLUMNS,
            "scores",
            "What the model said where that is a class or a number; repeatable like --score.",
        ),
    )
    classes: Any = option(
        "where `score` is a list of columns or a matrix, the class that each is the score of",
        CliOption(
            COLUMNS,
            "list",
            "Each --score is of a class: which, in order, as in cat,dog.",
            metavar="CLASS,...",
        ),
        equal=True,
    )
    weight: Any = option("how much a row counts", CliOption(COLUMNS, "column"), role=True)
    trials: Any = option(
        "how many rows an aggregated one stands for, of which `label` says how many were positive",
        CliOption(
            COLUMNS,
            "column",
            "Rows are aggregated: the label counts clicks out of so many trials.",
        ),
        role=True,
    )
    group: Any = option(
        "whose rows are ranked together, such as the user or the query; a list of columns for "
        "several",
        CliOption(
            COLUMNS,
            "columns",
            "Whose rows are ranked together, such as user_id; user_id,day takes both.",
        ),
        equal=True,
        role=True,
    )
    cluster: Any = option(
        "whose rows are not independent, for intervals", CliOption(COLUMNS, "column"), role=True
    )
    document: Any = option(
        "what a row is about, where ties are broken by it", CliOption(COLUMNS, "column"), role=True
    )
    by: Any = option(
        'slices: "country", ["country", "device"] each alone, [("country", "device")] crossed',
        CliOption(
            NUMBERS,
            "slices",
            "A line for each value too; repeatable. country,device crosses the two.",
        ),
        equal=True,
    )
    where: str | None = option(
        "SQL that a row must satisfy",
        CliOption(
            ROWS,
            help="Take only the rows for which this SQL condition holds.",
            metavar="CONDITION",
        ),
        role=True,
    )
    metrics: str | Iterable[str] | None = option(
        'names such as "auc" or "precision(0.3)"; `steelyard list` shows all',
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
    """The options that a result keeps under their own names: its conventions, as they were chosen.

    A reader may know better once it saw the type of a column: "1" is 1 among numbers.
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
            "Rows with a missing value: a mistake (error), or left out (drop).",
            choices=NAN_CHOICES,
        ),
        default=NAN_CHOICES[0],
        equal=True,
    )
    unscored: str = option(
        '"error" refuses rows without a score; "not_retrieved": such a row was judged, but is in '
        "no ranking",
        CliOption(
            ROWS,
            "choice",
            "Rows without a score: a mistake (error), or judged but in no ranking.",
            choices=UNSCORED_CHOICES,
        ),
        default=UNSCORED_CHOICES[0],
        equal=True,
    )
    downsampled: float | None = option(
        "the share of negatives that the model was trained on: metrics of calibration then read "
        "p / (p + (1 - p) / downsampled)",
        CliOption(
            ROWS,
            "number",
            "The share of negatives the model was trained on; calibration allows for it.",
            metavar="SHARE",
        ),
        equal=True,
    )
    clip: float | None = option(
        "logarithms see probabilities cut to [clip, 1 - clip]",
        CliOption(
            ROWS,
            "number",
            "Logarithms see probabilities cut to [NUMBER, 1 - NUMBER].",
            metavar="NUMBER",
        ),
        equal=True,
    )


@dataclass(frozen=True, kw_only=True)
class Request(RecordedOptions, RoleOptions):
    """What the user asked for: the roles, what is recorded, and how the source is read."""

    table: str | None = option(
        "the table to read, where the source is a database",
        CliOption(ROWS, help="The table to read, where the file is a database.", metavar="NAME"),
    )
    sql: str | None = option(
        "a query on `source`, which it calls source",
        CliOption(
            ROWS,
            help="Evaluate what this SELECT gives; it calls the files source.",
            metavar="SELECT",
        ),
    )
    threads: int | None = option(
        "at most so many threads of DuckDB; all processors where not given",
        CliOption(
            MACHINE,
            "count",
            "At most so many threads; all processors where not given.",
            metavar="COUNT",
        ),
    )
    memory: str | int | None = option(
        'what DuckDB may use at most, about, such as "4GB"',
        CliOption(MACHINE, help="At most about so much, such as 4GB.", metavar="SIZE"),
    )
    progress: Progress | None = option(
        "called with the rows read so far, and about how many there are"
    )


# What the fields say of each option, in order.
OPTIONS: dict[str, OptionInfo] = {each.name: each.metadata["option"] for each in fields(Request)}
EQUAL = tuple(name for name, info in OPTIONS.items() if info.equal)
ROLES = tuple(name for name, info in OPTIONS.items() if info.role)


def make_request(function: str, source: Any, options: dict[str, Any]) -> Request:
    """The request of a call; Python itself refuses wrong keywords."""
    _argument_reader(function)(source, **options)
    return Request(source=source, **options)


@cache
def _argument_reader(function: str) -> Callable[..., Any]:
    return argument_reader(function, signature(Request))


def takes_request(function: Function) -> Function:
    """A function of a source and options, with their signature and their list in its docstring."""
    function.__doc__ = (function.__doc__ or "").replace(OPTIONS_PLACEHOLDER, options_text())
    returns = inspect.signature(function).return_annotation
    # inspect looks here first; the type of functions does not know it.
    function.__signature__ = signature(returns)  # type: ignore[attr-defined]
    return function


def signature(returns: Any) -> inspect.Signature:
    """The source by place or name, the rest by name alone."""
    empty = inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY
                if place
                else inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=empty if each.default is MISSING else each.default,
                annotation=each.type,
            )
            for place, each in enumerate(fields(Request))
        ],
        return_annotation=returns,
    )


def options_text() -> str:
    """The list of options for a docstring, indented as the text of a function is."""
    lines = (
        fill(
            f"{name}: {info.help}",
            DOCSTRING_WIDTH,
            subsequent_indent=" " * 8,
            break_on_hyphens=False,
        )
        for name, info in OPTIONS.items()
    )
    return "\n    ".join(lines)
