"""The command `steelyard`: finds its commands, and turns every mistake into one sentence.

Exit 0 is fine, 1 a gate that was missed, 2 the user's or the data's mistake, 130 interrupted.
"""

import os
import re
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from steelyard import __version__
from steelyard.cli import terminal

MISTAKE = 2
INTERRUPTED = 130
# Signals that end a command as Ctrl-C does, so that nothing is left half-written.
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
USUAL = (signal.SIG_DFL, signal.default_int_handler)  # else it is nohup's, or an embedder's


class Commands(click.Group):
    """The files in `commands`, each imported when its command is asked for."""

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
        """click knows the names only of commands that are loaded, so that the hint is ours."""
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
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def steelyard(ctx: click.Context) -> None:
    """Weigh models: exact metrics of labels and scores."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> None:
    """Run a command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks ─ shows ? in its place
            stream.reconfigure(errors="replace")
    args = sys.argv[1:] if args is None else args
    with _signals() as received:
        try:
            code = steelyard.main(args, prog_name="steelyard", standalone_mode=False)
        except (click.Abort, KeyboardInterrupt):  # Ctrl-C, or another signal
            code = INTERRUPTED
        except SystemExit as stop:  # click leaves with 1 where whoever read our output has gone
            code = 0 if stop.code == 1 else stop.code
        except Exception as error:
            code = MISTAKE
            if not received:  # what was interrupted may fail in many ways, and no one asked
                _report(error, debug="--debug" in args)
    if received:
        code = 128 + received[0]
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _signals() -> Iterator[list[int]]:
    """The signals that came: the first ends the work as Ctrl-C does, a second ends the process."""
    received: list[int] = []

    def end(number: int, _frame: object) -> None:
        if number != signal.SIGINT:  # a finger on Ctrl-C may slip
            signal.signal(number, signal.SIG_DFL)
        received.append(number)
        raise KeyboardInterrupt

    before: dict[signal.Signals, Any] = {}
    for name in ENDING:
        number = getattr(signal, name, None)
        try:
            if number is not None and signal.getsignal(number) in USUAL:
                before[number] = signal.signal(number, end)
        except ValueError:  # a thread that is not the main one
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
    """What went wrong, on one line."""
    from steelyard.errors import SteelyardError

    if isinstance(error, click.UsageError):
        said = _usage(error)
    elif isinstance(error, click.ClickException):
        said = error.format_message()
    elif isinstance(error, SteelyardError):
        said = typed(str(error))
    elif isinstance(error, OSError) and error.filename is None:  # files have SourceError
        said = f"the output cannot be written: {error.strerror or error}."
    elif isinstance(error, MemoryError):
        said = "there is not enough memory for these rows."
    else:
        said = f"{type(error).__name__}: {error}: a fault of steelyard's; --debug shows where."
    return " ".join(said.split())


def _usage(error: click.UsageError) -> str:
    """What is wrong with the words typed: click's sentence, or ours where we know more."""
    path = error.ctx.command_path if error.ctx else "steelyard"
    what = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = error.ctx.command.params if error.ctx else []
        names = [name for p in known for name in p.opts if name.startswith("-")]
        close = nearest(error.option_name, names)
        hint = f": did you mean {close}" if close else ""
        what = f"there is no option {error.option_name}{hint}"
    return f"{what[:1].lower()}{what[1:].rstrip('.')}. See {path} --help."


def nearest(word: str, known: Iterable[str]) -> str | None:
    """What was meant, if anything is near: rather two letters swapped than another letter.

    >>> nearest("--lable", ["--table", "--label"]), nearest("evl", ["eval"]), nearest("x", ["eval"])
    ('--label', 'eval', None)
    """
    close = get_close_matches(word, known)
    return min(close, key=lambda name: sorted(name) != sorted(word), default=None)


def typed(message: str) -> str:
    """A message with what one types here in place of Python's arguments.

    >>> typed('leave those rows out with nan="drop".')
    'leave those rows out with --nan drop.'
    >>> typed("name the positive value with positive=....")
    'name the positive value with --positive VALUE.'
    >>> typed("pass a file of group sizes with group_sizes=....")
    'pass a file of group sizes with --group-sizes FILE.'
    """
    from steelyard.cli.commands import eval as evaluating
    from steelyard.cli.commands import letor

    known = (*letor.command.params, *evaluating.command.params)
    options = {p.name or "": p for p in known if isinstance(p, click.Option)}
    del options["metric"]  # letor's word for metrics

    def option(match: re.Match[str]) -> str:
        one = options[match[1]]
        shown = match[2].strip("\"'")
        if shown.startswith("{"):
            return f"{one.opts[0]} {match[3]}=COLUMN"
        return f"{one.opts[0]} {one.metavar if '...' in shown else shown}"

    names = "|".join(sorted(options, key=len, reverse=True))
    # Not after "(": write lift(q=...) speaks of a metric's own parameter.
    value = r"""("[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|\.\.\.|\[\.\.\.\]|\{'(\w+)': \.\.\.\})"""
    return re.sub(rf"(?<![\w(]){'(' + names + ')'}={value}", option, message)
