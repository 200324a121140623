"""The columns of a table: their names, their names in SQL, and one type for several files."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from steelyard import errors
from steelyard.phrases import listing
from steelyard.sources.duck.files import partitions
from steelyard.sources.duck.selecting import (
    HUGE,
    NOTHING,
    WHOLE,
    exact_text,
    is_text,
    is_wide,
    rounded,
)
from steelyard.sources.duck.sql_text import identifier, quoted

WIDE = 1000  # of more columns DuckDB is told only those in use: it takes 20 s for 50,000
SIZES = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
AsText = Callable[[Sequence[str]], str]  # from the names of columns to SQL


@dataclass(frozen=True)
class SqlColumn:
    """A column: its name, its name in SQL and its type.

    text: whether it is text without types
    exact: the name in SQL of its values as text, where float64 does not hold all of them
    """

    name: str
    sql: str
    type: str
    text: bool = False
    exact: str = ""


@dataclass(frozen=True)
class UniformFiles:
    """Files with the same columns, and the SQL that reads them.

    keys: the keys in the names of their folders, which are the last columns
    file: the SQL of the path of each row's file; it is none of the columns
    as_text: for JSON, the SQL that reads some columns as the files spell them
    """

    paths: tuple[str, ...]
    sql: str
    columns: tuple[SqlColumn, ...]
    keys: tuple[str, ...] = ()
    file: str = ""
    as_text: AsText | None = None

    def names(self) -> Counter[str]:
        return Counter(column.name for column in self.columns)


@dataclass(frozen=True)
class Relation:
    """The SQL to select from, and its columns; `faults` has the errors of unreadable columns.

    parts: what it selects from, unless the SQL reads one part as it is
    file: the SQL of the path of each row's file, if it has one
    inferred: of each part of JSON, its columns that DuckDB reads as float64, and their text
    """

    sql: str
    columns: tuple[SqlColumn, ...]
    faults: Mapping[str, errors.SteelyardError] = field(default_factory=dict)
    parts: Sequence[UniformFiles] = ()
    file: str = ""
    inferred: Sequence[tuple[Sequence[str], AsText]] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def unique(self) -> list[str]:
        """The names that are unique in SQL: `A` and `a` are equal to DuckDB, so both are left out.

        So is the empty name, which pandas writes for the index: SQL has no such name.
        """
        counts = Counter(name.lower() for name in self.names)
        return [name for name in self.names if name and counts[name.lower()] == 1]

    def narrowed(self, names: Container[str]) -> "Relation":
        """The relation with the columns of these names, in lower case; at least one column."""
        if not self.parts or len(self.columns) <= WIDE:
            return self
        kept = [column for column in self.columns if column.name.lower() in names]
        kept = kept or [self.columns[0]]
        return replace(self, sql=_union(self.parts, kept, kept, self.file), columns=tuple(kept))

    def column(self, name: str) -> SqlColumn | None:
        """The one column of exactly that name; None if there is none."""
        if name in self.faults:
            raise self.faults[name]
        return next((column for column in self.columns if column.name == name), None)

    def missing(self, name: str) -> errors.SteelyardError:
        """The error for a column that does not exist, or not exactly once."""
        if name in self.faults:
            return self.faults[name]
        alike = [known for known in self.names if known.lower() == name.lower()]
        if name in alike and len(alike) > 1:
            return errors.NAMES_DIFFER_IN_CASE(name=name, listed=" and ".join(map(repr, alike)))
        return errors.no_column(name, self.names)


def union(parts: Sequence[UniformFiles]) -> Relation:
    """The rows of all parts in order, with the columns that all parts have, each of one type."""
    first = parts[0].columns
    unique = len({column.name.lower() for column in first}) == len(first)
    if len(parts) == 1 and unique and not any(column.text for column in first):
        return Relation(parts[0].sql, first, file=parts[0].file, inferred=_inferred(parts))
    columns, faults = _shared(parts)
    renamed = _renamed(columns)
    file = identifier(file_name(column.name for column in columns))
    file = file if all(part.file for part in parts) else ""
    sql, inferred = _union(parts, columns, renamed, file), _inferred(parts)
    return Relation(sql, tuple(renamed), faults, parts, file, inferred)


def _inferred(parts: Sequence[UniformFiles]) -> list[tuple[list[str], AsText]]:
    """The columns of JSON whose type DuckDB chose to be float64: one value may be a fraction."""
    return [
        ([c.name for c in part.columns if c.type == "DOUBLE"], part.as_text)
        for part in parts
        if part.as_text is not None
    ]


def _union(
    parts: Sequence[UniformFiles],
    columns: Sequence[SqlColumn],
    renamed: Sequence[SqlColumn],
    file: str,
) -> str:
    return f"({' UNION ALL '.join(_select(part, columns, renamed, file) for part in parts)})"


def file_name(names: Iterable[str]) -> str:
    """A name for the column of paths that differs from all names of the user."""
    known, name = {each.lower() for each in names}, "sy_file"
    while name in known:
        name += "_"
    return name


def _renamed(columns: Sequence[SqlColumn]) -> list[SqlColumn]:
    """The columns with SQL names sy0, sy1, … that differ from all names of the user."""
    names, mark, count = {column.name.lower() for column in columns}, "", len(columns)
    while any(f"sy{i}{mark}" in names for i in range(2 * count)):
        mark += "_"
    return [
        replace(column, sql=f"sy{i}{mark}", exact=column.exact and f"sy{count + i}{mark}")
        for i, column in enumerate(columns)
    ]


def _shared(
    parts: Sequence[UniformFiles],
) -> tuple[list[SqlColumn], dict[str, errors.SteelyardError]]:
    columns: list[SqlColumn] = []
    faults = {name: error for part in parts for name, error in _repeated(part).items()}
    if len(parts) == 1:
        return list(parts[0].columns), faults
    counts = [part.names() for part in parts]
    for name in dict.fromkeys(column.name for part in parts for column in part.columns):
        fault = faults.get(name) or _absent(name, parts, counts)
        found = [column for part in parts for column in part.columns if column.name == name]
        types = [column.type for column in found]
        type_ = common(types)
        if fault is None and type_ is not None:
            exact = "wanted" if type_ == "DOUBLE" and any(map(is_wide, types)) else ""
            text = all(column.text for column in found)
            columns.append(SqlColumn(name, "", type_, text, exact))
        else:
            faults[name] = fault or _unlike(name, parts)
    return columns, faults


def _repeated(part: UniformFiles) -> dict[str, errors.SteelyardError]:
    """The errors of names that two columns have, or a column and a key, which hides it."""
    own = [column.name for column in part.columns[: len(part.columns) - len(part.keys)]]
    path = part.paths[0] if part.paths else ""
    twice = [name for name, count in Counter(own).items() if count > 1]
    faults = {name: errors.column_twice(name, own, path) for name in twice}
    for key in part.keys:
        folder = f"{key}={partitions(path)[key]}"
        for name in (name for name in own if name.lower() == key.lower()):
            error = errors.KEY_REPEATS_COLUMN(name=name, path=path, folder=folder)
            faults |= {name: error, key: error}
    return faults


def _absent(
    name: str, parts: Sequence[UniformFiles], counts: Sequence[Counter[str]]
) -> errors.SteelyardError | None:
    """The error for a column that a part does not have; None if all have it."""
    for part, count in zip(parts, counts, strict=True):
        if not count[name]:
            listed = listing([column.name for column in part.columns])
            other = next(p for p, c in zip(parts, counts, strict=True) if c[name])
            hint = f"{other.paths[0]!r} has it, but the columns of {part.paths[0]!r} are {listed}"
            return errors.NO_COLUMN(name=name, hint=hint)
    return None


def _unlike(name: str, parts: Sequence[UniformFiles]) -> errors.SteelyardError:
    types = [next(c.type for c in part.columns if c.name == name) for part in parts]
    other = next(i for i, type_ in enumerate(types) if common([types[0], type_]) is None)
    return errors.DIFFERENT_TYPES(
        name=name,
        type=types[0],
        path=parts[0].paths[0],
        other_type=types[other],
        other=parts[other].paths[0],
    )


def _select(
    part: UniformFiles, columns: Sequence[SqlColumn], renamed: Sequence[SqlColumn], file: str
) -> str:
    """The SELECT of a part's columns under the shared names and types."""
    own = part.columns
    if [column.name for column in own] != [column.name for column in columns]:
        by_name = {column.name: column for column in own}
        own = tuple(by_name[column.name] for column in columns)
    both = list(zip(own, renamed, strict=True))
    casts = [f"{_value(there, wanted)} AS {wanted.sql}" for there, wanted in both]
    casts += [
        f"{exact_text(there.sql, there.type)} AS {wanted.exact}"
        for there, wanted in both
        if wanted.exact
    ]
    casts += [f"{part.file} AS {file}"] if file else []
    return f"SELECT {', '.join(casts)} FROM {part.sql}"


def _value(there: SqlColumn, wanted: SqlColumn) -> str:
    """The values of a part's column in the shared type; none is rounded without a word."""
    cast = _cast(there, wanted.type)
    if not (wanted.exact and is_wide(there.type)):
        return cast
    why = f"{wanted.name} is {there.type} here and a float in other files, which do not hold its "
    refused = f"error({quoted(why)} || {there.sql})"
    return f"CASE WHEN {rounded(there.sql, cast)} THEN {refused} ELSE {cast} END"


def _cast(column: SqlColumn, type_: str) -> str:
    if column.type == type_:
        return column.sql
    value = f"nullif({column.sql}, '')" if column.text else column.sql
    return f"CAST({value} AS {type_})"


def common(types: Sequence[str]) -> str | None:
    """A type that holds the values of all the types exactly; None if there is none.

    >>> common(["FLOAT", "DOUBLE"]), common(["INTEGER", "FLOAT"]), common(["DATE", "VARCHAR"])
    ('DOUBLE', 'DOUBLE', None)
    """
    held = set(types) - {NOTHING}
    if len(held) <= 1:
        return held.pop() if held else NOTHING
    if held <= {"BOOLEAN"} | WHOLE | HUGE:
        return _integer(held - {"BOOLEAN"})
    if all(_is_number(type_) for type_ in held):
        return "DOUBLE"
    if all(is_text(type_) for type_ in held):
        return "VARCHAR" if "JSON" not in held else None
    return "TIMESTAMP" if held == {"DATE", "TIMESTAMP"} else None


def _integer(types: set[str]) -> str:
    if "UHUGEINT" in types or "BIGNUM" in types:
        return "DOUBLE"
    unsigned = [SIZES.index(type_[1:]) for type_ in types if type_.startswith("U")]
    signed = [SIZES.index(type_) for type_ in types if not type_.startswith("U")]
    if not signed:
        return "U" + SIZES[max(unsigned)]
    return SIZES[max([*signed, *(size + 1 for size in unsigned)])]


def _is_number(type_: str) -> bool:
    return type_ in WHOLE | HUGE | {"BOOLEAN", "FLOAT", "DOUBLE"} or type_.startswith("DECIMAL")


def scope(relation: Relation, types: Mapping[str, str]) -> str:
    """The FROM clause of expressions: columns by the user's names, text as its actual type."""
    if all(not c.text and c.sql == identifier(c.name) for c in relation.columns):
        return f"{relation.sql} AS source"
    names = set(relation.unique)
    seen = [
        f"{_cast(column, types.get(column.sql, column.type))} AS {identifier(column.name)}"
        for column in relation.columns
        if column.name in names
    ]
    raw = [sql for column in relation.columns for sql in (column.sql, column.exact) if sql]
    raw += [relation.file] if relation.file else []
    return f"(SELECT {', '.join([*raw, *seen])} FROM {relation.sql}) AS source"
