"""What the commands that evaluate files share: options, recognised columns, progress."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

import click

from steelyard import phases
from steelyard.cli import request_options, terminal
from steelyard.cli.option import Option
from steelyard.cli.progress import ProgressLine
from steelyard.reading import recognise
from steelyard.reading.recognise import REQUIRED_ROLES, ROLES
from steelyard.request.options import COLUMNS, OUTPUT, SECTIONS, CompareRequest, Request

if TYPE_CHECKING:
    from steelyard.cli.comparison_gates import ComparisonGates
    from steelyard.comparison.page import Comparison
    from steelyard.result.result import Result  # imports NumPy, which the help does not need

FILES = click.Argument(["files"], nargs=-1, metavar="[FILES]...", type=click.Path())
NO_WEIGHT = Option(
    "--no-weight",
    section=COLUMNS,
    is_flag=True,
    help="Count every row once, even where a column is called weight.",
)
QUIET = Option(
    "-q", "--quiet", section=OUTPUT, is_flag=True, help="Print no messages except errors."
)
OPTION = "--{role}"  # the option that names the column of a role
OPENING = ("table", "sql", "threads", "memory", "allow_files")  # options that open_source takes too
TypedOptions = dict[str, Any]


def in_sections(options: Iterable[Option]) -> list[Option]:
    """The options in the order of the help: by section, then those without one."""
    places = {section: place for place, section in enumerate(SECTIONS)}
    return sorted(options, key=lambda option: places.get(option.section, len(places)))


def reads(typed: TypedOptions) -> str:
    """What the metrics read: scores or predictions."""
    return "prediction" if typed["prediction"] or typed["classes"] else "score"


def evaluated(
    files: Sequence[str],
    typed: TypedOptions,
    needed: Sequence[str] = (),
    check: Callable[[TypedOptions], None] | None = None,
    usual: Sequence[str] = (),
    without_probabilities: Sequence[str] = (),
) -> "Result":
    """The result of files with the options typed.

    needed: metrics that other options name; check: refuses arguments before the rows are read
    usual: the metrics of scores if none are named, instead of those of `evaluate`
    without_probabilities: likewise, of scores that are not probabilities
    """
    found: Result = evaluated_or_compared(
        files, typed, lambda _: False, needed, check, usual, without_probabilities
    )
    return found


def evaluated_or_compared(
    files: Sequence[str],
    typed: TypedOptions,
    compares: Callable[[TypedOptions], bool],
    needed: Sequence[str] = (),
    check: Callable[[TypedOptions], None] | None = None,
    usual: Sequence[str] = (),
    without_probabilities: Sequence[str] = (),
) -> Any:
    """The result of files, or the comparison of their scores; other arguments as of `evaluated`.

    compares: whether these arguments are those of a comparison
    """
    from steelyard import api, errors

    with _opened(files, typed) as source:
        arguments = _arguments(source.columns, typed, needed)
        if check is not None:
            check(arguments)
        function = api.compare if compares(arguments) else api.evaluate
        if not usual or reads(typed) != "score" or {"metrics", "preset"} & set(arguments):
            return function(source, **arguments)
        try:
            metrics = _of_groups(usual, arguments)
            return function(source, **arguments, metrics=metrics)
        except errors.InputError as error:
            if error.template is not errors.NOT_PROBABILITY:
                raise
        metrics = _of_groups(without_probabilities, arguments)
        return function(source, **arguments, metrics=metrics)


def compared(
    files: Sequence[str],
    typed: TypedOptions,
    gates: "ComparisonGates",
    usual: Sequence[str],
    without_probabilities: Sequence[str],
) -> "Comparison":
    """The comparison of files with the options typed; other arguments as of `evaluated`.

    One score compares two files, several scores are compared on all files together.
    """
    from steelyard import api, errors

    logs = [files]
    if len(typed["score"] or typed["prediction"]) < 2 and len(files) == 2 and not typed["sql"]:
        logs = [files[:1], files[1:]]
    with ExitStack() as stack:
        sources = [stack.enter_context(_opened(log, typed)) for log in logs]
        arguments = _arguments(sources[0].columns, typed, (), CompareRequest)
        arguments |= {"margins": gates.margins}
        named = arguments.pop("metrics", None)
        if reads(typed) != "score" or named or "preset" in arguments:
            chosen = [*(named or ()), *gates.metrics]
            return api.compare(*sources, **arguments, metrics=chosen or None)
        for metrics in (usual, without_probabilities):
            chosen = [*metrics, *gates.metrics]
            chosen = ["gauc", *chosen] if "group" in arguments else chosen
            try:
                return api.compare(*sources, **arguments, metrics=chosen)
            except errors.InputError as error:
                if error.template is not errors.NOT_PROBABILITY or metrics is not usual:
                    raise
    raise AssertionError  # a comparison was returned, or the last error raised


def score_names(arguments: TypedOptions) -> list[str]:
    """The names of the scores or predictions."""
    named = arguments.get("prediction") or arguments.get("score") or ()
    return [named] if isinstance(named, str) else list(named)


def _of_groups(metrics: Sequence[str], arguments: TypedOptions) -> list[str]:
    """The metrics, without those of groups where there are none."""
    from steelyard import plan

    return [m for m in metrics if "group" in arguments or m not in plan.GROUP_METRICS]


def _opened(files: Sequence[str], typed: TypedOptions) -> AbstractContextManager[Any]:
    """The source, opened so that its columns are known."""
    from steelyard import errors
    from steelyard.sources.opening import open_source

    if not files and typed["sql"] is None:
        raise errors.NO_SOURCE()
    named = {name: typed[name] for name in OPENING}
    source = None if not files else files[0] if len(files) == 1 else files
    return closing(open_source(source, **named))


def _arguments(
    columns: Any, typed: TypedOptions, needed: Sequence[str], kind: type[Request] = Request
) -> TypedOptions:
    """The arguments of a request: the options typed, and columns recognised for roles left out.

    needed: metrics that other options name; kind: of the request
    """
    no_weight = {"weight": ""} if unweighted(typed) or typed["weight"] == "" else {}
    typed = typed | no_weight
    given = {role: typed[role] or None if role in REQUIRED_ROLES else typed[role] for role in ROLES}
    given["prediction"] = typed["prediction"]
    taken = recognise.recognise(list(columns), given, OPTION)
    scores = {"score": (taken["score"],)} if "score" in taken else {}
    arguments = request_options.arguments(typed | taken | scores, columns, kind)
    if taken and not typed["quiet"]:
        options = ", ".join(OPTION.format(role=role) for role in taken)
        other = "another" if len(taken) == 1 else "others"
        terminal.print_message(f"using {recognise.text(taken)}; name {other} with {options}")
    return arguments | no_weight | _metrics(arguments, needed, reads(typed))


def unweighted(typed: TypedOptions) -> bool:
    if typed["no_weight"] and typed["weight"]:
        raise click.UsageError("--weight and --no-weight exclude each other")
    return bool(typed["no_weight"])


def _metrics(arguments: TypedOptions, needed: Sequence[str], kind: str) -> TypedOptions:
    """The metrics named, and those that other options name."""
    from steelyard import plan

    named = arguments.get("metrics")
    if not named and not needed:
        return {}
    classes = "classes" in arguments and "prediction" not in arguments
    usual = plan.default_metrics(kind, group="group" in arguments, classes=classes)
    return {"metrics": [*(named or usual), *needed]}


@contextmanager
def progress(quiet: bool) -> Iterator[None]:
    """Within it, a line on stderr shows the progress, if that is a terminal."""
    if quiet or not terminal.is_terminal(sys.stderr):
        yield
        return
    with closing(ProgressLine(sys.stderr)) as line, phases.watched_by(line):
        yield
