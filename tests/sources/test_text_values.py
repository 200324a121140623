"""Values of JSON and CSV as the file spells them: 64-bit numbers, empty text, very long lines."""

import gzip
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import steelyard as sy
from steelyard.sources.blocks import ColumnRequest
from steelyard.sources.duck.connection import open_table
from tests.shell.run import run

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


def written(path: Path, text: str) -> Path:
    """A text file, packed as its name says."""
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode(), 1))
    elif path.suffix == ".zst":
        with pyarrow.CompressedOutputStream(str(path), "zstd") as file:
            file.write(text.encode())
    else:
        path.write_bytes(text.encode())
    return path


EMPTY = 'y,s,k\n0,0.1,""\n1,0.2,""\n1,0.3,\n0,0.4,\n1,0.5,a\n'
PACKED = ["log.csv", "log.csv.gz", "log.csv.zst"]


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize("by", ["k", {"k": "k || ''"}, {"k": "k::VARCHAR"}])
def test_empty_text_and_no_value_are_two_slices(tmp_path: Path, name: str, by: Any) -> None:
    found = sy.evaluate(written(tmp_path / name, EMPTY), **ROLES, by=by, metrics="auc")
    assert {row.slice["k"]: row.n for row in found.rows if row.slice} == {"": 2, None: 2, "a": 1}


def test_every_reader_of_keys_has_empty_text(tmp_path: Path) -> None:
    log = written(tmp_path / "log.csv", 'y,s,k\n0,0.1,""\n1,0.2,""\n1,0.3,a\n0,0.4,a\n')
    like = {"y": [0, 1, 1, 0], "s": [0.1, 0.2, 0.3, 0.4], "k": ["", "", "a", "a"]}
    for asked in (
        {"group": "k", "metrics": "gauc"},
        {"cluster": "k", "confidence": 0.9, "metrics": "auc"},
        {"metrics": "field_ece(k)"},
        {"sql": "SELECT * FROM source WHERE k = ''", "metrics": "auc"},
        {"where": "k = ''", "metrics": "auc"},
    ):
        of_file, of_arrays = (sy.evaluate(each, **ROLES, **asked) for each in (log, like))
        assert [(row.value, row.n, row.low) for row in of_file.rows] == [
            (row.value, row.n, row.low) for row in of_arrays.rows
        ]


def test_our_own_csv_keeps_both(tmp_path: Path) -> None:
    keys = ["", "", None, None, "a", "a"]
    log = {"y": [0, 1] * 3, "s": [0.1, 0.2, 0.3, 0.2, 0.1, 0.7], "k": keys}
    made = sy.evaluate(log, **ROLES, by="k", metrics="auc")
    path = written(tmp_path / "result.csv", made.to_csv())
    with open_table(path) as table:
        (block,) = table.blocks([ColumnRequest("k", "key")], "k IS NULL OR k = '' OR k = 'a'")
    ((_, read),) = block.columns.items()
    assert read.keys is not None
    assert sorted(map(str, read.keys)) == ["", "a"]
    assert read.missing is not None
    assert read.missing.any()


@pytest.mark.parametrize("values", ['""', '"",""', ',""', "", ","])
def test_quoted_numbers_that_are_empty_are_missing(tmp_path: Path, values: str) -> None:
    text = f'y,s,k\n1,0.5,""\n0,"",""\n"",0.25,""\n1,0.75,{values}\n0,0.1,""\n'
    log = written(tmp_path / "log.csv", text)
    if values in ('""', ""):
        found = sy.evaluate(log, **ROLES, by={"k": "s > 0.6"}, nan="drop", metrics="auc")
        assert (found.rows[0].n, found.rows[0].dropped) == (3, 2)
    else:
        with pytest.raises(sy.SourceError, match="line 5 has 4 values where the header has 3"):
            sy.evaluate(log, **ROLES, nan="drop", metrics="auc")


@pytest.mark.parametrize(
    ("name", "end"), [("log.csv", ""), ("log.csv", "\n"), ("log.csv", "\r\n"), ("log.csv.gz", "")]
)
def test_a_last_line_that_is_too_long_is_refused(tmp_path: Path, name: str, end: str) -> None:
    text = "y,s,k\n" + "1,0.5,a\n0,0.2,b\n" * 5 + "1,0.5," + "x" * 32_000_000 + end
    with pytest.raises(sy.SourceError, match=f"{name}' cannot be read: its last line is longer"):
        sy.evaluate(written(tmp_path / name, text), **ROLES, metrics="auc")


def test_long_lines_that_are_read(tmp_path: Path) -> None:
    text = "y,s,k\r" + "1,0.5,a\r0,0.2,b\r" * 200_000 + "1,0.5," + "x" * 1_999_000
    log = written(tmp_path / "log.csv", text)  # old line ends: no line feed in 5 MB
    assert sy.evaluate(log, **ROLES, metrics="auc").rows[0].n == 400_001


@pytest.mark.parametrize(
    "weights",
    [
        [2**53 + 1, 1, 2],
        [2**63 - 1, 2**53, 0],
        [2**64 - 1, 2**63 + 1, 7],
        [2**53 + 1, 2**53 + 3, 2**53 + 5],
    ],
)
def test_64_bit_weights_of_csv_are_exact(tmp_path: Path, weights: list[int]) -> None:
    lines = [f"{i % 2},0.{i},{w}" for i, w in enumerate(weights)]
    log = written(tmp_path / "log.csv", "\n".join(["y,s,w", *lines, ""]))
    found = sy.evaluate(log, **ROLES, weight="w", metrics="accuracy")
    total = Fraction(sum(weights))
    right = Fraction(sum(w for i, w in enumerate(weights) if i % 2 == 0))  # scores are below 0.5
    assert found["accuracy"] == float(right / total)
    assert found.rows[0].weight == float(total)


def test_weights_that_no_type_holds_are_refused(tmp_path: Path) -> None:
    for other in ("0.5", "-1", str(2**64)):
        big = 2**63 + 1
        log = written(tmp_path / "log.csv", f"y,s,w\n1,0.5,{big}\n0,0.2,{other}\n")
        with pytest.raises(sy.InputError, match="w has 1 value that float64 cannot hold exactly"):
            sy.evaluate(log, **ROLES, weight="w", metrics="auc")


def test_64_bit_scores_of_csv_are_refused_as_elsewhere(tmp_path: Path) -> None:
    scores = [2**53 + 1, 5]
    log = written(tmp_path / "log.csv", f"y,s\n1,{scores[0]}\n0,{scores[1]}\n")
    said = []
    for source in (log, {"y": [1, 0], "s": scores}):
        with pytest.raises(sy.InputError) as caught:
            sy.evaluate(source, **ROLES, metrics="auc")
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_expressions_on_csv_do_not_round_keys(tmp_path: Path) -> None:
    lines = [f"{i % 2},0.{i},{key}" for i, key in enumerate([2**63 + 1, 2**63 + 2, 7, 8])]
    log = written(tmp_path / "log.csv", "\n".join(["y,s,id", *lines]))
    found = sy.evaluate(log, **ROLES, by={"last": "id % 10"}, metrics="auc")
    assert {row.slice["last"] for row in found.rows if row.slice} == {9, 0, 7, 8}
    log = written(tmp_path / "log.csv", "\n".join(["y,s,id", *lines, "1,0.5,0.5"]))
    with pytest.raises(sy.InputError, match="id has 2 whole numbers that float64 cannot hold"):
        sy.evaluate(log, **ROLES, by={"last": "id % 10"}, metrics="auc")
    found = sy.evaluate(log, **ROLES, by="id", metrics="auc")  # keys of CSV are text
    assert sum(1 for row in found.rows if row.slice) == 5


@pytest.mark.parametrize("end", ["{0}", "{0}{0}", '{0}""'])
@pytest.mark.parametrize(("name", "delimiter"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t")])
def test_one_value_too_many_is_refused_even_if_it_is_empty(
    name: str, delimiter: str, end: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["y,s", f"1,0.9{end.format(',')}", "0,0.1"]
    text = "\n".join(lines).replace(",", delimiter)
    (folder / name).write_text(text, encoding="utf-8")
    message = "line 2 has 3 values where the header has 2 names"
    with pytest.raises(sy.SourceError, match=message):
        sy.evaluate(name, **ROLES, metrics="auc")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
    done = run("eval", "-", "--label", "y", "--score", "s", "-m", "auc")
    assert (done.exit_code, message in done.stderr) == (2, True)
