"""The names of measures in trec_eval and here: one table, read in both directions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

from steelyard import errors

RANKING = "ranking"  # the family of metrics that evaluates a run
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)  # the default cuts of trec_eval

# The name in trec_eval, the name here, and its cuts if it has any.
NAMES: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("map", "map", ()),
    ("Rprec", "r_precision", ()),
    ("recip_rank", "mrr", ()),
    ("P", "precision", CUTS),
    ("recall", "recall", CUTS),
    ("ndcg", "ndcg", ()),
    ("ndcg_cut", "ndcg", CUTS),
    ("map_cut", "map", CUTS),
    ("success", "hit_rate", (1, 5, 10)),
)
RUN, QUERIES = "runid", "num_q"  # of a whole run
COUNTS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")  # of each query too
NO_METRICS = (RUN, QUERIES, *COUNTS)
OFFICIAL = (RUN, QUERIES, *COUNTS[:3], "map", "Rprec", "recip_rank", "P")
SETS = {"official": OFFICIAL, "all_trec": (*NO_METRICS, *(name for name, _, _ in NAMES))}

_OURS = {name: (ours, cuts) for name, ours, cuts in NAMES}
_THEIRS = {(ours, bool(cuts)): name for name, ours, cuts in NAMES}
_CUT = re.compile(r"(\w+?)[._@]([1-9][0-9]*)")
_END = re.compile(r"(\(.*)?([._@][0-9]+)?$", re.DOTALL)  # parameters and cut after a name


class Measure(NamedTuple):
    """A measure to print: its name, and the metric that computes it; none if it is a count."""

    name: str
    spec: str = ""


def known() -> list[str]:
    """Every name of trec_eval that is understood."""
    return [*SETS, *NO_METRICS, *_OURS]


def measures(typed: Iterable[str]) -> list[Measure]:
    """The measures named, in trec_eval's names or ours, once each.

    >>> [measure.name for measure in measures(["ndcg_cut.5", "10", "success", "num_ret"])]
    ['ndcg_cut_5', 'ndcg_cut_10', 'success_1', 'success_5', 'success_10', 'num_ret']
    """
    found: list[Measure] = []
    family = ""  # P.5,10 arrives as P.5 and 10
    for word in typed:
        if family and word.isdecimal():
            word = f"{family}_{word}"
        family = cut[1] if (cut := _CUT.fullmatch(word)) and _is_cut(cut[1]) else ""
        found.extend(_read(word))
    return list(dict.fromkeys(found))


def _read(word: str) -> Iterator[Measure]:
    cut = _CUT.fullmatch(word)
    if word in SETS:
        yield from measures(SETS[word])
    elif word in NO_METRICS:
        yield Measure(word)
    elif cut and _is_cut(cut[1]):
        yield Measure(f"{cut[1]}_{cut[2]}", f"{_OURS[cut[1]][0]}@{cut[2]}")
    elif word in _OURS:
        ours, cuts = _OURS[word]
        for k in cuts:
            yield Measure(f"{word}_{k}", f"{ours}@{k}")
        if not cuts:
            yield Measure(word, ours)
    else:
        yield _ours(word)


def _is_cut(name: str) -> bool:
    return name in _OURS and bool(_OURS[name][1])


def _ours(word: str) -> Measure:
    """A metric by one of our names; printed by trec_eval's name if that means the same."""
    from steelyard.metrics.catalogue import resolve
    from steelyard.spec import parse

    spec = parse(word)
    try:
        bound = resolve(spec)
    except errors.SpecError as error:
        raise _unknown(word) if error.template is errors.UNKNOWN_METRIC else error from None
    if bound.metric.family != RANKING:
        raise errors.NOT_OF_A_RUN(metric=bound.name)
    spec = replace(spec, name=parse(bound.name).name)  # its first name
    plain = not spec.args and not spec.options
    theirs = _THEIRS.get((spec.name, spec.k is not None)) if plain else None
    if theirs is None:
        return Measure(str(spec), str(spec))
    return Measure(theirs if spec.k is None else f"{theirs}_{spec.k}", str(spec))


def _unknown(word: str) -> errors.SteelyardError:
    """The error for a name that neither tool has, with the most similar name."""
    from steelyard.metrics.catalogue import every

    ours = [metric.function for metric in every() if metric.family == RANKING]
    names = list(dict.fromkeys([*known(), *ours]))
    stem = _END.sub("", word)
    close = get_close_matches(stem, names, n=1, cutoff=0.7)  # bpref is not Rprec
    cut = word[len(stem) :]
    cut = cut if not cut or cut.strip("._@0") else f"{cut[:1]}10"  # no list is cut at rank 0
    hint = f"did you mean {close[0]}{cut}" if close else f"there are {', '.join(names)}"
    return errors.UNKNOWN_METRIC(name=word, hint=hint)
