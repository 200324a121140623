"""`steelyard completion`: the script that makes a shell complete commands, options and metrics."""

import click
from click.shell_completion import get_completion_class

from steelyard.cli import output
from steelyard.cli.option import Command, debug

SHELLS = ("bash", "zsh", "fish")


@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete steelyard's commands, options and metrics.

    \b
    bash  put  eval "$(steelyard completion bash)"  into ~/.bashrc
    zsh   put  eval "$(steelyard completion zsh)"   into ~/.zshrc
    fish  steelyard completion fish > ~/.config/fish/completions/steelyard.fish
    """
    script = get_completion_class(shell)
    assert script is not None  # SHELLS are click's own
    made = script(ctx.find_root().command, {}, "steelyard", "_STEELYARD_COMPLETE")
    output.write_stdout(made.source())


command = Command(
    "completion",
    completion,
    short_help="Print the script for completion in bash, zsh or fish.",
    params=[click.Argument(["shell"], type=click.Choice(SHELLS), metavar="SHELL"), debug()],
)
