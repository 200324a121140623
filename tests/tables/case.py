"""The one format of the test tables: data sets, rows and families.

A family is a set of metrics that read the same kind of rows. Its table is the product of its specs
and its data sets, where the oracles know the values, and rows by hand that bring a known value.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import isfunction, signature
from types import ModuleType
from typing import Any

import numpy as np

from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.model import Array, Row
from steelyard.result.result import Result
from tests.oracles.answers import AnyAnswer

Options = Mapping[str, Any]
_CUT = re.compile(r"(.*?)(?:@(\d+))?")  # an @ inside of quotes is that of a metric in a parameter
NO_OPTIONS: Mapping[str, Options] = {"plain": {}}


@dataclass(frozen=True, eq=False)
class Sample:
    """A data set: columns by name, their roles as `sy.evaluate` takes them, and why it is here."""

    why: str
    columns: Mapping[str, Array]
    roles: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.columns["label"])

    def take(self, rows: Sequence[int]) -> "Sample":
        """Some rows, in that order."""
        chosen = np.array(rows, np.intp)
        return replace(self, columns={name: c[chosen] for name, c in self.columns.items()})

    def column(self, role: str) -> Array | None:
        """The column of a role, None where no column has it."""
        name = self.roles.get(role)
        return None if name is None else self.columns[name]

    @property
    def weights(self) -> list[Any]:
        """The weight of each row, 1 where there are none."""
        weights = self.column("weight")
        return [1] * len(self) if weights is None else weights.tolist()

    @property
    def reads(self) -> str:
        """Whether metrics of scores or of predictions are meant; class scores make predictions."""
        return "prediction" if self.roles.keys() & {"prediction", "classes"} else "score"


def sample(why: str, roles: Mapping[str, Any], **columns: Any) -> Sample:
    """A data set whose columns have the names of their roles; columns of None are left out."""
    found = {name: np.asarray(column) for name, column in columns.items() if column is not None}
    names = ("label", "score", "prediction", "weight")
    own: dict[str, Any] = {name: name for name in names if name in found}
    return Sample(why, found, own | dict(roles))


@dataclass(frozen=True)
class Case:
    """A row of the table with a known value, or the reason why there is none."""

    spec: str
    data: str | Sample
    why: str
    known: AnyAnswer | float

    def __str__(self) -> str:
        return f"{self.spec} on {self.data if isinstance(self.data, str) else self.why}"


@cache
def parsed(spec: str) -> tuple[str, dict[str, Any]]:
    """The name and parameters of `name(key=value, …)@k`, by Python's own parser."""
    match = _CUT.fullmatch(spec)
    assert match is not None
    written, k = match.groups()
    call = ast.parse(written, mode="eval").body
    cut = {"k": int(k)} if k else {}
    if isinstance(call, ast.Name):
        return call.id, cut
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    return call.func.id, {word.arg or "": _value(word.value) for word in call.keywords} | cut


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return {"true": True, "false": False}.get(node.id, node.id)
    return ast.literal_eval(node)


def resolved(spec: str, data: Sample) -> BoundMetric:
    """The library's metric: its function and its printed name."""
    return _resolved(spec, data.reads)


@cache
def _resolved(spec: str, reads: str) -> BoundMetric:
    return catalogue.resolve(spec, reads=reads)


def functions_of(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    """The oracles that modules define, by metric; a name that Python has ends in `_`."""
    return {
        name.removesuffix("_"): function
        for module in modules
        for name, function in vars(module).items()
        if isfunction(function) and function.__module__ == module.__name__
    }


def _always(spec: str, data: Sample) -> bool:
    return True


Fits = Callable[[str, Sample], bool]
Details = Callable[[str, Sample, Row, Result, Any, Options], Any]


@dataclass(frozen=True, eq=False)
class Family:
    """The table of the metrics that read one kind of rows.

    rows: the oracles' rows of a data set; oracles: functions of these rows, by a metric's name
    roundings: how many roundings a value may be off before the last one; 0 for all others
    fits: whether a spec can be evaluated on a data set; options: how rows are read
    details: asserts what accompanies a value, and returns the value's own answer
    splits: whether states of a spec's parts merge
    """

    name: str
    data: Mapping[str, Sample]
    specs: Sequence[str]
    rows: Callable[..., Any]
    oracles: Mapping[str, Callable[..., Any]]
    by_hand: Sequence[Case] = ()
    roundings: Mapping[str, Any] = field(default_factory=dict)
    fits: Fits = _always
    options: Mapping[str, Options] = field(default_factory=lambda: NO_OPTIONS)
    details: Details | None = None
    splits: Callable[[str], bool] = lambda spec: True

    def specs_on(self, data: str) -> list[str]:
        """The specs that fit a data set, those of the rows by hand last."""
        of_hand = [case.spec for case in self.by_hand if case.data == data]
        fitting = [spec for spec in self.specs if self.fits(spec, self.data[data])]
        return list(dict.fromkeys([*fitting, *of_hand]))

    @cache  # noqa: B019  # families are constants
    def answer(self, spec: str, data: str, option: str = "plain") -> Any:
        """The oracle's answer about a data set of the table."""
        return self._answer(spec, self._rows(data, option), self.options[option])

    def answer_on(self, spec: str, data: Sample, options: Options | None = None) -> Any:
        """The oracle's answer about any rows."""
        given = {} if options is None else options
        return self._answer(spec, self.rows(data, given), given)

    @cache  # noqa: B019
    def _rows(self, data: str, option: str) -> Any:
        return self.rows(self.data[data], self.options[option])

    def _answer(self, spec: str, rows: Any, options: Options) -> Any:
        """An oracle takes those options that it has parameters for."""
        name, params = parsed(spec)
        oracle = self.oracles[name]
        takes = signature(oracle).parameters
        own = {key: value for key, value in options.items() if key in takes}
        return oracle(rows, **params, **own)
