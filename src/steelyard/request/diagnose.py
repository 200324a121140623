"""What `diagnose` takes: its options, defined once, as those of `evaluate` are in `request`."""

from dataclasses import dataclass, fields
from typing import Any

from steelyard.request.options import (
    COLUMNS,
    NUMBERS,
    OPTIONS,
    ROWS,
    CliOption,
    Label,
    Request,
    option,
)

DIAGNOSED = ("auc", "gauc", "copc", "ctr", "logloss", "ne", "ndcg")  # metrics of `diagnose`


def of_evaluate(name: str) -> Any:
    """A field of another request, as that of `evaluate` is."""
    info = OPTIONS[name]
    default = next(each.default for each in fields(Request) if each.name == name)
    return option(info.help, info.cli, default=default)


@dataclass(frozen=True, kw_only=True)
class DiagnoseRequest:
    """What `diagnose` takes: two logs, their columns, and where to look for a cause."""

    before: Any = option(
        "the log before, as `evaluate` takes a source; alone, with two conditions in `where`; or "
        "several logs in time order: a list of them, a pattern, or a folder. Logs may be states "
        "that `state` made, whose values then have a trend but no causes"
    )
    after: Any = option("the log after")
    earlier: Any = option(
        "logs of usual days, to say whether the log after is unusual: a list, a pattern or a "
        "folder of five or more",
        CliOption(
            ROWS,
            "logs",
            "A log of a usual day, or a quoted pattern of several; repeatable. Five are needed "
            "to call the last log unusual.",
            metavar="LOG",
        ),
    )
    label: Any = of_evaluate("label")
    score: Any = option(
        "the model's score: a column or an SQL expression; a column of a usual name if not given",
        CliOption(COLUMNS, "column", "The model's score."),
    )
    control_score: Any = option(
        "the score of another model on the same rows: if both moved, look at the data",
        CliOption(COLUMNS, "column", "The score of another model: did both move?"),
    )
    weight: Any = of_evaluate("weight")
    group: Any = option(
        "the key of rows ranked together, such as the user or the query, for gauc and ndcg",
        CliOption(
            COLUMNS,
            "columns",
            "The key of rows ranked together, such as user_id, for gauc and ndcg.",
        ),
    )
    cluster: Any = option(
        'the key of rows that depend on each other, such as the user; "row" if all rows are '
        "independent. Without it nothing is tested: no intervals, and no slice is accused",
        CliOption(
            COLUMNS,
            "named column",
            "The key of rows that depend on each other, such as user_id; row if none do.",
        ),
    )
    over: Any = option(
        'the columns to look for a cause in, as in ["country", "device", "hour"]; those with few '
        "values if not given",
        CliOption(
            COLUMNS,
            "dimensions",
            "Where to look for a cause, as in country,device,hour; repeatable. Without it, all "
            "columns with few values.",
            metavar="COLUMN,...",
        ),
    )
    where: Any = option(
        'SQL that a row must satisfy, or a pair of conditions, one for each log, as in ("day = 1", '
        '"day = 2")',
        CliOption(
            ROWS,
            "conditions",
            "Use only these rows: one condition for both logs, or one for each.",
            metavar="CONDITION",
        ),
    )
    metric: str = option(
        f"the metric that changed: {', '.join(DIAGNOSED)}; ndcg may have a cut, as in ndcg@10",
        CliOption(
            NUMBERS,
            help="The metric that changed: " + ", ".join(DIAGNOSED) + "; auc if not given.",
            metavar="METRIC",
            names=("-m", "--metric"),
            choices=DIAGNOSED,
        ),
        default=DIAGNOSED[0],
    )
    confidence: float | None = of_evaluate("confidence")
    positive: Label = of_evaluate("positive")
    nan: str = of_evaluate("nan")
    downsampled: float | None = of_evaluate("downsampled")
    clip: float | None = of_evaluate("clip")
    allow_files: bool = of_evaluate("allow_files")
    threads: int | None = of_evaluate("threads")
    memory: str | int | None = of_evaluate("memory")
