"""Files: formats, types, missing values, names, order, and one sentence for what is wrong."""

import gzip
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.metrics import roc_auc_score

import steelyard as sy
from steelyard.sources.duck.connection import write_parquet
from steelyard.sources.duck.files import ENDINGS, MAGIC
from tests.sources.blocks import read
from tests.sources.every_source import Columns, write_json_lines, write_text

ROWS = 5_000
RANDOM = np.random.default_rng(7)
CLICK = RANDOM.integers(0, 2, ROWS)
PCTR = np.round(RANDOM.random(ROWS), 3) + RANDOM.integers(0, 2, ROWS) / 7
WEIGHT = RANDOM.integers(1, 5, ROWS)


COLUMNS = {"click": CLICK, "pctr": PCTR, "w": WEIGHT}


def write_row_groups(columns: Columns, path: Path) -> None:
    pq.write_table(pa.table(columns), path, row_group_size=700)


def write_tabs(columns: Columns, path: Path) -> None:
    write_text(columns, path, "\t")


def write_json_list(columns: Columns, path: Path) -> None:
    lines = Path(write_json_lines(columns, path)).read_text().splitlines()
    path.write_text(f"[{','.join(lines)}]")


Write = Callable[[Columns, Path], object]


def compressed(write: Write) -> Write:
    def write_compressed(columns: Columns, path: Path) -> None:
        write(columns, path)
        data = path.read_bytes()
        if path.suffix == ".gz":
            path.write_bytes(gzip.compress(data))
        else:
            path.write_bytes(pa.compress(data, "zstd", asbytes=True))

    return write_compressed


FORMATS: dict[str, Write] = {
    "log.csv": write_text,
    "semicolons.csv": lambda columns, path: write_text(columns, path, ";"),
    "log.csv.gz": compressed(write_text),
    "log.csv.zst": compressed(write_text),
    "LOG.CSV": write_text,
    "log.tsv": write_tabs,
    "log.tsv.gz": compressed(write_tabs),
    "log.tsv.zst": compressed(write_tabs),
    "log.jsonl": write_json_lines,
    "log.jsonl.gz": compressed(write_json_lines),
    "log.jsonl.zst": compressed(write_json_lines),
    "log.ndjson": write_json_lines,
    "log.ndjson.gz": compressed(write_json_lines),
    "log.ndjson.zst": compressed(write_json_lines),
    "log.json": write_json_list,
    "log.json.gz": compressed(write_json_list),
    "log.json.zst": compressed(write_json_list),
    "log.parquet": write_row_groups,
    "log.parq": write_row_groups,
    "log.pq": write_row_groups,
    "day=3 o'clock [1]*.parquet": write_row_groups,  # quotes and patterns are just characters
}


def test_every_ending_but_those_of_databases_is_tried() -> None:
    endings = {ending for name in ENDINGS.keys() - MAGIC.keys() for ending in ENDINGS[name]}
    assert endings <= {f".{name.partition('.')[2]}" for name in FORMATS}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_bits_as_arrays(tmp_path: Path, name: str) -> None:
    FORMATS[name](COLUMNS, tmp_path / name)
    found = read(tmp_path / name, ["click", "pctr", "w"])
    np.testing.assert_array_equal(found["click"], CLICK)
    np.testing.assert_array_equal(found["pctr"], PCTR)  # order and every bit
    assert [column.dtype for column in found.values()] == [np.int64, np.float64, np.int64]

    asked = ["auc", "ap", "ks", "pr_auc", "precision(0.4)"]
    ours = sy.evaluate(tmp_path / name, label="click", score="pctr", weight="w", metrics=asked)
    arrays = sy.evaluate(label=CLICK, score=PCTR, weight=WEIGHT, metrics=asked)
    assert [row.value for row in ours] == [row.value for row in arrays]
    theirs = roc_auc_score(CLICK, PCTR, sample_weight=WEIGHT)
    assert ours["auc"] == pytest.approx(theirs, rel=1e-12)


def test_the_file_s_types_are_kept(tmp_path: Path) -> None:
    types = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
    types += ["float32", "float64", "bool"]
    columns = {name: np.array([0, 1, 1]).astype(name) for name in types}
    pq.write_table(pa.table({**columns, "word": ["a", "b", "c"]}), tmp_path / "t.parquet")
    found = read(tmp_path / "t.parquet", [*types, "word"])
    assert {name: found[name].dtype.name for name in types} == {name: name for name in types}
    assert found["word"].tolist() == ["a", "b", "c"]


def test_categories_are_text_and_decimals_are_numbers(tmp_path: Path) -> None:
    words = pa.array(["yes", "no", "yes"]).dictionary_encode()
    decimals = pa.array(["0.10", "0.25", "0.30"]).cast(pa.decimal128(5, 2))
    pq.write_table(pa.table({"y": words, "s": decimals}), tmp_path / "t.parquet")
    found = read(tmp_path / "t.parquet", ["y", "s"])
    assert found["y"].tolist() == ["yes", "no", "yes"]
    assert found["s"].tolist() == [0.1, 0.25, 0.3]


def test_float32_scores_tie_as_float32(tmp_path: Path) -> None:
    score = np.array([0.1, np.nextafter(0.1, 1), 0.2, 0.3])  # two values, one float32
    write_parquet(tmp_path / "t.parquet", {"y": np.array([0, 1, 0, 1]), "s": score.astype("f4")})
    found = sy.evaluate(tmp_path / "t.parquet", label="y", score="s", metrics=["auc"])
    assert found["auc"] == (0.5 + 0 + 1 + 1) / 4
    assert found.conventions.score_types == {"s": "float32"}


CSV_TYPES = [
    ("all digits", ["1", "-2", "+3"], [1, -2, 3], "i"),
    ("a fraction among integers is not rounded away", ["1", "1.5", "2"], [1, 1.5, 2], "f"),
    ("the last value decides as much as the first", ["1"] * 30_000 + ["0.5"], None, "f"),
    ("booleans as pandas writes them", ["True", "False", "True"], [True, False, True], "b"),
    ("yes and no stay words", ["yes", "no", "t"], ["yes", "no", "t"], "O"),
    ("dates stay words", ["2024-02-29", "x", "y"], ["2024-02-29", "x", "y"], "O"),
    ("quoted numbers are numbers", ['"1"', '"2"', "3"], [1, 2, 3], "i"),
    ("2**63 - 1 is exact", ["9223372036854775807"], [2**63 - 1], "i"),
]


@pytest.mark.parametrize(("why", "written", "wanted", "kind"), CSV_TYPES)
def test_a_csv_column_s_type_follows_from_all_its_values(
    tmp_path: Path, why: str, written: list[str], wanted: list[Any] | None, kind: str
) -> None:
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{word},0\n" for word in written))
    found = read(tmp_path / "t.csv", ["x"])["x"]
    assert found.dtype.kind == kind, why
    assert wanted is None or found.tolist() == wanted, why


def missing_csv(path: Path) -> None:
    path.write_text("y,s\n1,0.9\n0,\n1,nan\n0,0.1\n")


def missing_json(path: Path) -> None:
    path.write_text('{"y":1,"s":0.9}\n{"y":0}\n{"y":1,"s":null}\n{"y":0,"s":0.1}\n')


def missing_parquet(path: Path) -> None:
    scores = pa.array([0.9, None, float("nan"), 0.1], pa.float32())
    pq.write_table(pa.table({"y": [1, 0, 1, 0], "s": scores}), path)


@pytest.mark.parametrize(
    ("name", "make"),
    [("t.csv", missing_csv), ("t.jsonl", missing_json), ("t.parquet", missing_parquet)],
)
def test_missing_values_are_counted_and_placed(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / name)
    with pytest.raises(sy.InputError, match=r"s has 2 missing values .* row 1"):
        sy.evaluate(tmp_path / name, label="y", score="s")
    found = sy.evaluate(tmp_path / name, label="y", score="s", nan="drop", metrics=["auc"])
    assert (found["auc"], found.rows[0].n, found.rows[0].dropped) == (1.0, 2, 2)


def test_missing_labels_weights_and_text(tmp_path: Path) -> None:
    table = {"y": ["a", None, "b"], "n": [1, None, 0], "s": [0.1, 0.2, 0.3], "w": [1, 2, None]}
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    for label, weight, what in (("y", None, "y has 1"), ("n", None, "n has 1"), ("n", "w", "n")):
        with pytest.raises(sy.InputError, match=f"{what} .*row 1"):
            sy.evaluate(tmp_path / "t.parquet", label=label, score="s", weight=weight, positive="a")


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_unusual_names_are_names(tmp_path: Path, ending: str) -> None:
    names = ['p"ctr', "my score", "select", "ünïcode", "a;b", "x'y", "*", "1"]
    path = tmp_path / f"t.{ending}"
    columns = {name: [place, place + 10] for place, name in enumerate(names)}
    if ending == "parquet":
        pq.write_table(pa.table(columns), path)
    elif ending == "jsonl":
        rows = [{name: column[i] for name, column in columns.items()} for i in (0, 1)]
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
        body = "\n".join(",".join(str(c[i]) for c in columns.values()) for i in (0, 1))
        path.write_text(f"{header}\n{body}\n")
    found = read(path, reversed(names))
    assert list(found) == names[::-1]
    assert {name: column.tolist() for name, column in found.items()} == columns


def test_names_that_differ_only_in_case_are_two_columns(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Score,score\n1,2\n")
    assert [c.tolist() for c in read(tmp_path / "t.csv", ["score", "Score"]).values()] == [[2], [1]]


def test_columns_are_matched_exactly(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", {"y": np.array([0, 1]), "pctr": np.array([0.1, 0.2])})
    with pytest.raises(sy.SourceError, match=r"no column 'PCTR': did you mean 'pctr'.*are y, pctr"):
        read(tmp_path / "t.parquet", ["y", "PCTR"])


def test_a_column_of_a_thousand_rows_of_groups_keeps_the_file_s_order(tmp_path: Path) -> None:
    place = np.arange(400_000)
    write_parquet(tmp_path / "t.parquet", {"place": place, "y": place % 2})
    np.testing.assert_array_equal(read(tmp_path / "t.parquet", ["place"])["place"], place)
    np.savetxt(tmp_path / "t.csv", place, fmt="%d", header="place", comments="")
    np.testing.assert_array_equal(read(tmp_path / "t.csv", ["place"])["place"], place)


def test_a_header_without_rows_is_a_table_without_rows(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("y,s\n")
    found = sy.evaluate(tmp_path / "t.csv", label="y", score="s", metrics=["auc"])
    assert (found.rows[0].value, found.rows[0].why) == (None, "there are no rows")


POSITIVE = [
    ("words", ["yes", "no", "yes"], "yes", 2),
    ("the other word", ["yes", "no", "yes"], "no", 1),
    ("a number in a column of numbers", ["1", "2", "2"], "2", 2),
    ("a fraction", ["0.5", "1.5", "1.5"], "1.5", 2),
    ("a boolean", ["True", "False", "False"], "false", 2),
]


@pytest.mark.parametrize(("why", "labels", "positive", "positives"), POSITIVE)
def test_the_positive_label_is_written_as_in_the_file(
    tmp_path: Path, why: str, labels: list[str], positive: str, positives: int
) -> None:
    (tmp_path / "t.csv").write_text("y,s\n" + "".join(f"{word},0.5\n" for word in labels))
    found = sy.evaluate(tmp_path / "t.csv", label="y", score="s", positive=positive)
    assert found.rows[0].positives == positives, why


def cut(path: Path) -> None:
    write_row_groups(COLUMNS, path)
    path.write_bytes(path.read_bytes()[:9_000])


def damaged(path: Path) -> None:
    write_row_groups(COLUMNS, path)
    path.write_bytes(path.read_bytes()[:-200] + b"\xff" * 192 + path.read_bytes()[-8:])


WRONG: list[tuple[str, str, str | bytes | Callable[[Path], None], str]] = [
    ("empty", "t.csv", "", "the file is empty"),
    ("empty", "t.parquet", "", "the file is empty"),
    ("not Parquet", "t.parquet", "click,pctr\n1,0.5\n", "cannot be read"),
    ("cut short", "t.parquet", cut, "not Parquet, or is cut short"),
    ("damaged inside", "t.parquet", damaged, "cannot be read"),
    ("an unknown ending", "t.xls", "x", r"none of \.csv, .*\.parquet"),
    ("a word", "t.csv", "click,pctr\n1,0.5\n0,oops\n1,NA\n", r"2 values.* row 1 \('oops'\)"),
    ("a late word", "t.csv", "click,pctr\n" + "1,0.5\n" * 30_000 + "0,x\n", "row 30000"),
    ("a word", "t.jsonl", '{"click":1,"pctr":1}\n{"click":0,"pctr":"oops"}\n', "row 1 .*oops"),
    ("a row too long", "t.csv", "click,pctr\n1,0.5\n1,0.5,3\n", "line 3 has 3 values wh"),
    ("a row too short", "t.csv", "click,pctr\n1,0.5\n1\n", "where the header has 2 n"),
    ("a quote left open", "t.csv", 'click,pctr\n1,"0.5\n0,0.1\n', "line 2: .*quote"),
    ("not UTF-8", "t.csv", b"click,pctr\n1,caf\xe9\n", "UTF-8"),
    ("not UTF-8, late", "t.csv", b"click,pctr\n" + b"1,1\n" * 9_000 + b"1,\xe9\n", "line 9002"),
    ("not zipped", "t.csv.gz", "click,pctr\n1,0.5\n", "cannot be read: .*gzip"),
    ("JSON cut short", "t.jsonl", '{"click":1,"pctr":1}\n{"click":0,', "line"),
    ("no header", "t.csv", "1,0.5\n0,0.25\n", "no column 'click': the columns are 1, 0.5"),
    ("no line at all", "t.jsonl", "\n", "it holds no rows, and so no columns"),
    ("a name twice", "t.csv", "click,pctr,pctr\n1,0.5,0.6\n", "2 columns are named 'pctr'"),
]


@pytest.mark.parametrize(("why", "name", "content", "said"), WRONG)
def test_an_unreadable_file_is_one_sentence(
    tmp_path: Path, why: str, name: str, content: str | bytes | Callable[[Path], None], said: str
) -> None:
    path = tmp_path / name
    if callable(content):
        content(path)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(sy.SteelyardError, match=said) as caught:
        sy.evaluate(path, label="click", score="pctr")
    assert "\n" not in str(caught.value), why


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes")
def test_a_path_that_is_not_utf8(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    with open(path, "w") as file:
        file.write("y,s\n1,0.5\n")
    with pytest.raises(sy.SourceError, match="path is not UTF-8, rename it"):
        read(os.fsdecode(path), ["y"])


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(sy.SourceError, match="no file"):
        read(tmp_path / "none.csv", ["y"])
    with pytest.raises(sy.SourceError, match="folder"):
        read(tmp_path, ["y"])


@pytest.mark.parametrize(
    "column",
    [pa.array([1, 2], pa.date32()), pa.array([[1], [2]]), pa.array([b"a", b"b"])],
    ids=["dates", "lists", "bytes"],
)
def test_columns_that_are_neither_numbers_nor_text_are_refused(tmp_path: Path, column: Any) -> None:
    pq.write_table(pa.table({"y": [0, 1], "s": column}), tmp_path / "t.parquet")
    with pytest.raises(sy.InputError, match="s holds values of type"):
        sy.evaluate(tmp_path / "t.parquet", label="y", score="s")


def test_text_that_looks_like_numbers_is_refused_where_the_file_says_text(
    tmp_path: Path,
) -> None:
    pq.write_table(pa.table({"y": [0, 1], "s": ["0.1", "0.2"]}), tmp_path / "t.parquet")
    with pytest.raises(sy.InputError, match="VARCHAR"):
        sy.evaluate(tmp_path / "t.parquet", label="y", score="s")


def test_arrays_beside_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("y,s\n1,1\n")
    with pytest.raises(sy.InputError, match="score is of type int"):
        sy.evaluate(tmp_path / "t.csv", label="y", score=[1])


def test_nothing_is_written_beside_the_file(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_row_groups(COLUMNS, tmp_path / "t.parquet")
    read("t.parquet", ["click"])
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]
