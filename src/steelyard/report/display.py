"""Numbers and names as text for people."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from math import floor, isfinite, log10
from operator import add
from typing import Any

import numpy as np

from steelyard.metrics.influence import PLAIN
from steelyard.model import Key, Row
from steelyard.phrases import shortened

DIGITS = 6
MINUS = "−"
DASH = "–"
SMALLEST = "1e-323"
DETAIL_LABELS = {
    "p_value": "p",
    "null_level": "expected by chance",
    "intercept": "intercept",
    "cost": "cost",
}
ROWS_TAKEN_AS = "rows_taken_as"
COUNT_LABELS = {
    "skipped": "left out because the truth is 0",
    "fields_without_positives": "values of the field left out because they have no positives",
}
CLASS_LABELS = {"never_true": "never true:", "never_predicted": "never predicted:"}
EXPONENT_FROM = 10**15  # larger numbers have an exponent


def cell(row: Row) -> str:
    """The value of a row and its bounds, if any; a dash if it has no value.

    With an interval it has as many decimals as that.
    """
    if row.value is None:
        return DASH
    return f"{value_text(row)} {bounds(row)}".rstrip()


def value_text(row: Row) -> str:
    """The value of a row, which has one."""
    assert row.value is not None
    if row.low is None or row.high is None or "clusters" not in row.details:
        return number(row.value)
    return rounded(row.value, decimals(row.high / 2 - row.low / 2))


def bounds(row: Row) -> str:
    """The interval of a value, or the limits of an approximate one.

    Rounding never makes the limits narrower, since the exact value is proven to be within them.
    """
    if row.low is None or row.high is None:
        return ""
    if "clusters" in row.details:
        half = row.high / 2 - row.low / 2  # the width may be beyond float64
        places = decimals(half)
        if row.details.get("scale") == PLAIN:
            return f"± {rounded(half, places)}"
        return f"[{rounded(row.low, places)}, {rounded(row.high, places)}]"
    low, high = number(row.low), number(row.high)
    low = low if _read(low) <= row.low else repr(row.low)
    high = high if _read(high) >= row.high else repr(row.high)
    return f"[{low}, {high}]"


def number(value: float, digits: int = DIGITS) -> str:
    """Six decimals where that is enough; only 0 and 1 are shown as 0 and 1.

    >>> number(0.75), number(1 - 1e-9), number(1 + 1e-9), number(-0.0)
    ('0.750000', '0.999999', '1.000000001', '0.000000')
    >>> number(0.0001234567), number(1e-9), number(-123456.789), number(1.5e20)
    ('0.0001235', '1e-09', '-123,456.79', '1.5e+20')
    """
    if value < 0:
        return f"-{number(-value, digits)}"
    if 0 < value < 0.001:
        return f"{value:.{max(digits - 2, 1)}g}"
    if value >= 1000:
        return f"{value:,.2f}" if value < EXPONENT_FROM else f"{value:.{digits}g}"
    shown = f"{abs(value):.{digits}f}"
    if float(shown) == 1 and value != 1:
        return "0." + "9" * digits if value < 1 else repr(value)
    return shown


def decimals(half: float | None) -> int:
    """The decimals that show two digits of the half-width of an interval.

    >>> decimals(0.0123), decimals(0.9), decimals(340.0), decimals(1e-9), decimals(None)
    (3, 2, 0, 6, 6)
    """
    if not half or not isfinite(half):
        return DIGITS
    return min(max(1 - floor(log10(half)), 0), DIGITS)


def rounded(value: float, places: int) -> str:
    """A value with so many decimals; small and large ones as `number` writes them."""
    plain = not 0 < abs(value) < 10.0**-places and abs(value) < EXPONENT_FROM
    return f"{value:,.{places}f}" if plain else number(value)


def signed(value: float, places: int) -> str:
    """A difference with its sign.

    >>> signed(0.01234, 3), signed(-0.5, 2), signed(0.0, 2), signed(-3e-9, 6)
    ('+0.012', '−0.50', '0.00', '−3e-09')
    """
    if places == DIGITS and 0 < abs(value) < 10.0**-DIGITS:
        return with_minus(f"{value:+.2g}")
    text = f"{value:+,.{places}f}"
    return text[1:] if float(text.replace(",", "")) == 0 else with_minus(text)


def with_minus(text: str) -> str:
    """A number whose minus is as wide as the plus of others; an exponent keeps its own.

    >>> with_minus("-1e-09"), with_minus("+0.50")
    ('−1e-09', '+0.50')
    """
    return MINUS + text[1:] if text.startswith("-") else text


def amount(value: int | float) -> str:
    """A sum of weights or predictions.

    >>> amount(5712), amount(6470.75), amount(0.0012), amount(10**400)
    ('5,712', '6,470.75', '0.0012', '1.00000e+400')
    """
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < EXPONENT_FROM else f"{Decimal(value):.5e}"
    if 0 < abs(value) < 0.005:
        return f"{value:.3g}"
    return f"{value:,.2f}" if abs(value) < EXPONENT_FROM else f"{value:.{DIGITS}g}"


def percent(part: float, whole: float) -> str:
    """A share in per cent; only 0 and all are shown as 0 and 100.

    >>> percent(9812, 12000), percent(9999, 10000), percent(1, 10**6), percent(7, 7), percent(0, 0)
    ('81.8 %', '99.9 %', '< 0.1 %', '100 %', '–')
    """
    if not whole:
        return DASH
    share = 100 * part / whole
    if share in (0, 100):
        return f"{share:.0f} %"
    return "< 0.1 %" if share < 0.05 else f"{min(share, 99.9):.1f} %"


def rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def selection_note(selection: Mapping[str, Any]) -> str:
    """How many slices a result shows, and how they were selected."""
    if not selection:
        return ""
    shown, slices = selection["slices_shown"], selection["slices"]
    order = f"sorted by {selection['sort']}" if selection.get("sort") is not None else ""
    if shown == slices:
        return order and f"slices are {order}"
    least, top = selection.get("min_rows"), selection.get("top")
    how = [order] if order else []
    how += [] if least is None else [f"each of {rows(least)} or more"]
    how += [] if top is None else [f"the first {top:,}"]
    return f"{shown:,} of {slices:,} slices are shown ({', '.join(how)})"


def threshold(value: float, score_type: str | None = None) -> str:
    """A threshold with the digits that a score of its type needs, so that it can be used.

    >>> threshold(0.027000000700354576), threshold(0.027000000700354576, "float32")
    ('0.027000000700354576', '0.027')
    """
    return str(np.float32(value)) if score_type == "float32" else repr(value)


def details_text(row: Row, score_type: str | None = None) -> str:
    """The details of a row: the groups or classes of a mean, p-values, what was left out."""
    texts = [*_groups_used(row), *_classes_used(row)]
    if "weights" in row.details:
        texts.append("weights unused")
    if "threshold" in row.details:
        texts.append(f"at threshold {threshold(row.details['threshold'], score_type)}")
    for name, label in DETAIL_LABELS.items():
        value = row.details.get(name)
        if value == 0 and name == "p_value":  # never 0: float64 ends at 5e-324
            texts.append(f"{label} < {SMALLEST}")
        elif value is not None:
            texts.append(f"{label} {number(value)}")
    if ROWS_TAKEN_AS in row.details:
        texts.append(f"rows taken as {row.details[ROWS_TAKEN_AS]}")
    for name, label in COUNT_LABELS.items():
        if row.details.get(name):
            texts.append(f"{row.details[name]:,} {label}")
    return ", ".join(texts)


def _classes_used(row: Row) -> list[str]:
    """How many classes or pairs were used, and classes that only labels or predictions have."""
    texts = []
    for what in ("classes", "pairs"):
        part, all_ = row.details.get(f"{what}_used"), row.details.get(what)
        if part is not None and part != all_:
            texts.append(f"{part:,} of {all_:,} {what}")
    for name, label in CLASS_LABELS.items():
        found = row.details.get(name)
        if found:
            first = ", ".join(shortened(key(name), 60) for name in found["first"])
            more = ", ..." if found["classes"] > len(found["first"]) else ""
            texts.append(f"{label} {first}{more}")
    return texts


def _groups_used(row: Row) -> list[str]:
    """How many groups and rows were used; one number if none was left out."""
    if "groups" not in row.details:
        return []
    groups, part = row.details["groups"], row.details["groups_used"]
    counted = f"{groups:,} group" if groups == 1 else f"{groups:,} groups"
    if part < groups:
        return [f"{part:,} of {counted}", f"{row.details['rows_used']:,} of {rows(row.n)}"]
    return [f"all {counted}" if groups > 1 else counted] if groups else []


def key(name: Key) -> str:
    """A key on one line; text that looks like something else is quoted.

    >>> key("DE"), key(None), key("null"), key(""), key(7), key(True), key("a\\tb")
    ('DE', 'null', '"null"', '""', '7', 'true', 'a\\\\tb')
    """
    if name is None:
        return "null"
    if isinstance(name, bool):
        return "true" if name else "false"
    if not isinstance(name, str):
        return repr(name)
    shown = name
    if not name.isprintable():
        shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)
    return f'"{shown}"' if name in ("", "null") or name != name.strip() else shown


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def slice_names(names: Iterable[str], keys: Iterable[Iterable[Key]]) -> Iterator[str]:
    """Each slice by its columns and keys; the total has neither.

    >>> list(slice_names(["country", "hour"], [("DE", 3), (None, 4)])), list(slice_names([], [()]))
    (['country=DE hour=3', 'country=null hour=4'], ['total'])
    """
    heads = [f"{key(name)}=" for name in names]
    if len(heads) == 1:
        return (heads[0] + key(value) for (value,) in keys)
    return (" ".join(map(add, heads, map(key, slice_))) or "total" for slice_ in keys)


def _read(shown: str) -> float:
    return float(shown.replace(",", ""))
