"""Values of JSON and CSV as the file spells them: 64-bit numbers, empty text, very long lines."""

from pathlib import Path
from typing import Any

import pytest

import steelyard as sy

IDS = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3]  # float64 has two values for the four
ROLES: dict[str, Any] = {"label": "y", "score": "s"}


def json_lines(path: Path, keys: list[Any]) -> str:
    lines = [f'{{"y": {i % 2}, "s": 0.{i + 1}, "id": {key}}}\n' for i, key in enumerate(keys)]
    path.write_text("".join(lines))
    return str(path)


@pytest.mark.parametrize("other", ["0.5", "1.0", str(2**64)])
@pytest.mark.parametrize(
    "asked",
    [
        {"by": "id", "metrics": "auc"},
        {"by": {"last": "id % 10"}, "metrics": "auc"},
        {"where": f"id = {2**53 + 1}", "metrics": "auc"},
        {"sql": "SELECT y, s, id % 10 AS last FROM source", "by": "last", "metrics": "auc"},
        {"group": "id", "metrics": "gauc"},
        {"cluster": "id", "confidence": 0.9, "metrics": "auc"},
        {"metrics": "field_ece(id)"},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_keys_that_json_would_round_are_refused(tmp_path: Path, other: str, asked: Any) -> None:
    log = json_lines(tmp_path / "log.jsonl", [*IDS, other, *IDS])
    said = f"id has 4 whole numbers that float64 cannot hold exactly, such as {2**53 + 1}"
    with pytest.raises(sy.InputError, match=said):
        sy.evaluate(log, **ROLES, **asked)


def test_a_diagnosis_refuses_keys_that_json_would_round(tmp_path: Path) -> None:
    log = json_lines(tmp_path / "log.jsonl", [*IDS, 0.5, *IDS])
    with pytest.raises(sy.SteelyardError, match="id has 4 whole numbers that float64 cannot hold"):
        sy.diagnose(log, log, **ROLES, over="id", cluster="row")


def test_one_file_of_several_that_json_would_round_is_refused(tmp_path: Path) -> None:
    files = [
        json_lines(tmp_path / "a.jsonl", IDS),
        json_lines(tmp_path / "b.jsonl", [*IDS, 0.5]),
    ]
    with pytest.raises(sy.InputError, match="id has 2 whole numbers that float64 cannot hold"):
        sy.evaluate(files, **ROLES, by="id", metrics="auc")


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ([0.5, 7, 2**53, 0.5], [0.5, 7, 2**53]),  # float64 holds them
        ([*IDS, 7], [7, *IDS]),
        ([2**63, 2**63 + 1, -1], [-1, 2**63, 2**63 + 1]),
    ],
)
def test_keys_of_json_that_are_exact(tmp_path: Path, keys: list[Any], wanted: list[Any]) -> None:
    found = sy.evaluate(json_lines(tmp_path / "log.json", keys), **ROLES, by="id", metrics="auc")
    assert [row.slice["id"] for row in found.rows if row.slice] == wanted


def test_names_that_differ_in_case_are_checked_one_by_one(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    keys = [(7, IDS[1]), (0.5, 0.5), (8, 9)]
    lines = [f'{{"y": {i % 2}, "s": 0.{i}, "k": {k}, "K": {K}}}' for i, (k, K) in enumerate(keys)]
    log.write_text("\n".join(lines))
    with pytest.raises(sy.InputError, match="K has 1 whole number that"):
        sy.evaluate(log, **ROLES, by="K", metrics="auc")
