"""LETOR and SVMlight files, files of group sizes and of scores: what is read, what is refused."""

import gzip
import random
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

import steelyard as sy
from steelyard.sources import fields
from tests.paths import SHARED

LIGHTGBM = SHARED / "data" / "lightgbm"

LINES = """\
# made by hand
2 qid:7 1:0.5 3:-1e-3 # docid = GX01
0 qid:7 1:0.25
1 qid:4 10:7 2:.5#no blank before
0 qid:4
"""


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_queries_named_by_qid(tmp_path: Path) -> None:
    read = sy.read_letor(written(tmp_path, "test.txt", LINES))
    assert {name: values.tolist() for name, values in read.items()} == {
        "label": [2, 0, 1, 0],
        "qid": [7, 7, 4, 4],
        "1": [0.5, 0.25, 0, 0],
        "2": [0, 0, 0.5, 0],
        "3": [-0.001, 0, 0, 0],
        "10": [0, 0, 7, 0],
    }
    assert list(read) == ["label", "qid", "1", "2", "3", "10"]
    assert len(read) == 6
    assert repr(read) == "<4 rows: label, qid and 4 features>"
    assert "10" in read
    assert "4" not in read
    assert read["label"].dtype == read["qid"].dtype == np.int64
    with pytest.raises(KeyError):
        read["4"]


def test_compressed_files_with_scores(tmp_path: Path) -> None:
    path = written(tmp_path, "test.gz", gzip.compress(LINES.encode()))
    scores = written(tmp_path, "scores", "0.5\n1e3\n-2\n\n.25\n")
    read = sy.read_letor(path, scores=scores)
    assert list(read)[:3] == ["label", "qid", "score"]
    assert read["score"].tolist() == [0.5, 1000.0, -2.0, 0.25]


def test_labels_that_are_not_whole(tmp_path: Path) -> None:
    read = sy.read_letor(written(tmp_path, "test.txt", "0.5 qid:1\n-1 qid:1\n"))
    assert read["label"].tolist() == [0.5, -1.0]


def test_group_sizes(tmp_path: Path) -> None:
    path = written(tmp_path, "rank.test", "1 1:2\n0 1:3\n2 1:4\n")
    sizes = written(tmp_path, "rank.test.query", "1\n0\n2\n")
    assert sy.read_letor(path, group_sizes=sizes)["qid"].tolist() == [0, 2, 2]


def test_the_rows_are_a_source(tmp_path: Path) -> None:
    path = written(
        tmp_path, "test.txt", "1 qid:1 1:0.8\n0 qid:1 1:0.1\n0 qid:1 1:0.4\n1 qid:1 1:0.35\n"
    )
    assert sy.evaluate(sy.read_letor(path), label="label", score="1", metrics="auc")["auc"] == 0.75


@pytest.mark.parametrize("seed", range(3))
def test_random_lines_are_read_as_scikit_learn_reads_them(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces so small that every seam is met."""
    monkeypatch.setattr(fields, "CHUNK", 1 + 50 * seed)
    monkeypatch.setattr(fields, "ROWS", 1 + 3 * seed)
    draw = random.Random(seed)
    lines = []
    for _ in range(60):
        features = sorted(draw.sample(range(1, 30), draw.randint(0, 9)))
        pairs = [
            f"{index}:{draw.choice((draw.random(), draw.randint(-9, 9)))!r}" for index in features
        ]
        lines.append(f"{draw.randint(0, 4)} qid:{draw.randint(1, 5)} {' '.join(pairs)}\n")
    path = written(tmp_path, "test.txt", "".join(lines))
    read = sy.read_letor(path)
    matrix, label, qid = load_svmlight_file(str(path), n_features=30, query_id=True)
    assert (read["label"] == label).all()
    assert (read["qid"] == qid).all()
    named = [name for name in read if name.isdigit()]
    assert named
    for name in named:
        assert (read[name] == matrix.toarray()[:, int(name) - 1]).all()
    assert sum(np.count_nonzero(read[name]) for name in named) == np.count_nonzero(matrix.data)


REFUSED: dict[str, tuple[str, str]] = {
    "a pair without a number": ("1 qid:1 1:\n", "'1:' in line 1"),
    "a pair without a feature": ("1 qid:1 1:1\n1 qid:1 :2\n", "':2' in line 2"),
    "no pair": ("1 qid:1 5\n", "'5' in line 1"),
    "two colons": ("1 qid:1 1:2:3\n", "'1:2:3' in line 1"),
    "a feature that is a word": ("1 qid:1 a:2\n", "'a:2' in line 1"),
    "a feature below zero": ("1 qid:1 -1:2\n", "'-1:2' in line 1"),
    "a feature beyond all": ("1 qid:1 1234567890123456:2\n", "in line 1, but a feature's number"),
    "a value that is a word": ("1 qid:1 1:2\n# \n1 qid:1 1:x\n", "'1:x' in line 3"),
    "a value of NaN": ("1 qid:1 1:2 2:nan\n", "'2:nan' in line 1"),
    "a value beyond all": ("1 qid:1 1:1e999\n", "'1:1e999' in line 1"),
    "a feature twice": ("0 qid:1 1:1\n1 qid:1 2:1 1:3 2:1\n", "feature 2 twice in line 2"),
    "one feature, written in two forms": ("1 qid:1 2:1 02:3\n", "feature 2 twice in line 1"),
    "a label that is a word": ("1 qid:1\nhigh qid:1\n", "'high' as the label in line 2"),
    "no label": ("qid:1 1:2\n", "'qid:1' as the label in line 1"),
    "a qid that is a word": ("1 qid:a 1:2\n", "'a' as the qid in line 1"),
    "a qid of nothing": ("1 qid:2\n1 qid:\n", "'' as the qid in line 2"),
    "every qid of nothing": ("1 qid:\n1 qid:\n", "'' as the qid in line 1"),
    "a qid that is a fraction": ("1 qid:1.5\n", "'1.5' as the qid in line 1, which is not a whole"),
    "a qid elsewhere": ("1 1:2 qid:1\n", "'qid:1' in line 1"),
    "the first without qid": ("1 1:2\n1 qid:1 1:2\n", "has no qid in line 1"),
    "the last without qid": ("1 qid:1 1:2\n\n1 1:2\n", "has no qid in line 3"),
    "comments alone": ("# 1 qid:1\n", "has no line"),
    "no query": ("1 1:2\n", "does not show which query"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("chunk", [1, 1 << 24])
def test_invalid_lines_are_refused(
    case: str, chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields, "CHUNK", chunk)
    lines, said = REFUSED[case]
    with pytest.raises(sy.SourceError) as caught:
        sy.read_letor(written(tmp_path, "test.txt", lines))
    assert said in str(caught.value)


OTHER_NAMES: dict[str, tuple[str, str, str]] = {
    "too few scores": ("scores", "1\n", "is for 1 row but"),
    "too many scores": ("scores", "1\n2\n3\n", "is for 3 rows but"),
    "two scores a line": ("scores", "1 2\n", "2 fields in line 1, but 1 is expected (score)"),
    "a score of NaN": ("scores", "1\nnan\n", "'nan' as the score in line 2"),
    "sizes that are too small": ("group_sizes", "1\n", "is for 1 row but"),
    "sizes beyond all": ("group_sizes", f"{2**53}\n" * 1024, f"is for {2**63} rows but"),
    "a size below zero": ("group_sizes", "3\n-1\n", "not a whole number of 0 or more"),
    "a size that is none": ("group_sizes", "1.5\n", "'1.5' as the size in line 1"),
}


@pytest.mark.parametrize("case", OTHER_NAMES)
def test_invalid_accompanying_files_are_refused(case: str, tmp_path: Path) -> None:
    role, text, said = OTHER_NAMES[case]
    lines = "1 1:2\n0 1:3\n" if role == "group_sizes" else "1 qid:1\n0 qid:1\n"
    path = written(tmp_path, "test.txt", lines)
    with pytest.raises(sy.SourceError) as caught:
        sy.read_letor(path, **{role: written(tmp_path, role, text)})
    assert said in str(caught.value)


@pytest.mark.skipif(not LIGHTGBM.is_dir(), reason=f"NO REFERENCE DATA in {LIGHTGBM}")
def test_lightgbms_file_is_read_as_scikit_learn_reads_it() -> None:
    path = LIGHTGBM / "rank.test"
    read = sy.read_letor(path, group_sizes=LIGHTGBM / "rank.test.query")
    matrix, label = load_svmlight_file(str(path))
    assert (read["label"] == label).all()
    assert len(set(read["qid"].tolist())) == 50
    found = np.zeros(matrix.shape)
    for name in list(read)[2:]:
        found[:, int(name) - 1] = read[name]
    assert (found == matrix.toarray()).all()
