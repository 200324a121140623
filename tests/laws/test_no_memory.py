"""Where there is no memory, compiled kernels raise MemoryError: they do not end the process.

`rust/tests/no_memory.rs` lets each of their allocations fail; here it is the system that refuses.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

from steelyard import kernels
from tests.effort import random_cases

pytestmark = [
    pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built"),
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process"),
]


# Memory that is freed is given back at once, and threads keep none: so that the limit counts.
SCARCE = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": "0",
    "MALLOC_MMAP_THRESHOLD_": "65536",
}


def test_every_kernel_has_its_answer_or_says_that_there_is_no_memory() -> None:
    rows, steps = random_cases(200_000, 2_000_000), random_cases(3, 12)
    command = [sys.executable, "-m", "tests.laws.kernels_without_memory", str(rows), str(steps)]
    ended = subprocess.run(
        command, env=os.environ | SCARCE, capture_output=True, text=True, timeout=600
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert int(ended.stdout) > 50  # without any memory most kernels find none


def test_a_panic_in_a_kernel_is_told_as_one() -> None:
    """Columns that do not fit, which the package never gives, and nothing checks."""
    from steelyard.kernels import _rust  # not there where nothing was built

    lists = (np.array([0, 1]), np.ones(1), np.array([5], np.uint32), np.ones(1, np.uint32), None)
    term = ("discounted_gain", 10, 1.0, False, 0.5, np.ones(2))
    told = r"a compiled kernel failed: index out of bounds: .* columns changed while it read them\?"
    with pytest.raises(RuntimeError, match=told):
        _rust.list_gains(lists, term, np.empty(1), 1)
