"""The operations of `make bench` have the same numbers from every tool, on few rows."""

import warnings

import numpy as np
import pytest

from bench import results, targets
from bench.matrix import Cell, numbers_differ
from bench.measure import Line
from bench.operations import OPERATIONS, small
from bench.operations.operation import Columns, Operation, OtherTool
from bench.worker import OURS, SEED

ROWS = 1000
TOOLS = [
    (operation, tool, other)
    for operation in OPERATIONS.values()
    for tool, other in operation.others.items()
]


def few(operation: Operation) -> Columns:
    return operation.columns(np.random.default_rng(SEED), min(ROWS, *operation.sizes))


@pytest.mark.parametrize(
    ("operation", "tool", "other"), TOOLS, ids=[f"{o.name}-{tool}" for o, tool, _ in TOOLS]
)
def test_other_tools_agree(
    operation: Operation, tool: str, other: OtherTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small, "TIMES", 1)
    if tool in ("CatBoost", "ranx"):  # installed by make bench
        pytest.importorskip(tool.lower())
    columns = few(operation)
    try:
        with warnings.catch_warnings(action="ignore"):  # theirs, of what they are made of
            theirs = other.compute(columns)
    except (ImportError, RuntimeError) as error:
        pytest.skip(str(error))
    assert not numbers_differ(other, theirs, operation.ours(columns))
    assert numbers_differ(other, np.asarray(theirs) + 0.01, operation.ours(columns))


def test_targets_name_operations_and_tools_that_there_are() -> None:
    named = {*targets.IN_SORTS, *targets.GROWING, *(o for o, _, _ in targets.TIMES_FASTER)}
    named |= {operation for pair in targets.IN_ANOTHER for operation in pair[:2]}
    assert named <= {*OPERATIONS}
    for operation, tool, _ in targets.TIMES_FASTER:
        assert tool in {*OPERATIONS[operation].others, *OURS}
    for operation in targets.GROWING:
        assert 10 * targets.ROWS in OPERATIONS[operation].sizes


def test_a_missed_ratio_and_a_tool_without_numbers_are_on_the_page() -> None:
    cells = [
        Cell("auc, float32, 5%", "rust", 10_000_000, 0.05, 0.1, 0.07, 0.9),
        Cell("auc, float32, 5%", "ranx", 10_000_000, why="other numbers: 1 for 2"),
    ]
    lines = [Line("auc, in np.sort", 0.7, 0.6, at_least=False)]
    text = "\n".join(results.page(cells, lines, "Kernels: rust."))
    assert "| auc, in np.sort | 0.70 | ≤ 0.6 | missed |" in text
    assert "| rust | 50 (70), 0.9× |" in text
    assert "| ranx | other numbers: 1 for 2 |" in text
