"""TREC's files: what is read, how judgements and runs are joined, what is refused and where."""

import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.sources import fields, trec
from tests.paths import SHARED

ROBUST = SHARED / "data" / "robust03"

QRELS = "q2 0 a 1\nq2 0 b 0\nq2 0 c 2\nq2 0 e -1\nq1 0 a 1\nq3 0 z 1\n"
RUN = "q2 Q0 b 1 3.5 mine\nq2 Q0 x 2 3 mine\nq2 Q0 e 3 1e-1 mine\nq2 Q0 a 4 -2 mine\n"
MORE = "q1 Q0 b 1 7 mine\nq9 Q0 a 1 .5 mine\n"


def files(folder: Path, qrels: str | bytes, run: str | bytes) -> tuple[Path, Path]:
    paths = folder / "qrels", folder / "run"
    for path, text in zip(paths, (qrels, run), strict=True):
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return paths


def rows(columns: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Rows with None where a document was not retrieved."""
    assert list(columns) == ["query", "document", "grade", "score", "judged"]
    listed = [values.tolist() for values in columns.values()]
    return [
        (query, document, grade, None if score != score else score, judged)
        for query, document, grade, score, judged in zip(*listed, strict=True)
    ]


def joined(qrels: Path, run: Path, complete: bool = False) -> dict[str, Any]:
    return trec.join(trec.read_qrels(qrels), trec.read_run(run), complete=complete).columns


def test_judgements_and_a_run_are_joined(tmp_path: Path) -> None:
    read = joined(*files(tmp_path, QRELS, RUN + MORE))
    assert rows(read) == [
        ("q1", "b", 0, 7.0, False),
        ("q1", "a", 1, None, True),
        ("q2", "b", 0, 3.5, True),
        ("q2", "x", 0, 3.0, False),
        ("q2", "e", 0, 0.1, False),  # a grade below zero is no judgement
        ("q2", "a", 1, -2.0, True),
        ("q2", "c", 2, None, True),
    ]
    assert {name: values.dtype.kind for name, values in read.items()} == {
        "query": "U",
        "document": "U",
        "grade": "i",
        "score": "f",
        "judged": "b",
    }


def test_complete_has_the_queries_that_only_the_qrels_have(tmp_path: Path) -> None:
    read = joined(*files(tmp_path, QRELS, RUN), complete=True)
    assert [row for row in rows(read) if row[0] != "q2"] == [
        ("q1", "a", 1, None, True),
        ("q3", "z", 1, None, True),
    ]


def test_they_are_arguments_of_evaluate(tmp_path: Path) -> None:
    paths = files(tmp_path, QRELS, RUN + MORE)
    read, columns = sy.read_trec(*paths), joined(*paths)
    assert read.pop("unscored") == "not_retrieved"
    names = {"label": "grade", "score": "score", "group": "query", "document": "document"}
    assert list(read) == list(names)
    for role, name in names.items():
        np.testing.assert_array_equal(read[role], columns[name])


def test_what_was_left_out_is_counted(tmp_path: Path) -> None:
    qrels, run = files(tmp_path, QRELS, RUN + MORE)
    both = trec.join(trec.read_qrels(qrels), trec.read_run(run))
    assert (both.tag, both.unjudged_queries, both.missing_queries) == ("mine", 1, 1)


def by_hand(qrels: str, run: str, complete: bool) -> set[tuple[Any, ...]]:
    """The join, literally."""
    grades = {(q, d): int(g) for q, _, d, g in map(str.split, qrels.splitlines())}
    scores = {(q, d): float(s) for q, _, d, _, s, _ in map(str.split, run.splitlines())}
    judged = {query for query, _ in grades}
    kept = judged if complete else judged & {query for query, _ in scores}
    return {
        (*pair, max(grades.get(pair, 0), 0), scores.get(pair), grades.get(pair, -1) >= 0)
        for pair in grades.keys() | scores.keys()
        if pair[0] in kept
    }


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_join_is_what_dictionaries_say(
    seed: int, complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces so small that every seam is met."""
    monkeypatch.setattr(fields, "CHUNK", 1 + 17 * seed)
    monkeypatch.setattr(fields, "ROWS", 1 + seed)
    draw = random.Random(seed)
    names = ["a", "b", "doc-0001", "doc-0002", "doc-0003", "Grüße", "文", "x" * 9, "y" * 300]
    words = names[: 3 + 2 * seed]
    pairs = [(q, d) for q in ("1", "10", "2", "q", "ü") for d in words]
    qrels = draw.sample(pairs, len(pairs) // 2)
    run = draw.sample(pairs, len(pairs) // 2)
    qrels_text = "".join(f"{q}\t0  {d} {draw.randint(-2, 3)}\n" for q, d in qrels)
    run_text = "".join(f" {q} Q0 {d} 0 {draw.uniform(-9, 9)!r} t\r\n" for q, d in run)
    read = joined(*files(tmp_path, qrels_text, run_text), complete=complete)
    found = rows(read)
    assert set(found) == by_hand(qrels_text, run_text, complete)
    assert len(set(found)) == len(found)
    queries = read["query"].tolist()
    assert queries == sorted(queries)


def test_scores_are_the_nearest_float64(tmp_path: Path) -> None:
    written = ["0.1", "1e-5", "+3.", ".25", "-0.30000000000000004", "123456789.123456789", "2E3"]
    written += ["1" * 50, "0." + "3" * 60]  # longer than what is read in bulk
    run = "".join(f"1 Q0 d{i} 0 {text} t\n" for i, text in enumerate(written))
    read = joined(*files(tmp_path, "1 0 d0 1\n", run))
    assert read["score"].tolist() == [float(text) for text in written]


def test_blank_lines_a_missing_newline_and_a_byte_order_mark(tmp_path: Path) -> None:
    read = joined(*files(tmp_path, b"\xef\xbb\xbf1 0 a 1\n\n", "\n1 Q0 a 1 2 t\n \n1 Q0 b 2 1 t"))
    assert rows(read) == [("1", "a", 1, 2.0, True), ("1", "b", 0, 1.0, False)]


def test_fields_after_the_tag_are_ignored(tmp_path: Path) -> None:
    run = "1 Q0 a 1 2 t for days to come\n1 Q0 b 2 1 t\n"
    read = joined(*files(tmp_path, GOOD_QRELS, run))
    assert rows(read) == [("1", "a", 1, 2.0, True), ("1", "b", 0, 1.0, True)]


def test_compressed_files_are_recognised_by_their_content(tmp_path: Path) -> None:
    plain = rows(joined(*files(tmp_path, QRELS, RUN)))
    packed = files(tmp_path, gzip.compress(QRELS.encode()), gzip.compress(RUN.encode()))
    assert rows(joined(*packed)) == plain
    two = gzip.compress(RUN[:19].encode()) + gzip.compress(RUN[19:].encode())  # as cat makes it
    assert rows(joined(*files(tmp_path, QRELS, two))) == plain


GOOD_QRELS, GOOD_RUN = "1 0 a 1\n1 0 b 0\n", "1 Q0 a 1 0.5 t\n1 Q0 b 2 0.25 t\n"
REFUSED: dict[str, tuple[str | bytes, str | bytes, str]] = {
    "too few fields": (GOOD_QRELS, GOOD_RUN + "1 Q0 c 3 0.1\n", "'run' has 5 fields in line 3"),
    "too many fields": (GOOD_QRELS + "\n1 0 c 1 1\n", GOOD_RUN, "'qrels' has 5 fields in line 4"),
    "one line of two": (
        GOOD_QRELS.replace("\n", " ", 1),
        GOOD_RUN,
        "has 8 fields in line 1, but 4",
    ),
    "a grade that is a word": (GOOD_QRELS + "1 0 c x\n", GOOD_RUN, "'x' as the grade in line 3"),
    "a grade between grades": (GOOD_QRELS + "1 0 c 1.5\n", GOOD_RUN, "not a whole number"),
    "a grade beyond all": (GOOD_QRELS + "1 0 c 1e30\n", GOOD_RUN, "'1e30' as the grade in line 3"),
    "a score of NaN": (GOOD_QRELS, GOOD_RUN + "1 Q0 c 3 nan t\n", "'nan' as the score in line 3"),
    "a score of inf": (GOOD_QRELS, GOOD_RUN + "1 Q0 c 3 -inf t\n", "'-inf' as the score in line 3"),
    "a score that overflows": (GOOD_QRELS, "1 Q0 c 3 1e999 t\n", "'1e999' as the score in line 1"),
    "Python's numbers": (GOOD_QRELS, GOOD_RUN + "1 Q0 c 3 1_0 t\n", "'1_0' as the score in line 3"),
    "half a number": (GOOD_QRELS, GOOD_RUN + "1 Q0 c 3 1e t\n", "'1e' as the score in line 3"),
    "a long word": (GOOD_QRELS, f"1 Q0 c 3 {'9' * 60}x t\n", "as the score in line 1"),
    "a long number": (GOOD_QRELS, f"1 Q0 c 3 {'9' * 400} t\n", "as the score in line 1"),
    "a document twice": (
        *(GOOD_QRELS, GOOD_RUN + "2 Q0 a 1 1 t\n\n1 Q0 a 3 0.1 t\n"),
        "'run' has document 'a' of query '1' in line 1 and again in line 5",
    ),
    "a judgement twice": (
        *(GOOD_QRELS + "1 0 b 0\n", GOOD_RUN),
        "'qrels' has document 'b' of query '1' in line 2 and again in line 3",
    ),
    "the same query's twice, not judged": (
        *(GOOD_QRELS, GOOD_RUN + "7 Q0 z 1 1 t\n7 Q0 z 2 1 t\n"),
        "document 'z' of query '7' in line 3 and again in line 4",
    ),
    "no bytes": (GOOD_QRELS, b"", "'run' has no line"),
    "only blanks": (b" \n\t\n", GOOD_RUN, "'qrels' has no line"),
    "Latin-1": (GOOD_QRELS, GOOD_RUN.encode() + b"1 Q0 \xfc 3 0.1 t\n", "not UTF-8 text in line 3"),
    "a control character": (GOOD_QRELS + "1 0 c\x1fd 1\n", GOOD_RUN, "not UTF-8 text in line 3"),
    "UTF-16": (GOOD_QRELS.encode("utf-16-le"), GOOD_RUN, "not UTF-8 text in line 1"),
    "no common query": (GOOD_QRELS, "01 Q0 a 1 1 t\n", "have no query in common"),
    "half a packed file": (
        *(GOOD_QRELS, gzip.compress(GOOD_RUN.encode())[:-9]),
        "'run' cannot be read: compressed file ended before",
    ),
    "a damaged packed file": (
        *(GOOD_QRELS, gzip.compress(GOOD_RUN.encode())[:12] + b"\xff" * 40),
        "'run' cannot be read: ",
    ),
    "only the start of one": (GOOD_QRELS, b"\x1f\x8b", "'run' cannot be read: "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_invalid_lines_are_refused(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, run, said = REFUSED[case]
    files(tmp_path, qrels, run)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sy.SourceError) as caught:
        sy.read_trec("qrels", "run")
    assert said in str(caught.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    qrels, run = files(tmp_path, GOOD_QRELS, GOOD_RUN)
    with pytest.raises(sy.SourceError, match=r"there is no file '.*none'"):
        sy.read_trec(qrels, tmp_path / "none")
    with pytest.raises(sy.SourceError, match="cannot be read: is a directory"):
        sy.read_trec(tmp_path, run)


def counts(path: Path) -> dict[tuple[str, str], int]:
    """The counts that trec_eval printed, by name and query."""
    lines = map(str.split, gzip.decompress(path.read_bytes()).decode().splitlines())
    return {(name, query): int(value) for name, query, value in lines if name.startswith("num_")}


@pytest.mark.skipif(not ROBUST.is_dir(), reason=f"NO REFERENCE DATA in {ROBUST}")
@pytest.mark.parametrize("run", ["NLPR03vb10", "humR03dc", "rutcor03100"])
def test_the_counts_of_trec_eval(run: str) -> None:
    read = joined(ROBUST / "qrels.txt.gz", ROBUST / f"input.{run}.gz", complete=True)
    retrieved, relevant = ~np.isnan(read["score"]), read["grade"] > 0
    masks = {
        "num_ret": retrieved,
        "num_rel": relevant,
        "num_rel_ret": retrieved & relevant,
        "num_nonrel_judged_ret": retrieved & ~relevant & read["judged"],
    }
    found = {("num_q", "all"): len(set(read["query"].tolist()))}
    for name, mask in masks.items():
        found[name, "all"] = int(mask.sum())
        for query in set(read["query"].tolist()):
            found[name, query] = int(mask[read["query"] == query].sum())
    assert found == counts(ROBUST / f"trec_eval-9.0.8.{run}.gz")
