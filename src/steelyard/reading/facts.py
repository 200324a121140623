"""What a reader saw, as far as only all rows together can be judged by it.

A reader has the facts of its own rows. Where rows are read in partitions, their facts are added to
those of one reader, which judges them as if it had read all rows (`Reader.judge`).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from steelyard import errors
from steelyard.model import Label
from steelyard.reading.grouping import RowKeys
from steelyard.reading.row_numbers import KeptRows

First = tuple[int, int]  # the place of a column among those that are read, and a row


class Failure(NamedTuple):
    """An error, and the row that shows it or the first row of its block."""

    row: int
    error: errors.SteelyardError


@dataclass
class ReadingFacts:
    """What was seen in some rows; it can be pickled.

    labels: where each label was seen first; forms: likewise, for each column of keys of groups or
        clusters, the two forms that keys may have
    refused: the scores that are no probabilities
    failures: by message and column; with the number of all bad rows, except those of a partition
        where another error came first: it was not read again for this one
    """

    labels: dict[Label, First] = field(default_factory=dict)
    forms: dict[tuple[str, bool], First] = field(default_factory=dict)
    refused: dict[str, Failure] = field(default_factory=dict)
    failures: dict[tuple[str, str], Failure] = field(default_factory=dict)

    def add(self, other: "ReadingFacts") -> None:
        """Add the facts of other rows."""
        add_firsts(self.labels, other.labels)
        add_firsts(self.forms, other.forms)
        for mine, theirs in ((self.refused, other.refused), (self.failures, other.failures)):
            for name, failure in theirs.items():
                _add_failure(mine, name, failure)

    def fail(self, row: int, error: errors.SteelyardError) -> None:
        """Add an error of some rows."""
        text = str(error) if error.template is None else error.template.text
        _add_failure(self.failures, (text, error.facts.get("name", "")), Failure(row, error))

    def refuse_score(self, name: str, error: errors.SteelyardError) -> None:
        """Add some rows of a score that are no probabilities."""
        _add_failure(self.refused, name, Failure(error.facts["position"], error))

    def see_keys(self, name: str, keys: RowKeys, rows: KeptRows) -> RowKeys:
        """The keys of groups or clusters; refused if earlier ones had another form."""
        if len(keys.values):
            self.forms.setdefault((name, keys.dictionary is not None), (0, rows.number(0)))
            if found := self.unlike_keys():
                raise found.error
        return keys

    def unlike_keys(self) -> Failure | None:
        """The error for keys that are text in some rows and whole numbers in others."""
        for (name, is_text), (_, row) in self.forms.items():
            other = self.forms.get((name, not is_text))
            if is_text and other is not None:
                wanted = "keys of one type"
                error = errors.BAD_TYPE(name=name, type="str", position=row, wanted=wanted)
                return Failure(max(row, other[1]), error)
        return None


def add_firsts(mine: dict[Any, First], theirs: dict[Any, First]) -> None:
    """Add where each name was seen first."""
    for name, first in theirs.items():
        mine[name] = min(mine.get(name, first), first)


def _add_failure(failures: dict[Any, Failure], name: object, failure: Failure) -> None:
    """Add a failure: the first one of a name stays, with the count of all."""
    if name in failures:
        first, second = sorted((failures[name], failure), key=lambda each: each.row)
        failure, facts = first, dict(first.error.facts)
        if first.error.template is not None and "count" in facts:
            facts["count"] += second.error.facts["count"]
            failure = first._replace(error=first.error.template(**facts))
    failures[name] = failure
