"""The command `steelyard`: finds its subcommands, and prints every error as one sentence.

Exit code 0 is success, 1 a missed gate, 2 an error, 130 an interruption.
"""

import os
import re
import shlex
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from steelyard import __version__
from steelyard.cli import terminal
from steelyard.errors import OPTION_NAMES, PARAMETERS, FontWarning, SkippedWarning, nearest
from steelyard.kernel_names import preferred

FAILED = 2
INTERRUPTED = 130
MESSAGES = (SkippedWarning, FontWarning)  # shown without the line of code
NO_THREAD = "can't start new thread"  # Python's words where there is no memory for its stack
# Signals that end a command as Ctrl-C does, so that no file is left half-written.
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
# Handlers that may be replaced; others belong to nohup or to the embedding program.
USUAL = (signal.SIG_DFL, signal.default_int_handler)


class Commands(click.Group):
    """The files in `commands`, each imported when its command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        folder = Path(__file__).parent / "commands"
        return sorted(path.stem for path in folder.glob("[a-z]*.py"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"steelyard.cli.commands.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggests a command for an unknown name; click knows only commands that are loaded."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            close = nearest(args[0], known)
            hint = f"the commands are {', '.join(known)}"
            if close:
                hint = f"did you mean {close}"
            elif os.path.exists(args[0]):
                hint = f"did you mean steelyard eval {args[0]}"
            raise click.UsageError(f"there is no command {args[0]!r}: {hint}.", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",  # which releases of click word differently
)
@click.version_option(__version__, message=f"%(prog)s %(version)s ({preferred()} kernels)")
@click.pass_context
def steelyard(ctx: click.Context) -> None:
    """Evaluate models: exact metrics of labels and scores."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> None:
    """Run a command line, then exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # an encoding without ─ writes ? instead
            stream.reconfigure(errors="replace")
    args = sys.argv[1:] if args is None else args
    with _signals() as received, _warnings():
        try:
            code = steelyard.main(args, prog_name="steelyard", standalone_mode=False)
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or another signal
            code = INTERRUPTED
        except SystemExit as stop:  # click exits with 1 where the reader of the output has gone
            code = 0 if stop.code == 1 else stop.code
        except Exception as error:
            code = FAILED
            if not received:  # after an interruption other errors say nothing new
                _report(error, debug="--debug" in args)
    if received:
        code = 128 + received[0]
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _warnings() -> Iterator[None]:
    """Shows some warnings as messages, without the line of code that noticed them."""
    with warnings.catch_warnings():
        for shown in MESSAGES:
            warnings.simplefilter("default", shown)
        show = warnings.showwarning

        def say(message: Any, category: Any, *where: Any, **more: Any) -> None:
            if issubclass(category, MESSAGES):
                terminal.print_message(f"{message}.", start="steelyard: ")
            else:
                show(message, category, *where, **more)

        warnings.showwarning = say
        yield


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The signals received: the first ends the work as Ctrl-C does, a second ends the process."""
    received: list[int] = []

    def end(number: int, _frame: object) -> None:
        if number != signal.SIGINT:  # Ctrl-C may be pressed twice by accident
            signal.signal(number, signal.SIG_DFL)
        received.append(number)
        raise KeyboardInterrupt

    before: dict[signal.Signals, Any] = {}
    for name in ENDING:
        number = getattr(signal, name, None)
        try:
            if number is not None and signal.getsignal(number) in USUAL:
                before[number] = signal.signal(number, end)
        except ValueError:  # only the main thread can set handlers
            break
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(error: Exception, *, debug: bool) -> None:
    if debug:
        traceback.print_exception(error)
    terminal.print_error(_sentence(error))


def _sentence(error: Exception) -> str:
    """The message of an error, on one line."""
    from steelyard.errors import SteelyardError
    from steelyard.phrases import Phrase

    if isinstance(error, click.UsageError):
        text = _usage(error)
    elif isinstance(error, click.ClickException):
        text = error.format_message()
    elif isinstance(error, SteelyardError):
        said = error.args[0]
        text = said.rewritten(with_options) if isinstance(said, Phrase) else str(said)
    elif isinstance(error, OSError) and error.filename is None:  # files have SourceError
        text = f"the output cannot be written: {error.strerror or error}."
    elif isinstance(error, MemoryError) or NO_THREAD in str(error):
        text = "there is not enough memory for these rows."
    else:
        text = f"{type(error).__name__}: {error}: a bug in steelyard; --debug shows where."
    return " ".join(text.split())


def _usage(error: click.UsageError) -> str:
    """The message of a wrong command line: click's, with a suggestion for an unknown option."""
    path = error.ctx.command_path if error.ctx else "steelyard"
    text = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = error.ctx.command.params if error.ctx else []
        names = [name for p in known for name in p.opts if name.startswith("-")]
        written = error.option_name.lstrip("-").replace("-", "_")
        close = nearest(error.option_name.replace("_", "-"), names)
        if (same := f"--{OPTION_NAMES.get(written)}") in names:
            close = same
        hint = f": did you mean {close}" if close else ""
        if parameter := PARAMETERS.get(written):
            hint = f": it is written in the metric, as in -m {shlex.quote(parameter)}"
        text = f"there is no option {error.option_name}{hint}"
    return f"{text[:1].lower()}{text[1:].rstrip('.')}. See {path} --help."


def with_options(message: str) -> str:
    """Words of ours with options of the command line instead of Python's arguments.

    A fact is a mark in them, as in `positive=MARK`; see `Phrase`.

    >>> with_options('leave those rows out with nan="drop".')
    'leave those rows out with --nan drop.'
    >>> with_options("name the positive value with positive=....")
    'name the positive value with --positive VALUE.'
    >>> with_options("pass a file of group sizes with group_sizes=....")
    'pass a file of group sizes with --group-sizes FILE.'
    >>> with_options("where=('day = 1', 'day = 2'), over={'band': 'price // 100'}")
    "--where 'day = 1' --where 'day = 2', --over 'band=price // 100'"
    """
    from steelyard.cli.commands import compare, diagnose, letor, trec
    from steelyard.cli.commands import eval as evaluating
    from steelyard.phrases import MARKED

    others = (trec, letor, compare, diagnose)  # where two commands have an option, eval's is taken
    known = [p for each in (*others, evaluating) for p in each.command.params]
    options = {p.name or "": p for p in known if isinstance(p, click.Option)}
    del options["metric"], options["rel"]  # letor's name of metrics; a parameter of metrics

    def option(match: re.Match[str]) -> str:
        one = options[match[1]]
        value = match[2].strip("\"'")
        if value.startswith("("):
            return " ".join(f"{one.opts[0]} {each}" for each in re.findall("'[^']*'", value))
        if value.startswith("[") and value != "[...]":
            return " ".join(f"{one.opts[0]} {each}" for each in re.findall('"([^"]*)"', value))
        if value.startswith("{"):
            named = f"'{match[3]}={match[4]}'" if match[4] else f"{match[3]}=COLUMN"
            return f"{one.opts[0]} {named}"
        if one.is_flag:
            return one.opts[0]
        if not re.fullmatch(r"[\w.-]+", value):
            value = match[2]  # a shell needs its quotes
        return f"{one.opts[0]} {one.metavar if '...' in value else value}"

    names = "|".join(sorted(options, key=len, reverse=True))
    # Not after "(": lift(q=...) is a parameter of a metric.
    simple = r"""-?\d+(?:\.\d+)?(?:e-?\d+)?|True|\.\.\.|\[\.\.\.\]|""" + MARKED.pattern.replace(
        "(", "(?:"
    )
    several = r"""\('[^']*', '[^']*'\)|\["[^"]*", "[^"]*"\]|\{'(\w+)': (?:\.\.\.|'([^']*)')\}"""
    pattern = rf"""("[^"]*"|'[^']*'|{simple}|{several})"""
    return re.sub(rf"(?<![\w(]){'(' + names + ')'}={pattern}", option, message)
