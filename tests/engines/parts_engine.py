"""An engine that does everything in parts, to find what only works where all rows are at hand.

Rows travel through files, in ranges of scores or parts of groups; scans and tasks run in new
processes, tasks in random order, and one of them twice.
"""

import multiprocessing
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from steelyard import errors
from steelyard.engines import class_ranges, group_parts, line_parts, pair_ranges, score_ranges
from steelyard.engines.memory import scanned
from steelyard.engines.merging import SMALL, joined
from steelyard.engines.protocol import Kept, LineParts, Table, Whole
from steelyard.engines.weighted_ranges import weighted_ranges
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import MakeParts, Ranges, SliceParts, WholeView
from steelyard.metrics.influence import SliceValues
from steelyard.metrics.record import StateSpec
from steelyard.model import Array, Reading
from steelyard.plan import Job
from steelyard.reading.clusters import ROW
from steelyard.reading.facts import ReadingFacts
from steelyard.sources.blocks import Block
from steelyard.states import ClassScoreTable, Groups, KeyedState, ScoreTable
from steelyard.states.score_table.state import KeptChunk
from steelyard.views.clusters import LineSums
from steelyard.views.view_of import ClusterView, cluster_view_of
from steelyard.views.weightings import Weighted

RANGES, PARTITIONS, AT_ONCE, SAMPLE = 16, 3, 6, 200  # at once: tasks; sample: rows, for cuts
LoadRows = Callable[[], Any]


class Shards(NamedTuple):
    """A state that is in files, one for each partition.

    numbers: for each file, the job's numbers of its slices in each table
    """

    kind: type[KeyedState]
    reading: Reading
    files: list[Path]
    numbers: list[list[Array]]
    clustered: bool


@dataclass(frozen=True)
class PartRanges:
    """Files of rows by range, and functions of a task, or of a metric, and such a file."""

    whole: Whole
    engine: "PartsEngine"
    files: Mapping[int, Path]
    fold: Callable[..., Any]
    lines: Callable[..., LineSums | line_parts.FirstStep]

    def map(self, task: MakeParts) -> Iterator[list[SliceParts]]:
        return chain.from_iterable(self._made(self.fold, dict.fromkeys(self.files, task)))

    def weighted(self, weightings: Sequence[Any], hashes: Array, metrics: Any) -> Weighted:
        run, own = partial(self._made, self.fold), partial(_some, self.engine.save(hashes))
        return weighted_ranges(run, [*self.files], self.whole, weightings, own, metrics)

    def line_sums(self, bound: BoundMetric, values: SliceValues | None) -> list[LineSums]:
        return line_parts.line_sums(bound, values, partial(self._made, self.lines), self.files)

    def _made(self, function: Callable[..., Any], tasks: Mapping[int, Any]) -> list[Any]:
        """What the task of each range gives, in key order."""
        order = self.engine.random.sample([*tasks], len(tasks))
        each = [partial(_with_rows, function, tasks[n], self.files[n]) for n in order]
        found = dict(zip(order, self.engine.run(each + each[:1]), strict=False))
        return [found[number] for number in sorted(found)]


@dataclass
class PartsEngine:
    folder: Path
    random: Random = field(default_factory=lambda: Random(0))

    # --- files and processes ---------------------------------------------------------------------
    def save(self, thing: Any) -> Path:
        path = self.folder / uuid4().hex
        path.write_bytes(pickle.dumps(thing))
        return path

    def run(self, tasks: Sequence[Callable[[], Any]]) -> list[Any]:
        """What each task gives, from new processes that take a few of them each."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.engines.parts_engine"])
        paths = list(map(self.save, tasks))
        with ProcessPoolExecutor(2, context, max_tasks_per_child=1) as pool:
            some = (paths[start : start + AT_ONCE] for start in range(0, len(paths), AT_ONCE))
            futures = [pool.submit(_run, each) for each in some]
            return [load(path) for future in futures for path in future.result()]

    def scan(self, job: Job, source: str, blocks: Iterable[Block]) -> Kept:
        if job.roles.cluster == ROW:  # a block has no number among all of them
            raise errors.NOT_BY_PARTS(what="rows as clusters")
        reader = job.reader()
        files = list(map(self.save, reader.resolve(blocks)))
        given = self.save((job, source, reader))
        own = [files[n::PARTITIONS] for n in range(PARTITIONS)]
        scans = self.run([partial(_scan, given, each) for each in own])
        kept, numbers = joined(job, source, reader, scans)
        for score, states in kept.states.items():
            for identity in [each for each in states if each.kind not in SMALL]:
                theirs = [each.states[score][identity] for each, _ in scans]
                reading = next((s.reading for s in theirs if s.reading), Reading())
                mine, paths = [own[score] for own in numbers], list(map(self.save, theirs))
                clustered = kept.conventions.cluster is not None
                shards: Any = Shards(identity.kind, reading, paths, mine, clustered)
                states[identity] = shards
        return kept

    # --- exchanges -------------------------------------------------------------------------------
    def exchange(self, table: Table, state_spec: StateSpec) -> Ranges:
        shards: Any = table.states[state_spec.identity]
        if not isinstance(shards, Shards):
            return WholeView(table.view(state_spec))
        if shards.kind is ScoreTable:
            load_rows = _rows_of(table, shards, list)
            return self._by_score(table.slices, table.size, load_rows, shards.reading)
        if shards.kind is ClassScoreTable:
            return self._by_class(table, shards)
        if shards.kind is Groups:
            return self._by_group(table, shards)
        return self._by_pair(table, shards)

    def exchange_clusters(self, table: Table, state_spec: StateSpec) -> ClusterView | LineParts:
        state: Any = table.states[state_spec.identity]
        if isinstance(state, Shards):
            ranges = self.exchange(table, state_spec)
            by_class: Any = ranges.whole
            return (
                LineParts(ranges.line_sums) if isinstance(ranges, PartRanges) else by_class.by_line
            )
        return cluster_view_of(state, table.number, table.size, table.slices)

    def _by_score(
        self, slices: Array, size: int, load_rows: Sequence[LoadRows], reading: Reading
    ) -> PartRanges:
        samples = self.run([partial(_on, score_ranges.sample_of, r, SAMPLE) for r in load_rows])
        cuts, unit = score_ranges.choose_cuts(samples, RANGES)
        split = self.run([partial(_on, score_ranges.split, r, cuts, unit) for r in load_rows])
        totals, ranges = score_ranges.brought_together(split, unit, size)
        work = {number: self.save((*rows, reading)) for number, rows in ranges.items()}
        tasks = score_ranges.made_of_range, score_ranges.lines_of_range
        whole = Whole(slices, totals, sum(len(own) for _, own, _ in ranges.values()))
        return PartRanges(whole, self, work, *tasks)

    def _by_class(self, table: Table, shards: Shards) -> WholeView:
        classes = next((c for c in (load(path).classes for path in shards.files) if c), ())

        def exchange(kind: str) -> PartRanges:
            curves = table.size * class_ranges.curve_count(kind, len(classes))
            rest = kind, table.number, table.size, shards.clustered
            load_rows = [
                partial(_class_scores_of, path, numbers[1:], *rest)
                for path, numbers in zip(shards.files, shards.numbers, strict=True)
            ]
            return self._by_score(np.arange(curves), curves, load_rows, shards.reading)

        return WholeView(class_ranges.ClassRanges(classes, table.size, table.slices, exchange))

    def _by_pair(self, table: Table, shards: Shards) -> pair_ranges.PairRanges:
        def exchange(order: str) -> PartRanges:
            load_rows = _rows_of(table, shards, partial(pair_ranges.keyed, order=order))
            found = self._by_score(table.slices, table.size, load_rows, shards.reading)
            if order == pair_ranges.BY_RANK:
                load_rows = [partial(_ranked, path) for path in found.files.values()]
                found = self._by_score(table.slices, table.size, load_rows, shards.reading)
            return replace(found, fold=pair_ranges.made_of_range)

        return pair_ranges.PairRanges(table.slices, exchange)

    def _by_group(self, table: Table, shards: Shards) -> PartRanges:
        both = zip(shards.files, shards.numbers, strict=True)
        load_rows = [partial(_loaded, list, path, numbers[1:]) for path, numbers in both]
        units = self.run([partial(_on, group_parts.unit_of, each) for each in load_rows])
        split = self.run([partial(_on, group_parts.split, each, RANGES) for each in load_rows])
        parts, unit = group_parts.brought_together(split), group_parts.common_unit(units)
        tables = len(shards.numbers[0]) - shards.clustered
        rest = (table.number, tables, unit, shards.reading, shards.clustered)
        work = {n: self.save([group_parts.GroupPart(some, *rest)]) for n, some in parts.items()}
        tasks = group_parts.made_of_part, group_parts.lines_of_part
        return PartRanges(Whole(table.slices), self, work, *tasks)


# --- in other processes --------------------------------------------------------------------------
def load(path: Path) -> Any:
    return pickle.loads(path.read_bytes())


def _run(paths: Sequence[Path]) -> list[Path]:
    for path in paths:
        path.with_suffix(".made").write_bytes(pickle.dumps(load(path)()))
    return [path.with_suffix(".made") for path in paths]


def _scan(given: Path, files: Sequence[Path]) -> tuple[Kept, ReadingFacts]:
    job, source, reader = load(given)
    return scanned(job, source, reader, reader.some_batches(map(load, files))), reader.facts


def _rows_of(table: Table, shards: Shards, as_rows: Callable[..., Any]) -> list[LoadRows]:
    each = zip(shards.files, shards.numbers, strict=True)
    own = [(path, table.number, numbers[table.number], numbers[-1]) for path, numbers in each]
    return [partial(_loaded, as_rows, *given) for given in own]


def _loaded(as_rows: Callable[..., Any], path: Path, *numbers: Any) -> Any:
    return as_rows(load(path).kept(*numbers))


def _ranked(path: Path) -> list[KeptChunk]:
    return pair_ranges.ranked(*load(path))


def _class_scores_of(path: Path, numbers: Sequence[Array], *rest: Any) -> list[KeptChunk]:
    return class_ranges.curve_chunks(load(path).kept(numbers), *rest)


def _on(function: Callable[..., Any], load_rows: LoadRows, *rest: Any) -> Any:
    return function(load_rows(), *rest)


def _with_rows(function: Callable[..., Any], task: Any, path: Path) -> Any:
    return function(task, *load(path))


def _some(path: Path, places: Array) -> Any:
    return load(path)[places]
