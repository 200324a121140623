"""Options and commands: one record each, which gives parser, help and completion."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import click

from steelyard.cli import python_spelling

GENERAL = "General"
WIDEST = 26  # characters; a longer option has its help on the next line


class Option(click.Option):
    """An option: its names, its help text and the section of the help that lists it."""

    def __init__(self, *names: str, section: str = GENERAL, **settings: Any) -> None:
        super().__init__(list(names), **settings)
        self.section = section


class Command(click.Command):
    """A command; its help is the docstring of `callback`, the options in sections, and examples."""

    def __init__(
        self,
        name: str,
        callback: Callable[..., None],
        *,
        examples: Sequence[str] = (),
        **settings: Any,
    ) -> None:
        super().__init__(name, callback=callback, help=callback.__doc__, **settings)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuses an option of one value that is given twice; click would take the last."""
        if not ctx.resilient_parsing:
            values, _, given = self.make_parser(ctx).parse_args(list(args))
            for each in dict.fromkeys(given):
                python_spelling.refuse(ctx, each, values.get(each.name), self.params)
            for option, count in Counter(each for each in given if _takes_one(each)).items():
                if count > 1:
                    name = max(option.opts, key=len)
                    raise click.UsageError(f"{name} is given {count} times: give it once", ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and not isinstance(parameter, click.Argument):
                sections.setdefault(getattr(parameter, "section", GENERAL), []).append(record)
        names = [name for records in sections.values() for name, _ in records]
        longest = max(len(name) for name in names if len(name) <= WIDEST)
        for section, records in sections.items():
            with formatter.section(section):  # columns aligned across sections are easier to read
                formatter.write_dl([(f"{name:<{longest}}", help) for name, help in records], WIDEST)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def _takes_one(parameter: click.Parameter) -> bool:
    flag = getattr(parameter, "is_flag", False)
    return isinstance(parameter, click.Option) and not (parameter.multiple or flag)


def debug() -> Option:
    """`--debug`, which main reads itself: an error may occur before options are parsed."""
    return Option("--debug", is_flag=True, expose_value=False, help="Show where an error occurred.")


def formats(choices: Sequence[str]) -> Option:
    """`--format` of a command that prints for people or for programs; the first is the default."""
    return Option(
        "--format",
        type=click.Choice(list(choices)),
        default=choices[0],
        show_default=True,
        help="The format of the output.",
    )
