"""Shell completion after a tab: metrics, columns, tools; nothing if an error occurs."""

from collections.abc import Callable, Iterable
from contextlib import closing

import click
from click.shell_completion import CompletionItem

from steelyard.spec import split_at_commas

Items = list[CompletionItem]


def metrics(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Metrics by all their names; after a comma, the next one of a list."""
    from steelyard.metrics.catalogue import functions

    done, last = _last(incomplete)
    return _offer(done, last, functions())


def measures(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Metrics by our names and by trec_eval's."""
    from steelyard.cli import trec_names
    from steelyard.metrics.catalogue import functions

    done, last = _last(incomplete)
    return _offer(done, last, dict.fromkeys([*trec_names.known(), *functions()]))


def columns(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """The columns of the files on the command line."""
    try:
        from steelyard.sources.opening import open_source

        files = [*(ctx.params.get("files") or ()), *ctx.args]
        named = {name: ctx.params.get(name) for name in ("table", "sql")}
        allow = bool(ctx.params.get("allow_files"))
        with closing(open_source(files[0], **named, allow_files=allow)) as source:
            done, last = _last(incomplete) if param.name == "by" else ("", incomplete)
            return _offer(done, last, source.columns)
    except Exception:
        return []


def choices(names: Iterable[str]) -> Callable[[click.Context, click.Parameter, str], Items]:
    """Names that are known in advance."""
    return lambda ctx, param, incomplete: _offer("", incomplete, names)


def _last(incomplete: str) -> tuple[str, str]:
    """The text up to the last comma, and the part that is being typed."""
    last = split_at_commas(incomplete)[-1]
    return incomplete.removesuffix(last), last


def _offer(done: str, last: str, names: Iterable[str]) -> Items:
    return [CompletionItem(done + name) for name in names if name.startswith(last)]
