"""The thread that reads ahead: it ends when its reader stops."""

import gc
import signal
import subprocess
import sys
import threading
import time

import pytest

import steelyard as sy
from steelyard.sources.blocks import ColumnRequest
from steelyard.sources.duck.connection import open_table


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "steelyard-reader"]


LARGE = "SELECT range AS i, range::VARCHAR AS w FROM range(20000000)"


def test_an_abandoned_reader_ends() -> None:
    with open_table(LARGE) as table:
        blocks = table.blocks([ColumnRequest("i", "number")], None)
        assert next(blocks).start == 0
        assert len(readers()) == 1
        del blocks
        gc.collect()
        assert readers() == []
        assert next(table.blocks([ColumnRequest("i", "number")], None)).start == 0  # and again
        gc.collect()
        left = table.blocks([ColumnRequest("i", "number")], None)
        next(left)
    assert readers() == []  # a closed table leaves none either


@pytest.mark.usefixtures("default_signals")
def test_ctrl_c_interrupts_reading() -> None:
    """The query alone would take minutes: the first block needs all of it."""
    sql = (
        "SELECT count(*) AS n FROM range(3000000) a, range(3000000) b WHERE (a.range ^ b.range) < 0"
    )
    main = threading.main_thread().ident
    assert main is not None
    with open_table(None, sql=sql) as table:
        timer = threading.Timer(0.5, signal.pthread_kill, [main, signal.SIGINT])
        timer.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            list(table.blocks([ColumnRequest("n", "number")], None))
        assert time.monotonic() - start < 10
        assert readers() == []


def test_a_program_that_ends_in_the_middle_ends() -> None:
    code = (
        "from steelyard.sources.blocks import ColumnRequest\n"
        "from steelyard.sources.duck.connection import open_table\n"
        f"table = open_table({LARGE!r})\n"
        "blocks = table.blocks([ColumnRequest('i', 'number')], None)\n"
        "next(blocks)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_errors_in_a_late_block_are_raised() -> None:
    late = "CASE WHEN range = 5000000 THEN error('late') ELSE range END"
    with open_table(f"SELECT {late} AS i FROM range(6000000)") as table:
        blocks = table.blocks([ColumnRequest("i", "key")], None)
        assert next(blocks).rows > 0
        with pytest.raises(sy.SourceError, match="late"):
            list(blocks)
    assert readers() == []
