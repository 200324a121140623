"""The short way of `evaluate`: two plain arrays and names of metrics to a result.

There is no source, no reader and no state of sums: one kernel checks the rows and adds the terms
of all metrics. The plan and the conventions are those of an earlier call that went the long way
with arrays of the same types. All else is declined with None, and goes the long way. See decision
0031.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from steelyard import kernels, phases
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.evaluation.evaluation import Evaluation
from steelyard.kernels.interface import PlainTerms, ScoreChunk
from steelyard.metrics.record import StateSpec
from steelyard.model import Array, Conventions, RequiredColumns
from steelyard.plan import Plan
from steelyard.reading.batch import Batch, required
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.lent import lent
from steelyard.reading.plain_rows import SCORES, are_plain, plain_reading
from steelyard.result.result import Result
from steelyard.states import KeyedState, ScoreTable
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.sums.terms import DROPPED, find
from steelyard.views.plain_scores import PlainScores
from steelyard.views.sums import KnownSums, KnownSumsView
from steelyard.views.totals import Totals
from steelyard.views.view_of import View

MOST_KNOWN = 128  # requests, with types of arrays
ONLY_KEY = ((),)
SCORE_TABLE = StateSpec(ScoreTable).identity


class Known(NamedTuple):
    """What is known of a request.

    sums: the state of sums; formulas: those of its terms; places: of each term among them
    """

    plan: Plan
    conventions: Conventions
    score: str
    sums: StateSpec
    formulas: tuple[str, ...]
    places: Mapping[str, int]


_known: dict[Any, Known] = {}


def short_result(label: Any, score: Any, options: Mapping[str, Any]) -> Result | None:
    """The result of plain arrays, if the request is known; None: it goes the long way."""
    key = _key(label, score, options)
    known = None if key is None else _known.get(key)
    if known is None or phases.watcher() is not None:
        return None
    found = kernels.active().plain_terms(label, score, known.formulas)
    if found is None or not _is_usual(len(label), found.positives, found.least, found.largest):
        return None
    sums = {term: found.sums[place] for term, place in known.places.items()}
    states = _states(known, label, score)
    views: dict[StateSpec, View] = {
        known.sums: KnownSumsView(KnownSums(sums | {DROPPED: 0}, found.power)),
        SCORE_TABLE: states.scores(found),
    }
    table = Table(states, 0, 1, TOTAL_SLICE, views=views)
    tables = [(known.score, 0, ONLY_KEY, table)]
    return Evaluation(known.plan, known.conventions, tables, ClusterNumbers(), IN_MEMORY).result()


def remember(
    label: Any, score: Any, options: Mapping[str, Any], todo: Plan, conventions: Conventions
) -> None:
    """Note the plan and the conventions of a call, if later ones may take the short way."""
    key = _key(label, score, options)
    needed = todo.required_columns
    if key is None or needed != RequiredColumns(probability=needed.probability):
        return
    found = kernels.active().plain_rows(label, score)
    if found is None or not _is_usual(len(label), *found):
        return
    [name] = conventions.scores
    identity = todo.sample.identity
    [spec] = [spec for spec in todo.state_specs if spec.identity == identity]
    terms = [term for term in dict(spec.config)["terms"] if term != DROPPED]
    formula_of = {term: find(term).formula for term in terms}
    formulas = tuple(dict.fromkeys(formula_of.values()))
    places = {term: formulas.index(formula) for term, formula in formula_of.items()}
    if len(_known) < MOST_KNOWN:
        _known[key] = Known(todo, conventions, name, identity, formulas, places)


def _is_usual(rows: int, positives: int, least: float, largest: float) -> bool:
    """Whether there are rows of both classes, and all scores are probabilities."""
    return 0 < positives < rows and least >= 0 and largest <= 1


def _key(label: Any, score: Any, options: Mapping[str, Any]) -> Any:
    """What the plan and the conventions depend on; None: the call is not plain."""
    if len(options) != 1 or "metrics" not in options or not are_plain(label, score, SCORES):
        return None
    metrics = options["metrics"]
    names = tuple(metrics) if type(metrics) in (list, tuple) else (metrics,)
    if not all(type(name) is str for name in names):
        return None
    return type(metrics) is str, names, label.dtype, score.dtype


class PlainStates(Mapping[StateSpec, KeyedState]):
    """The states of one batch, each made when it is first read."""

    def __init__(self, specs: Mapping[StateSpec, StateSpec], batch: Batch) -> None:
        self._specs, self._batch = specs, batch
        self._made: dict[StateSpec, KeyedState] = {}

    def __getitem__(self, identity: StateSpec) -> KeyedState:
        if identity not in self._made:
            made = self._specs[identity].empty()
            with lent():  # the columns are copies
                made.update(self._batch)
            self._made[identity] = made
        return self._made[identity]

    def scores(self, found: PlainTerms) -> PlainScores:
        """The view of the rows as scores, for which no state is made."""
        batch = self._batch
        positives, negatives = found.positives, len(batch) - found.positives
        counts = np.array([positives]), np.array([negatives])
        totals = Totals(0, *counts, np.array([found.least]), np.array([found.largest]))
        rows = ScoreChunk(None, required(batch.score), required(batch.positive))
        return PlainScores(rows, totals, batch.reading, self._score_table)

    def _score_table(self) -> ScoreTable:
        made = self[SCORE_TABLE]
        assert isinstance(made, ScoreTable)
        return made

    def __iter__(self) -> Iterator[StateSpec]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)


def _states(known: Known, label: Array, score: Array) -> PlainStates:
    """The states of checked rows; a user may change the arrays after the call."""
    batch = Batch(
        len(label),
        plain_reading(score.dtype),
        score=score.copy(),
        positive=label.astype(bool),
        negative_label=0,
    )
    return PlainStates({spec.identity: spec for spec in known.plan.state_specs}, batch)
