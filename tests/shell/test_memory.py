"""Memory: what its option bounds, and what is said where it does not suffice."""

from typing import Any

import numpy
import pytest

import steelyard
from tests.paths import ROOT
from tests.shell.run import ROLES, run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def test_help_says_what_memory_bounds() -> None:
    said = " ".join(run("eval", "--help").stdout.split())
    assert "--memory SIZE The memory of DuckDB, such as 4GB; what the metrics keep" in said
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert "ulimit -v" in page.split("## Memory")[1]


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread")])
def test_memory_that_is_refused_is_one_sentence(
    error: Exception, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own errors where the system gives no memory."""

    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("steelyard.engines.memory.MemoryEngine.scan", refuse)
    done = run("eval", log, *ROLES)
    assert done.exit_code == 2
    assert done.stderr == "steelyard: there is not enough memory for these rows.\n"
    with pytest.raises(type(error)):
        sy.evaluate(log, label="click", score="pctr")


def test_memory_that_duckdb_refuses_is_one_sentence() -> None:
    sql = "SELECT range % 2 AS y, random() AS s FROM range(10000000) ORDER BY s"
    done = run("eval", "--sql", sql, "--label", "y", "--score", "s", "--memory", "1MB")
    assert done.exit_code == 2
    assert done.stderr.endswith("more memory than is allowed: allow more, as in --memory 8GB.\n")
    assert done.stderr.count("\n") == 1


def test_a_whole_number_of_any_type_is_a_size() -> None:
    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc", "sql": "FROM source"}
    rows = {"y": [0, 1], "s": [0.1, 0.2]}
    assert sy.evaluate(rows, **roles, memory=numpy.int64(10**9))["auc"] == 1.0
    for size in (0, -5, 2**63):
        with pytest.raises(sy.InputError, match="is not a size"):
            sy.evaluate(rows, **roles, memory=size)
