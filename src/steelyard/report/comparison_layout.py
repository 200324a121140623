"""The tables of a comparison, which text, Markdown and HTML then draw."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from steelyard.comparison.comparison_rows import ComparisonRow, SliceTest
from steelyard.model import Conventions
from steelyard.report import display
from steelyard.report.display import unique
from steelyard.report.group_differences import GroupDifferences
from steelyard.report.text_table import Cell, Column, TextTable
from steelyard.stats.intervals import FEW_FREEDOM, LARGE_SHARE
from steelyard.stats.outcomes import BETTER, CANNOT_TELL, FOUND, NO_DIFFERENCE, WORSE, remark

SAME_DIGITS = 4  # of values that do not differ
LISTED = 5  # slices named in a note
AGAINST_SLICES = ((WORSE, True, False), (BETTER, False, True))  # the total; are all slices up, down
REASONS = 5  # for no difference, that notes have: a reason may have the numbers of its slice


class SlicingRows(NamedTuple):
    """The rows of one metric and one candidate by slice of one `by`.

    pair: the name of the pair in the title, where there are several
    """

    metric: str
    score: str
    against: str
    by: tuple[str, ...]
    rows: Sequence[ComparisonRow]
    pair: str = ""

    @property
    def title(self) -> str:
        of = f": {self.pair}" if self.pair else ""
        margin = next((row.margin for row in self.rows if row.margin is not None), None)
        within = "" if margin is None else f", margin {margin:g}"
        return f"{self.metric} by {', '.join(map(display.key, self.by))}{of}{within}"


def layouts(
    rows: Sequence[ComparisonRow],
    tests: Sequence[SliceTest],
    baseline: str,
    notes: Sequence[str],
    limit: int | None = None,
) -> list[TextTable]:
    """A table of the totals, one for each metric and `by`, and the notes below the last."""
    tables = [totals_table(rows, baseline)]
    tables += [slices_table(found, limit) for found in by_slicing(rows)]
    below = [*notes, *row_notes(rows), *slicing_notes(rows), *test_notes(tests)]
    return [*tables, TextTable(notes=below)]


def by_slicing(rows: Sequence[ComparisonRow]) -> list[SlicingRows]:
    """The rows of slices, by metric, candidate and `by`."""
    names = pair_names((row.score, row.against) for row in rows)
    found: dict[tuple[str, str, str, tuple[str, ...]], list[ComparisonRow]] = {}
    for row in rows:
        if row.slice:
            place = (row.metric, row.score, row.against, tuple(row.slice))
            found.setdefault(place, []).append(row)
    return [SlicingRows(*place, these, names[place[1:3]]) for place, these in found.items()]


def pairs(rows: Iterable[ComparisonRow]) -> list[tuple[str, str]]:
    """The candidate and the baseline of each pair that is compared."""
    return list(dict.fromkeys((row.score, row.against) for row in rows))


def pair_names(found: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What pairs are called: by the candidate, and the baseline if not all have the same.

    A pair that is the only one needs no name.
    """
    each = list(dict.fromkeys(found))
    if len(each) == 1:
        return {each[0]: ""}
    if len({against for _, against in each}) == 1:
        return {(score, against): display.key(score) for score, against in each}
    return {pair: " against ".join(map(display.key, pair)) for pair in each}


def totals_table(rows: Sequence[ComparisonRow], baseline: str) -> TextTable:
    """One line for each metric and pair; p of several pairs are corrected (Holm)."""
    rows = [row for row in rows if not row.slice]
    found = pairs(rows)
    several, mixed = len(found) > 1, len({against for _, against in found}) > 1
    names = ("baseline", "candidate") if several else (baseline, *(score for score, _ in found))
    values = names if mixed else (baseline, names[1])
    keys = ("metric", *(("score",) if several else ()), *(("against",) if mixed else ()))
    corrected = ("Holm p",) if several else ()
    margins = any(row.margin is not None for row in rows)
    more = (*corrected, *(("margin",) if margins else ()))
    columns = [
        *Column.keys(*keys),
        *Column.numbers(*map(display.key, values), "difference", "p", *more),
        *Column.texts("outcome"),
    ]
    lines = [
        [
            Cell(display.key(row.metric)),
            *(Cell(display.key(name)) for name in (row.score, row.against)[: len(keys) - 1]),
            *_numbers(row),
            Cell(_p(row.p)),
            *(Cell(_p(row.holm)) for _ in corrected),
            *([Cell(_margin(row))] if margins else []),
            Cell(row.outcome or display.DASH),
        ]
        for row in rows
    ]
    return TextTable(columns, [lines])


def found_and_rest(
    rows: Iterable[ComparisonRow],
) -> tuple[list[ComparisonRow], list[ComparisonRow]]:
    """The slices with q ≤ 0.1, by what they add to the total, and the others as they are."""
    every = list(rows)
    found = [row for row in every if row.q is not None and row.q <= FOUND]
    found.sort(key=lambda row: -abs((row.share or 0) * (row.difference or 0)))
    return found, [row for row in every if row.q is None or row.q > FOUND]


def slices_table(slicing: SlicingRows, limit: int | None = None) -> TextTable:
    """One line for each slice: first those with q ≤ 0.1, by what they add to the total."""
    found, rest = found_and_rest(slicing.rows)
    by, hidden = slicing.by, 0
    if limit is not None and len(found) + len(rest) > limit:
        hidden = len(found) + len(rest) - limit
        found, rest = found[:limit], rest[: max(limit - len(found), 0)]
    values = (display.key(slicing.against), display.key(slicing.score))
    columns = [
        *Column.keys(*map(display.key, by)),
        *Column.numbers("rows", "share", *values, "difference", "p", "q"),
        *Column.texts("outcome"),
    ]
    blocks = [[_slice_line(row, by) for row in block] for block in (found, rest) if block]
    return TextTable(columns, blocks, hidden=hidden, title=slicing.title)


def _slice_line(row: ComparisonRow, by: Sequence[str]) -> list[Cell]:
    return [
        *(Cell(display.key(row.slice[name])) for name in by),
        Cell(f"{row.n:,}"),
        Cell(display.DASH if row.share is None else display.percent(row.share, 1)),
        *_numbers(row),
        Cell(_p(row.p)),
        Cell(_p(row.q)),
        Cell(row.outcome or display.DASH),
    ]


def _numbers(row: ComparisonRow) -> list[Cell]:
    """Both values and the difference, with as many decimals as the interval has."""
    decimals = _decimals(row)
    values = [
        Cell(
            display.DASH if v is None else display.with_minus(display.rounded(v, decimals)),
            "" if v is None else repr(v),
        )
        for v in (row.baseline, row.candidate)
    ]
    if row.difference is None:
        return [*values, Cell(display.DASH, row.why or "")]
    text = difference_text(row)
    if row.low is not None and row.high is not None and (row.low or row.high):
        low, high = (display.signed(end, decimals) for end in (row.low, row.high))
        text += f" [{low}, {high}]"
    return [*values, Cell(text, repr(row.difference))]


def difference_text(row: ComparisonRow) -> str:
    """The difference with its sign, and as many decimals as its interval has."""
    if row.difference is None:
        return display.DASH
    if row.low == row.high == 0:
        return "0"
    return display.signed(row.difference, _decimals(row))


def _decimals(row: ComparisonRow) -> int:
    if row.low is None or row.high is None:
        return display.DIGITS
    if row.low == row.high == 0:  # the same values whichever clusters are drawn
        return SAME_DIGITS
    return display.decimals((row.high - row.low) / 2)


def _p(value: float | None) -> str:
    """A probability with two digits.

    >>> _p(0.04321), _p(1e-20), _p(1.0), _p(None), _p(0.0)
    ('0.043', '1e-20', '1', '–', '< 1e-300')
    """
    if value == 0:  # never 0: float64 ends at 5e-324
        return "< 1e-300"
    return display.DASH if value is None else f"{value:.2g}"


def _margin(row: ComparisonRow) -> str:
    return display.DASH if row.margin is None else f"{row.margin:g}"


# --- groups --------------------------------------------------------------------------------------
def worst_groups(tables: Iterable[GroupDifferences], count: int | None) -> list[TextTable]:
    """A table for each metric: the groups with the largest losses of each pair.

    count: how many of each pair; None: all groups, from the largest loss to the largest gain
    """
    found: dict[str, list[GroupDifferences]] = {}
    for table in tables:
        found.setdefault(table.metric, []).append(table)
    return [_worst_of(metric, those, count) for metric, those in found.items()]


def _worst_of(metric: str, tables: Sequence[GroupDifferences], count: int | None) -> TextTable:
    """The groups of one metric: a block for each pair; several pairs are named in each line."""
    keys, named = tables[0].key_names, len(tables) > 1
    names = pair_names((table.score, table.against) for table in tables)
    values = ("baseline", "candidate")
    if not named:
        values = (display.key(tables[0].against), display.key(tables[0].score))
    blocks, said = [], []
    for table in tables:
        shown = table.ordered() if count is None else table.worst(count)
        pair = [Cell(display.key(name)) for name in (table.score, table.against)] if named else []
        blocks.append([[*pair, *_group_line(line, keys)] for line in shown])
        said.append(_losses(table, names[table.score, table.against]))
    notes = (f"{display.key(metric)}: {'; '.join(said)}",)
    if not any(blocks):
        return TextTable(notes=notes)
    names_of_lines = (*(("score", "against") if named else ()), *map(display.key, keys))
    what = "largest losses" if count is not None else "all groups, the largest loss first"
    return TextTable(
        [*Column.keys(*names_of_lines), *Column.numbers(*values, "difference")],
        [block for block in blocks if block],
        notes,
        title=f"{display.key(metric)} by {', '.join(map(display.key, keys))}: {what}",
    )


def _group_line(line: Mapping[str, Any], keys: Sequence[str]) -> list[Cell]:
    numbers = [line[name] for name in ("baseline", "candidate", "difference")]
    texts = [display.number(number) for number in numbers[:2]]
    return [
        *(Cell(display.key(line[name])) for name in keys),
        *(Cell(text, repr(v)) for text, v in zip(texts, numbers[:2], strict=True)),
        Cell(display.signed(numbers[2], display.DIGITS), repr(numbers[2])),
    ]


def _losses(table: GroupDifferences, pair: str) -> str:
    """How many groups lose, gain, and have no difference."""
    amounts = [amount for amount in table["difference"] if amount is not None]
    worse, better = sum(a < 0 for a in amounts), sum(a > 0 for a in amounts)
    left = len(table) - len(amounts)
    told = f"{worse:,} of {len(table):,} groups lose, {better:,} gain"
    told += f", {left:,} without a difference" if left else ""
    return f"{pair}: {told}" if pair else told


# --- notes ---------------------------------------------------------------------------------------
def heading(conventions: Conventions) -> str:
    """How to read the numbers."""
    share = f"{100 * (conventions.confidence or 0):g} %"
    cluster = conventions.cluster
    by = "of independent rows" if cluster == "row" else f"by {display.key(cluster)}"
    slices = "; those of slices are not corrected for their number, q is" if conventions.by else ""
    return f"+ is better; {share} intervals {by}{slices}"


def row_notes(rows: Sequence[ComparisonRow]) -> Iterator[str]:
    """What the data could have shown, differences without an interval, and few clusters."""
    totals = [row for row in rows if not row.slice]
    if (count := len(pairs(totals))) > 1:
        yield (
            f"Holm p is p corrected for the {count} pairs of each metric; intervals and outcomes "
            "are of each pair alone"
        )
    for row in totals:
        said = [each for each in (_distance(row), *_left_open(row)) if each]
        if said:
            yield f"{_named(row, totals)}: {'; '.join(said)}"
    missing: dict[str, list[str]] = {}
    for row in rows:
        if row.why is not None:
            missing.setdefault(row.why, []).append(_named(row, totals))
    reasons = list(missing.items())
    for why, names in reasons[:REASONS]:
        yield f"{display.DASH} {why}: {_listed(unique(names))}"
    if reasons[REASONS:]:
        others = unique(name for _, names in reasons[REASONS:] for name in names)
        yield f"{display.DASH} other reasons, which JSON and CSV have: {_listed(others)}"
    for row in rows:
        constant = row.low is not None and row.low == row.high and row.difference
        if row.p is None and constant and "replicates" not in row.details:
            yield f"{_named(row, totals)}: differs on every resample, so that there is no p"
    resampled = [row for row in rows if "replicates" in row.details]
    if resampled:
        which = _listed(unique(_named(row, totals) for row in resampled if not row.slice))
        yield f"intervals of bootstrap replicates, without p: {which}"
    few = [row for row in rows if 0 < row.details.get("freedom", FEW_FREEDOM) < FEW_FREEDOM]
    if few:
        which = _listed(unique(_named(row, totals) for row in few))
        yield f"fewer than {FEW_FREEDOM} degrees of freedom, so intervals are rough: {which}"
    large = [row for row in rows if row.details.get("largest_cluster", 0) > LARGE_SHARE]
    if large:
        which = _listed(unique(_named(row, totals) for row in large))
        yield f"one cluster has more than a tenth of the variance: {which}"


def _distance(row: ComparisonRow) -> str:
    """How much nearer to its target, or farther from it, a value is shown to be."""
    target, difference = row.details.get("target"), row.difference
    if target is None or difference is None or row.outcome not in (BETTER, WORSE):
        return ""
    assert row.low is not None
    assert row.high is not None
    ends = sorted((abs(row.low), abs(row.high)))
    sizes = [display.rounded(each, _decimals(row)) for each in (abs(difference), *ends)]
    how = "nearer to" if difference > 0 else "farther from"
    unit = ", in logarithms" if row.details.get("logarithms") else ""
    return f"{how} {target:g} by {sizes[0]} ({sizes[1]} to {sizes[2]}{unit})"


def _left_open(row: ComparisonRow) -> Iterator[str]:
    """What is not shown, and what the data could have shown."""
    if row.low is None or row.high is None:
        return
    least = f"{row.details.get('detectable', 0):.2g}"
    if row.outcome == NO_DIFFERENCE and row.low < row.high:
        worse, better = (display.rounded(abs(end), _decimals(row)) for end in (row.low, row.high))
        yield f"no difference seen: it may be worse by {worse} or better by {better}"
    elif said := remark(row.outcome, row.high, row.margin):
        yield said
    if row.outcome in (NO_DIFFERENCE, CANNOT_TELL) and row.details.get("detectable", 0) > 0:
        yield (
            f"a difference of {least} would be seen with a probability of 80 %, and one of d takes "
            f"({least}/d)² times the clusters"
        )


def slicing_notes(rows: Sequence[ComparisonRow]) -> Iterator[str]:
    """Totals that moved against all of their slices (Simpson's paradox)."""
    totals = {(row.metric, row.score, row.against): row for row in rows if not row.slice}
    for slicing in by_slicing(rows):
        total = totals[slicing.metric, slicing.score, slicing.against]
        differences = [row.difference for row in slicing.rows if row.difference is not None]
        up, down = (all(sign * each > 0 for each in differences) for sign in (1, -1))
        if len(differences) < 2 or (total.outcome, up, down) not in AGAINST_SLICES:
            continue
        by, where = ", ".join(map(display.key, slicing.by)), "above" if up else "below"
        yield (
            f"{_named(total, list(totals.values()))}: {total.outcome} in total, though the "
            f"difference is {where} 0 in every slice of {by} (Simpson's paradox)"
        )


def test_notes(tests: Iterable[SliceTest]) -> Iterator[str]:
    tests = list(tests)
    names = pair_names((test.score, test.against) for test in tests)
    for test in tests:
        by = ", ".join(map(display.key, test.by))
        pair = names[test.score, test.against]
        of = f" of {pair}" if pair else ""
        head = f"do slices of {by} differ in the change of {test.metric}{of}?"
        if test.p is None or test.statistic is None:
            yield f"{head} no test: {test.why}"
        else:
            degrees = "degree" if test.freedom == 1 else "degrees"
            how = f"χ² = {test.statistic:.4g} with {test.freedom} {degrees} of freedom"
            equals = "" if test.p == 0 else "= "
            yield f"{head} p {equals}{_p(test.p)} ({how}, {test.slices} slices)"


def _named(row: ComparisonRow, totals: Sequence[ComparisonRow]) -> str:
    pair = pair_names((each.score, each.against) for each in totals)[row.score, row.against]
    name = f"{row.metric} of {pair}" if pair else row.metric
    keys = next(iter(display.slice_names(row.slice, [tuple(row.slice.values())])))
    return f"{name} in {keys}" if row.slice else name


def _listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more:,} more" if more > 0 else "")
