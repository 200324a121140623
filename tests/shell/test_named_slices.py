"""Slices by an expression that has a name, and a slice per file."""

import json
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

import steelyard
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
HOURS: dict[str, Any] = {
    "y": [1, 0, 1, 0, 1, 0],
    "p": [0.9, 0.1, 0.8, 0.2, 0.3, 0.7],  # the last pair is in the wrong order
    "hour": [1, 2, 9, 10, 22, 23],
    "country": ["DE", "DE", "DE", "DE", "US", "US"],
}
HOURLY: dict[str, Any] = {"label": "y", "score": "p", "metrics": "auc"}


def test_a_slice_by_an_expression_has_a_name() -> None:
    result = sy.evaluate(HOURS, **HOURLY, by={"part": "hour // 8"})
    assert [result.value("auc", part=part) for part in (0, 1, 2)] == [1.0, 1.0, 0.0]
    assert result.conventions.by == (("part",),)
    assert "by part=hour // 8" in str(result)
    crossed = [("country", {"part": "hour // 8"}), {"late": "hour > 20"}, "country"]
    both = sy.evaluate(HOURS, **HOURLY, by=crossed, where="hour > 2")
    assert both.conventions.by == (("country", "part"), ("late",), ("country",))
    assert both.value("auc", country="US", part=2) == both.value("auc", late=True) == 0.0
    with pytest.raises(sy.InputError, match="two slicings are called 'country'"):
        sy.evaluate(HOURS, **HOURLY, by=["country", {"country": "upper(country)"}])


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_slice_per_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """Columns of the names that we use, and files of other types, change nothing."""
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    rows = HOURS | {"filename": ["x"] * 6, "sy_file": ["y"] * 6, "file": ["z"] * 6}
    write = {"csv": "to_csv", "parquet": "to_parquet", "jsonl": "to_json"}[ending]
    how: dict[str, Any] = {"orient": "records", "lines": True} if ending == "jsonl" else {}
    names = [f"logs/{day}.{ending}" for day in ("mon", "tue", "[w]ed")]
    for name, stop in zip(names, (4, 6, 6), strict=True):
        frame = pandas.DataFrame(rows)[:stop]
        frame = frame.astype({"y": float}) if stop == 4 else frame  # so that types differ
        getattr(frame, write)(name, **how)
    for source in (names, "logs", f"logs/*.{ending}"):
        result = sy.evaluate(source, **HOURLY, by="filename", by_file=True)
        values = [result.value("auc", file=name) for name in names]
        assert values == [1.0, 8 / 9, 8 / 9]
        assert result.conventions.by == (("filename",), ("file",))
        assert result.value("auc", filename="x") == result["auc"]
    one = sy.evaluate(names[0], **HOURLY, by_file=True)
    assert one.value("auc", file=names[0]) == one["auc"]
    assert (
        run("eval", *names, *["--label", "y", "--score", "p", "-m", "auc", "--by-file"]).exit_code
        == 0
    )


def test_names_of_slices_are_what_states_merge_by() -> None:
    other = {"when" if name == "hour" else name: values for name, values in HOURS.items()}
    left = sy.state(HOURS, **HOURLY, by={"part": "hour // 8"})
    right = sy.state(other, **HOURLY, by={"part": '"when" // 8'})
    merged = sy.merge(left, right).result()
    assert [row.n for row in merged] == [12, 4, 4, 4]
    assert sy.State.loads(left.dumps()).result() == left.result()


def test_names_of_slices_on_the_command_line(tmp_path: Path) -> None:
    path = str(tmp_path / "log.csv")
    pandas.DataFrame(HOURS).to_csv(path, index=False)
    words = ["eval", path, "--label", "y", "--score", "p", "-m", "auc", "--format", "json"]
    done = run(*words, "--by", "country,part=hour // 8", "--by", "country='DE'")
    by = json.loads(done.stdout)["conventions"]["by"]
    assert by == [["country", "part"], ["country='DE'"]]  # after a column's name, = compares


def test_a_damaged_file_is_named_where_files_are_slices(folder: Path) -> None:
    Path("a.csv").write_text("y,s\n0,0.1\n1,0.2\n")
    Path("b.csv").write_text("y,s\n0,0.1\n1,0.2,3\n")
    with pytest.raises(sy.SourceError, match=r"b\.csv"):
        sy.evaluate(["a.csv", "b.csv"], label="y", score="s", metrics="auc", by_file=True)


def test_what_has_no_files_has_no_slice_per_file(tmp_path: Path) -> None:
    path = str(tmp_path / "log.csv")
    pandas.DataFrame(HOURS).to_csv(path, index=False)
    sources: list[dict[str, Any]] = [
        {"source": HOURS},
        {"source": HOURS | {"file": HOURS["country"]}},
        {"source": polars.DataFrame(HOURS)},
        {"source": pandas.DataFrame(HOURS)},
        {"source": path, "sql": "SELECT * FROM source"},
    ]
    for source in sources:
        with pytest.raises(sy.InputError, match="there are no files to slice by"):
            sy.evaluate(**source, **HOURLY, by_file=True)
    with pytest.raises(sy.InputError, match="two slicings are called 'file'"):
        sy.evaluate(path, **HOURLY, by="file", by_file=True)
