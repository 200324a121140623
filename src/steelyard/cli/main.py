"""The command `steelyard`: finds its commands, and turns every mistake into one sentence.

Exit 0 is fine, 2 the user's or the data's mistake, 130 interrupted.
"""

import sys
import traceback
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from steelyard import __version__

# What an error calls an argument in Python, and what one types here.
TYPED = {
    'nan="drop"': "--nan drop",
    "positive=...": "--positive VALUE",
}
MISTAKE = 2
INTERRUPTED = 130


class Commands(click.Group):
    """The files beside this one, each imported when its command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        here = Path(__file__)
        return sorted(p.stem for p in here.parent.glob("[a-z]*.py") if p.stem != here.stem)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"steelyard.cli.{cmd_name}").command
        return command


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
    debug = "--debug" in args
    try:
        code = steelyard.main(args, prog_name="steelyard", standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):  # Ctrl-C
        code = INTERRUPTED
    except SystemExit as stop:  # click leaves with 1 where whoever read our output has gone
        code = 0 if stop.code == 1 else stop.code
    except Exception as error:
        if debug:
            traceback.print_exc()
        click.echo(f"steelyard: {_sentence(error)}", err=True)
        code = MISTAKE
    sys.exit(code if isinstance(code, int) else 0)


def _sentence(error: Exception) -> str:
    """What went wrong, on one line."""
    from steelyard.errors import SteelyardError

    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "steelyard"
        what = error.format_message()
        said = f"{what}{'' if what.endswith(('.', '?')) else '.'} See {path} --help."
    elif isinstance(error, click.ClickException):
        said = error.format_message()
    elif isinstance(error, SteelyardError):
        said = str(error)
        for argument, option in TYPED.items():
            said = said.replace(argument, option)
    elif isinstance(error, OSError) and error.filename is None:  # files have SourceError
        said = f"the output cannot be written: {error.strerror}."
    elif isinstance(error, MemoryError):
        said = "there is not enough memory for these rows."
    else:
        said = f"{type(error).__name__}: {error}: a fault of steelyard's; --debug shows where."
    return " ".join(said.split())


def debug_option(command: Any) -> Any:
    """`--debug`, which main looks for itself: a mistake may come before options are read."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, help="Show where an error arose."
    )(command)
