"""Numbers and names as people read them."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from operator import add

from steelyard.model import Key, Row

DIGITS = 6
DASH = "–"
DETAIL_LABELS = {"p_value": "p", "null_level": "by chance alone", "intercept": "intercept"}
COUNT_LABELS = {
    "skipped": "left out for a truth of 0",
    "fields_without_positives": "of the field's values left out for want of positives",
}
CLASS_LABELS = {"never_true": "never true:", "never_predicted": "never predicted:"}
EXPONENT_FROM = 10**15  # from here on a number's digits say less than its size


def cell(row: Row) -> str:
    """A row's value and its bounds, if any, or a dash where there is none."""
    return DASH if row.value is None else f"{number(row.value)} {bounds(row)}".rstrip()


def bounds(row: Row) -> str:
    """The interval that surely holds the exact value; what is shown is never narrower."""
    if row.low is None or row.high is None:
        return ""
    low, high = number(row.low), number(row.high)
    low = low if _read(low) <= row.low else repr(row.low)
    high = high if _read(high) >= row.high else repr(row.high)
    return f"[{low}, {high}]"


def number(value: float) -> str:
    """Six decimals where that is enough; a value that is not 0 or 1 is never shown as one.

    >>> number(0.75), number(1 - 1e-9), number(1 + 1e-9), number(-0.0)
    ('0.750000', '0.999999', '1.000000001', '0.000000')
    >>> number(0.0001234567), number(1e-9), number(-123456.789), number(1.5e20)
    ('0.0001235', '1e-09', '-123,456.79', '1.5e+20')
    """
    if value < 0:
        return f"-{number(-value)}"
    if 0 < value < 0.001:
        return f"{value:.4g}"
    if value >= 1000:
        return f"{value:,.2f}" if value < EXPONENT_FROM else f"{value:.{DIGITS}g}"
    shown = f"{abs(value):.{DIGITS}f}"
    if float(shown) == 1 and value != 1:
        return "0." + "9" * DIGITS if value < 1 else repr(value)
    return shown


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


def rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def details_text(row: Row) -> str:
    """What a mean over groups or classes is of, and what else there is to say of a number."""
    said = [*_groups_used(row), *_classes_used(row)]
    if "weights" in row.details:
        said.append("weights unused")
    for name, words in DETAIL_LABELS.items():
        if row.details.get(name) is not None:
            said.append(f"{words} {number(row.details[name])}")
    for name, words in COUNT_LABELS.items():
        if row.details.get(name):
            said.append(f"{row.details[name]:,} {words}")
    return ", ".join(said)


def _classes_used(row: Row) -> list[str]:
    """How many of how many classes, or pairs, and those that only one side knows."""
    said = []
    for what in ("classes", "pairs"):
        part, all_ = row.details.get(f"{what}_used"), row.details.get(what)
        if part is not None and part != all_:
            said.append(f"{part:,} of {all_:,} {what}")
    for name, words in CLASS_LABELS.items():
        found = row.details.get(name)
        if found:
            first = ", ".join(map(key, found["first"]))
            more = ", ..." if found["classes"] > len(found["first"]) else ""
            said.append(f"{words} {first}{more}")
    return said


def _groups_used(row: Row) -> list[str]:
    """How many of how many, and their rows; one number where nothing was left out."""
    if "groups" not in row.details:
        return []
    groups, part = row.details["groups"], row.details["groups_used"]
    counted = f"{groups:,} group" if groups == 1 else f"{groups:,} groups"
    if part < groups:
        return [f"{part:,} of {counted}", f"{row.details['rows_used']:,} of {rows(row.n)}"]
    return [f"all {counted}" if groups > 1 else counted] if groups else []


def key(name: Key) -> str:
    """What a slice is called, on one line: a word that could be taken for something else is quoted.

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


def slice_name(slice_: Mapping[str, Key]) -> str:
    """A slice by its names and keys; the total has neither.

    >>> slice_name({"country": "DE", "hour": 3}), slice_name({})
    ('country=DE hour=3', 'total')
    """
    return " ".join(f"{key(name)}={key(value)}" for name, value in slice_.items()) or "total"


def slice_names(names: Iterable[str], keys: Iterable[Iterable[Key]]) -> Iterator[str]:
    """The same of many slices by the same names.

    >>> list(slice_names(["country", "hour"], [("DE", 3), (None, 4)])), list(slice_names([], [()]))
    (['country=DE hour=3', 'country=null hour=4'], ['total'])
    """
    heads = [f"{key(name)}=" for name in names]
    if len(heads) == 1:
        return (heads[0] + key(value) for (value,) in keys)
    return (" ".join(map(add, heads, map(key, slice_))) or "total" for slice_ in keys)


def _read(shown: str) -> float:
    return float(shown.replace(",", ""))
