"""Other processes: forks while a thread evaluates, pickled states and results, pools."""

import multiprocessing
import os
import pickle
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.metrics.catalogue import functions

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
FORKS = """
import os, signal, sys, threading, time
from steelyard.cached import cached_property

class Slow:
    def __init__(self, seconds): self.seconds = seconds
    @cached_property
    def value(self):
        started.set()
        time.sleep(self.seconds)
        return 7

started = threading.Event()
threading.Thread(target=lambda: Slow(2).value, daemon=True).start()
started.wait()
child = os.fork()
if not child:
    signal.alarm(5)  # a child that waits for the lock of the other thread is ended
    os._exit(0 if Slow(0).value == 7 else 1)
sys.exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_while_another_thread_evaluates_does_not_wait_for_it() -> None:
    assert subprocess.run([sys.executable, "-c", FORKS], timeout=60).returncode == 0


def test_no_property_has_the_lock_of_functools() -> None:
    """Before Python 3.12 it is shared by all objects of a class, also across a fork."""
    for path in Path(steelyard.__file__).parent.rglob("*.py"):
        assert not re.search(r"functools\b.*\bcached_property", path.read_text(encoding="utf-8"))


N = 30
GRADES, PLACES = [0, 1, 1] * (N // 3), [i % 7 / 8 + 1 / 16 for i in range(N)]
CLASSES = [(i * i) % 3 for i in range(N)]
ROWS_OF_METRICS: dict[str, dict[str, Any]] = {
    "scores": {"label": GRADES, "score": PLACES},
    "classes": {"label": CLASSES, "prediction": [i % 3 for i in range(N)]},
    "class scores": {"label": CLASSES, "score": [[0.5, 0.25, 0.25]] * N, "classes": [0, 1, 2]},
    "numbers": {"label": PLACES, "prediction": PLACES[::-1]},
}


def states_of_every_metric() -> dict[str, Any]:
    """A state of each metric that fits a table, with groups, weights and slices where it can."""
    more = {"weight": [1, 2, 3] * (N // 3), "by": {"half": [0, 1] * (N // 2)}}
    grouped = more | {"group": [i // 6 for i in range(N)]}
    states: dict[str, Any] = {}
    for name in functions():
        spec = name.replace("_at_k", "@3") if name.endswith("_at_k") else name
        for kind, roles in ROWS_OF_METRICS.items():
            for spelled in (spec, f"{spec}(0.5)", f"{spec}(macro)", f"{spec}(h)"):
                for others in (grouped, more):
                    with suppress(sy.SteelyardError, TypeError):
                        key = f"{spelled} of {kind}"
                        states.setdefault(key, sy.state(metrics=[spelled], **roles, **others))
    return states


@pytest.mark.filterwarnings("ignore")
def test_a_state_of_any_metric_pickles() -> None:
    states = states_of_every_metric()
    named = {key.split(" of ")[0].split("(")[0].replace("@3", "_at_k") for key in states}
    assert {"accuracy", "ece", "gauc", "ndcg", "map", "recall_at_k", "spearman"} <= named
    assert len(named) > 80
    for state in states.values():
        result = state.result()
        copied = pickle.loads(pickle.dumps(state))
        assert copied.dumps() == state.dumps()
        assert copied.result() == result == pickle.loads(pickle.dumps(result))


def test_processes_of_a_pool_take_and_give_states() -> None:
    """Spawned ones, which import everything anew."""
    metrics = ["accuracy", "ece", "gauc", "ndcg", "map"]
    days = [
        sy.state(label=[0, 1, y], score=[0.2, 0.7, 0.4], group=[1, 1, 1], metrics=metrics)
        for y in (0, 1)
    ]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(steelyard.State.result, days)
        again = pool.map(steelyard.State.loads, [day.dumps() for day in days])
    assert results == [day.result() for day in days]
    assert again == days
