"""The spelling of metric names: in any case, in Chinese, and suggestions for unknown names."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from steelyard.errors import SpecError
from steelyard.metrics.parameter import REQUIRED, Parameter
from steelyard.metrics.record import Metric

SUGGESTED = 3  # names in a suggestion
_SEPARATORS = re.compile(r"[_\s-]+")
_NUMBERED = re.compile(r"(?P<before>\D+?)_?(?P<number>\d+(?:\.\d+)?)(?P<after>\D*)")


def folded(name: str) -> str:
    """A name without its case and separators.

    >>> folded("ROC-AUC"), folded("f1_score"), folded("KS 统计量")
    ('rocauc', 'f1score', 'ks统计量')
    """
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", name).casefold())


def spellings(metrics: Iterable[Metric]) -> dict[str, str]:
    """The name that each folded name means; an English name wins over a Chinese one."""
    metrics = list(metrics)
    chinese = [(each, metric.function) for metric in metrics for each in metric.chinese_names]
    english = [(name, name) for metric in metrics for name in (metric.name, *metric.names)]
    found: dict[str, str] = {}
    for name, meant in (*english, *chinese):
        found.setdefault(folded(name), meant)
    return found


def similar_names(name: str, metrics: Mapping[str, tuple[Metric, ...]], *, cut: bool) -> list[str]:
    """The names that are most similar to an unknown one, one for each metric.

    metrics: all metrics by name; cut: whether the name is followed by an @, as in ndcg@10
    """
    numbered = [] if cut else _numbered(name, metrics)
    if numbered:
        return numbered
    known = {folded(each): each for each in metrics}
    if cut:
        known = {key: each for key, each in known.items() if _cutting(metrics[each])}
    close = get_close_matches(folded(name), known, n=2 * SUGGESTED)
    close = close or [key for key in known if key.startswith(folded(name))]
    found: dict[Metric, str] = {}
    for key in close:
        metric = metrics[known[key]][0]
        found.setdefault(metric, metric.name if cut else known[key])
    return list(found.values())[:SUGGESTED]


def _numbered(name: str, metrics: Mapping[str, tuple[Metric, ...]]) -> list[str]:
    """Metrics with the number in a name as their cut or parameter: `recall@10` for recall10."""
    match = _NUMBERED.fullmatch(name.lower())
    if match is None:
        return []
    before, number, after = folded(match["before"]), float(match["number"]), folded(match["after"])
    every = dict.fromkeys(metric for found in metrics.values() for metric in found)
    stems = {before + after, f"{before}k{after}", before.removesuffix("at")}
    named = [m for m in every if stems & {folded(each) for each in (m.name, *m.names)}]
    if not named:  # f2 is fbeta(2): the shortest name that begins so, and needs a number
        needing = [m for m in every if any(p.default is REQUIRED for p in _first(m))]
        starting = [m for m in needing if m.name.startswith(before)]
        named = sorted(starting, key=lambda metric: len(metric.name))[:1]
    named.sort(key=lambda metric: metric.cut is None)
    return list(filter(None, (_with_number(metric, number) for metric in named)))[:1]


def _with_number(metric: Metric, number: float) -> str:
    """The name with the number, or nothing if the metric takes none."""
    if metric.cut is not None and number.is_integer() and number >= 1:
        return f"{metric.name}@{int(number)}"
    for parameter in _first(metric):
        try:
            parameter.take(number, metric.name)
            return f"{metric.name}({number:g})"
        except SpecError:
            pass
    return ""


def _first(metric: Metric) -> list[Parameter]:
    """The parameter that is written without its name, if there is one."""
    return [each for each in metric.parameters if each is not metric.cut][:1]


def _cutting(metrics: Iterable[Metric]) -> bool:
    return any(metric.cut is not None for metric in metrics)
