"""How a diagnosis writes numbers and slices."""

import math
from collections.abc import Sequence

from steelyard.diagnosis.causes.decide import Findings
from steelyard.diagnosis.causes.search import FoundSlice
from steelyard.diagnosis.models.effects import Estimate
from steelyard.diagnosis.two_logs.two_logs import Dimension, TwoLogs
from steelyard.model import Key
from steelyard.report import display

NAMES = {
    "auc": "AUC",
    "gauc": "GAUC",
    "copc": "COPC",
    "ctr": "CTR",
    "logloss": "logloss",
    "ne": "NE",
}


def name(spec: str) -> str:
    """A metric as pages write it.

    >>> name("logloss"), name("ndcg(gain=exp2)@10")
    ('logloss', 'NDCG(gain=exp2)@10')
    """
    return NAMES.get(spec) or spec.replace("ndcg", "NDCG", 1)


def value(metric: str, number: float | None) -> str:
    """A value of a metric: CTR as a percentage, others with four decimals."""
    if number is None or number != number:
        return display.DASH
    return percent(number) if metric == "ctr" else f"{number:.4f}"


def signed(metric: str, number: float) -> str:
    """A change with its sign; the minus is as wide as the plus."""
    if number != number:
        return display.DASH
    scale, unit = (100.0, " points") if metric == "ctr" else (1.0, "")
    text = f"{abs(number) * scale:.{3 if scale > 1 else 4}f}"
    sign = "" if float(text) == 0 else "−" if number < 0 else "+"
    return f"{sign}{text}{unit}"


def percent(share: float) -> str:
    """A share, with about three digits.

    >>> percent(0.0213), percent(0.5), percent(1.0), percent(0.00012)
    ('2.13 %', '50.0 %', '100 %', '0.0120 %')
    """
    if share != share:
        return display.DASH
    number = 100.0 * share
    if abs(number) < 1e-6 or abs(number) >= 99.95:
        return f"{number:.0f} %".replace("-0 ", "0 ").replace("-", "−")
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:.{digits}f} %".replace("-", "−")


def interval(metric: str, found: Estimate, confidence: float) -> str:
    """The interval of a change, in brackets; nothing where there is none."""
    half = found.half(confidence)
    if half != half or found.value != found.value:
        return ""
    ends = (signed(metric, found.value + sign * half) for sign in (-1, 1))
    low, high = (end.removesuffix(" points") for end in ends)
    return f" [{low}, {high}]"


def change(metric: str, found: Estimate, confidence: float, *, tested: bool) -> str:
    """A change and its interval."""
    known = interval(metric, found, confidence) if tested else ""
    return signed(metric, found.value) + known


def change_of(findings: Findings, found: Estimate, metric: str = "") -> str:
    """A change, with its interval where there are clusters; metric: another than the diagnosed."""
    known = metric or findings.metric
    return change(known, found, findings.confidence, tested=findings.tested)


def key(found: Key) -> str:
    return "(missing)" if found is None else display.key(found)


def slice_name(two: TwoLogs, found: FoundSlice) -> str:
    """A slice as it is written: `country = DE and device = mobile`."""
    named = ((two.dimensions[d], code) for d, code in found.values)
    return " and ".join(f"{each.name} = {key(each.keys[code])}" for each, code in named)


def slices_name(two: TwoLogs, found: Sequence[FoundSlice]) -> str:
    return " or ".join(slice_name(two, each) for each in found)


def condition(two: TwoLogs, found: Sequence[FoundSlice]) -> str:
    """An SQL condition that the rows of slices satisfy."""
    texts = []
    for each in found:
        named = ((two.dimensions[d], code) for d, code in each.values)
        texts.append(" AND ".join(_equals(dim, dim.keys[code]) for dim, code in named))
    return texts[0] if len(texts) == 1 else " OR ".join(f"({text})" for text in texts)


def _equals(dimension: Dimension, found: Key) -> str:
    column = dimension.text
    if column == dimension.name and not column.isidentifier():
        column = '"' + column.replace('"', '""') + '"'
    if found is None:
        return f"{column} IS NULL"
    text = found.replace("'", "''") if isinstance(found, str) else found
    return f"{column} = '{text}'" if isinstance(found, str) else f"{column} = {text}"


def count(number: float) -> str:
    return f"{number:,.0f}".replace("-", "−")
