"""A table that DuckDB reads in blocks: the SQL and the type of each requested column."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.cached import cached_property
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn
from steelyard.sources.duck.arrow import Piece, concatenate
from steelyard.sources.duck.query import Batches, Queries
from steelyard.sources.duck.schema import Relation, scope
from steelyard.sources.duck.selecting import (
    NOTHING,
    WHOLE,
    Selected,
    as_text,
    inexact,
    is_text,
    number_in,
    select,
    select_exact,
    select_renamed,
)
from steelyard.sources.duck.sql_text import QueryError, identifier, reason, unknown_column

# In a syntax tree: expressions that name no column, and SQL that has no tree.
ANY_COLUMN = ('"class":"STAR"', '"class":"POSITIONAL_REFERENCE"', '{"error":true')
CONSTANTS = ("true", "false", "null")  # identifiers in Python, values in SQL
BLOCK = 1 << 20  # about the rows of a block: DuckDB's batches of 122,880 rows are merged

# Whether all texts of a column can be read as a type. DuckDB casts '1.5' to the integer 2, so that
# a test for digits comes first.
_WHOLE = (
    "count({{c}}) = count(CASE WHEN regexp_full_match({{c}}, '[+-]?[0-9]+') "
    "THEN TRY_CAST({{c}} AS {}) END)"
)
_TESTS = {
    "BIGINT": _WHOLE.format("BIGINT"),
    "HUGEINT": _WHOLE.format("HUGEINT"),
    "DOUBLE": f"count({{c}}) = count({number_in('{c}')})",
    "BOOLEAN": "count({c}) = count(CASE WHEN lower({c}) IN ('true', 'false') THEN 1 END)",
}


@dataclass
class DuckTable:
    """A source that DuckDB reads.

    types: the actual types of text columns, by SQL name, found when an expression needs them
    paths: the files, as the user wrote them, by their absolute paths
    check_unchanged: refuses files that have changed since the table was opened
    scan: the relation after a look at all bytes, which is taken before rows are read
    """

    name: str
    queries: Queries
    relation: Relation
    read_error: Callable[[str], errors.SteelyardError]
    count: Callable[[], int | None]
    types: dict[str, str] = field(default_factory=dict)
    on_close: Callable[[], None] = lambda: None
    paths: Mapping[str, str] = field(default_factory=dict)
    check_unchanged: Callable[[], None] = lambda: None
    scan: Callable[[], Relation] | None = None
    _exact: set[str] = field(default_factory=set)  # columns of JSON without a rounded number

    @property
    def columns(self) -> tuple[str, ...]:
        return self.relation.names

    @cached_property
    def rows(self) -> int | None:
        """About how many rows there are; None if that is not known before reading."""
        with self._reading():
            return self.count()

    def blocks(self, wanted: Sequence[ColumnRequest], where: str | None = None) -> Iterator[Block]:
        """The rows for which `where` holds; unreadable columns are refused before any is read."""
        with self._reading(wanted, where):
            self._scan()
            filtered = "" if where is None else f" WHERE {self._condition(where)}"
            selected = {each: self._selected(each, filtered) for each in wanted}
            named = [sql for each in selected.values() for sql in each.expressions] or ["1"]
            used = [each.text for each in wanted] + ([] if where is None else [where])
            return self._blocks(selected, self._query(named, filtered, self._narrowed(used)), where)

    def close(self) -> None:
        self.queries.close()
        self.on_close()

    def __enter__(self) -> "DuckTable":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def typed(self, sql: str) -> str:
        """The SELECT of the columns that SQL uses, with the user's names and the actual types."""
        with self._reading():
            self._scan()
            relation = self._narrowed([sql])
            self._find_types({name.lower() for name in relation.names})
        names = ", ".join(map(identifier, relation.unique))
        return f"SELECT {names} FROM {scope(relation, self.types)}"

    def _scan(self) -> None:
        if self.scan is not None:
            self.relation, self.scan = self.scan(), None

    def _blocks(
        self, selected: dict[ColumnRequest, Selected], query: str, where: str | None = None
    ) -> Iterator[Block]:
        def make(batches: Batches) -> Iterator[Block]:
            start = 0
            for rows, pieces in _merged(batches):
                yield Block(start, rows, _decoded(selected, pieces))
                start += rows

        stream = self.queries.stream(query, make)
        with self._reading(selected, where), closing(stream.__iter__()) as blocks:
            yield from blocks
            self.check_unchanged()

    def _query(self, expressions: Sequence[str], filtered: str, relation: Relation) -> str:
        """The SELECT of expressions under new names, since DuckDB takes `A` and `a` as equal."""
        named = ", ".join(f"{sql} AS c{i}" for i, sql in enumerate(expressions))
        return f"SELECT {named} FROM {scope(relation, self.types)}{filtered}"

    def _narrowed(self, texts: Sequence[str]) -> Relation:
        """The relation with the columns that columns and expressions use, if it is wide."""
        if self.relation.narrowed(()) is self.relation:
            return self.relation
        plain = {text.lower() for text in texts if self.relation.column(text)}
        others = [text for text in texts if not self.relation.column(text)]
        return self.relation.narrowed(plain.union(*map(self._mentioned, others)))

    def _selected(self, wanted: ColumnRequest, filtered: str) -> Selected:
        if wanted.kind == "file":
            if not (self.relation.file and self.paths):
                raise errors.NO_FILES(source=self.name)
            return select_renamed(self.relation.file, self.paths)
        known = self.relation.column(wanted.text)
        if known is not None and wanted.kind in ("key", "class", "group"):
            self._refuse_rounded({known.name.lower()})
            if known.exact:
                return select_exact(known.exact)
        sql, type_, text = self._resolved(wanted.text)
        if wanted.kind == "number" and not text and is_text(type_):
            self._refuse_text(wanted.text, as_text(sql, type_), filtered)
        return select(wanted.text, wanted.kind, sql, type_, text=text)

    def _resolved(self, text: str) -> tuple[str, str, bool]:
        """The SQL of a column or expression, its type, and whether it is text without types."""
        known = self.relation.column(text)
        if known is not None:  # DuckDB fails on columns of Polars' type Null
            return "NULL" if known.type == NOTHING else known.sql, known.type, known.text
        return f"(\n{text}\n)", self._type(text), False

    def _type(self, text: str) -> str:
        """The type of an expression, found by its own query so that an error names it."""
        if text.isidentifier() and text.lower() not in CONSTANTS:  # DuckDB takes `A` for `a`
            raise self.relation.missing(text)
        if not text.strip():
            raise errors.BAD_EXPRESSION(text=text, reason="it is empty")
        try:
            self.queries.check_expression(text)
            mentioned = set()
            if self.relation.inferred or any(column.text for column in self.relation.columns):
                mentioned = self._mentioned(text)
        except QueryError as error:
            raise self._bad_expression(text, str(error)) from error
        self._find_types(mentioned)  # reads rows: an error is not the expression's
        try:
            relation = self._narrowed([text])
            other = f", {relation.columns[0].sql}" if relation.columns else ""
            source = scope(relation, self.types)
            found = self.queries.describe(f"SELECT (\n{text}\n){other} FROM {source}")
        except QueryError as error:
            raise self._bad_expression(text, str(error)) from error
        if len(found) != 1 + bool(other):
            raise errors.BAD_EXPRESSION(text=text, reason="it is not one value per row")
        return found[0][1]

    def _bad_expression(self, text: str, message: str) -> errors.SteelyardError:
        unknown = unknown_column(message)
        if unknown is None and re.fullmatch(r"[\w ]+", text):
            unknown = next(iter(get_close_matches(text, self.columns, n=1)), None) and text
        if unknown is not None:
            return self.relation.missing(unknown)
        why = reason(message)
        if "GROUP BY clause" in message:
            why = "it is one value for many rows, but one value per row is expected"
        if why.startswith("syntax error"):
            why += self._quoting(text)
        return errors.BAD_EXPRESSION(text=text, reason=why)

    def _quoting(self, text: str) -> str:
        """The advice for a column whose name is a reserved word of SQL, such as group."""
        query = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
        reserved = {word for (word,) in self.queries.rows(query)}
        named = [word for word in re.findall(r"\w+", text) if word.lower() in reserved]
        found = next((word for word in named if word in self.columns), None)
        if found is None:
            return ""
        return f"; {found} is a reserved word of SQL: write {identifier(found)} for the column"

    def _condition(self, where: str) -> str:
        text = where if self.relation.column(where) is None else identifier(where)
        try:
            type_ = self._type(text)
        except errors.SourceError as error:
            if error.template is not errors.BAD_EXPRESSION:
                raise
            raise errors.BAD_CONDITION(**error.facts) from error
        if type_ not in {"BOOLEAN", NOTHING} | WHOLE:
            raise errors.NOT_A_CONDITION(text=where, type=type_)
        return f"(\n{text}\n)"

    def _find_types(self, names: set[str]) -> None:
        """Finds the actual types of text columns, from all rows rather than a sample."""
        self._refuse_rounded(names)
        text = [c for c in self.relation.columns if c.text and c.name.lower() in names]
        untested = [column for column in text if column.sql not in self.types]
        if not untested:
            return
        texts = [f"nullif({column.sql}, '')" for column in untested]
        tests = [test.format(c=text) for text in texts for test in _TESTS.values()]
        source = self.relation.narrowed(names).sql
        (answers,) = self.queries.rows(f"SELECT {', '.join(tests)} FROM {source}")
        step = len(_TESTS)
        for i, column in enumerate(untested):
            ladder = zip(_TESTS, answers[i * step : (i + 1) * step], strict=True)
            type_ = next((type_ for type_, fits in ladder if fits), "VARCHAR")
            if type_ == "DOUBLE":
                self._refuse_rounded_in({column.name: column.sql}, source)
            self.types[column.sql] = type_

    def _refuse_rounded(self, names: set[str]) -> None:
        """Refuses columns of JSON in which one fraction makes DuckDB round 64-bit keys.

        names: in lower case
        """
        for doubles, spelled in self.relation.inferred:
            listed = [name for name in doubles if name.lower() in names - self._exact]
            alone = len({name.lower() for name in listed}) < len(listed)  # not in one SELECT
            for wanted in [[name] for name in listed] if alone else [listed] if listed else []:
                self._refuse_rounded_in({n: identifier(n) for n in wanted}, spelled(wanted))
        self._exact |= names

    def _refuse_rounded_in(self, texts: Mapping[str, str], source: str) -> None:
        """The same for the texts of columns, as SQL by name."""
        bad = [(sql, inexact(sql)) for sql in texts.values()]
        facts = [f"count(*) FILTER ({why}), min({sql}) FILTER ({why})" for sql, why in bad]
        (found,) = self.queries.rows(f"SELECT {', '.join(facts)} FROM {source}")
        for name, count, value in zip(texts, found[::2], found[1::2], strict=True):
            if count:
                raise errors.ROUNDED_KEYS(name=name, count=count, value=value)

    def _mentioned(self, text: str) -> set[str]:
        """The columns that an expression may use, in lower case."""
        escaped = f"SELECT (\n{text}\n)".replace("'", "''")
        ((tree,),) = self.queries.rows(f"SELECT json_serialize_sql('{escaped}')")
        found = {name.lower() for name in _column_names(json.loads(tree))}
        if "source" in found or any(each in tree for each in ANY_COLUMN):
            found |= {name.lower() for name in self.columns}
        return found

    def _refuse_text(self, name: str, sql: str, filtered: str) -> None:
        """Raises the error for text in a column of numbers; it counts such rows."""
        invalid = select(name, "number", sql, "VARCHAR", text=True)
        wanted = ColumnRequest(name, "number")
        count, first = 0, (0, "")
        query = self._query(invalid.expressions, filtered, self.relation)
        for block in self._blocks({wanted: invalid}, query):
            found = block.columns[wanted].invalid
            if found is not None and not count:
                first = (block.start + int(found[0].argmax()), found[1])
            count += 0 if found is None else int(np.count_nonzero(found[0]))
        if not count:  # all are numbers, but the type of the column is text
            raise errors.BAD_TYPE(name=name, type="VARCHAR", position=0, wanted="numbers")
        raise errors.NOT_NUMBERS(name=name, count=count, position=first[0], value=first[1])

    @contextmanager
    def _reading(
        self, wanted: Iterable[ColumnRequest] = (), where: str | None = None
    ) -> Iterator[None]:
        """Turns an error of DuckDB into an error of one sentence.

        wanted, where: what is read, some of which may be SQL of the user and at fault
        """
        try:
            yield
        except QueryError as error:
            self.check_unchanged()
            texts = dict.fromkeys(each.text for each in wanted if each.kind != "file")
            written = [text for text in texts if self.relation.column(text) is None]
            failed = self._failed(written, where)
            raise failed or self.read_error(str(error)) from error

    def _failed(self, written: Sequence[str], where: str | None) -> errors.SteelyardError | None:
        """The error for SQL of the user that fails on columns that can be read."""
        condition = [] if where is None else [where]
        for text in [*condition, *written]:
            message = self._attempt(
                f"(\n{text}\n)", [text, *condition], None if text == where else where
            )
            if message is None:
                continue
            names = self._mentioned(text)
            read = [c for c in self.relation.columns if c.name.lower() in names]
            if any(self._attempt(column.sql, [column.name]) is not None for column in read):
                return None  # the columns are at fault
            template = errors.FAILED_CONDITION if text == where else errors.FAILED_EXPRESSION
            return template(text=text, source=self.name, reason=reason(message))
        return None

    def _attempt(self, sql: str, used: Sequence[str], where: str | None = None) -> str | None:
        """DuckDB's message, if SQL that uses some columns cannot be evaluated on all rows."""
        filtered = "" if where is None else f" WHERE (\n{where}\n)"
        try:
            source = scope(self._narrowed(used), self.types)
            self.queries.rows(f"SELECT count({sql}) FROM {source}{filtered}")
        except QueryError as error:
            return str(error)
        return None


def _decoded(
    selected: dict[ColumnRequest, Selected], pieces: list[Piece]
) -> dict[ColumnRequest, SourceColumn]:
    columns, place = {}, 0
    for wanted, how in selected.items():
        stop = place + len(how.expressions)
        columns[wanted] = how.decode(pieces[place:stop])
        place = stop
    return columns


def _merged(batches: Batches) -> Batches:
    """Batches merged into blocks of about BLOCK rows; at least one."""
    rows, made = 0, False
    waiting: list[list[Piece]] = []
    for count, pieces in batches:
        if count or not (made or waiting):
            waiting.append(pieces)
            rows += count
        if rows >= BLOCK:
            yield rows, [concatenate(column) for column in zip(*waiting, strict=True)]
            rows, waiting, made = 0, [], True
    if waiting:
        yield rows, [concatenate(column) for column in zip(*waiting, strict=True)]


def _column_names(tree: Any) -> Iterator[str]:
    """The column names in DuckDB's syntax tree of an expression."""
    if isinstance(tree, dict):
        yield from tree.get("column_names", ())
        for value in tree.values():
            yield from _column_names(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _column_names(value)
