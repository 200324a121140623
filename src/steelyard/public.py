"""The public names: a plain function for each name of a metric, and a few others."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from steelyard.errors import SpecError, nearest, no_attribute

# The module of each public name that is no metric's function; `plot` is a module itself.
MODULES = {
    "evaluate": "steelyard.api",
    "state": "steelyard.api",
    "compare": "steelyard.api",
    "merge": "steelyard.api",
    "load": "steelyard.api",
    "diagnose": "steelyard.api",
    "explain": "steelyard.pages",
    "plot": "steelyard",
    "lrap": "steelyard.evaluation.multi_label",
    "label_ranking_average_precision_score": "steelyard.evaluation.multi_label",
    "read_trec": "steelyard.sources.qrels",
    "read_letor": "steelyard.sources.letor",
    "from_lists": "steelyard.sources.ranked_lists",
    "from_qrels": "steelyard.sources.qrels",
    "Comparison": "steelyard.comparison.page",
    "EstimatedValue": "steelyard.model",
    "State": "steelyard.evaluation.saved_state",
    "Result": "steelyard.result.result",
    "Diagnosis": "steelyard.diagnosis.page.diagnosis",
    "SteelyardError": "steelyard.errors",
    "InputError": "steelyard.errors",
    "SpecError": "steelyard.errors",
    "StateError": "steelyard.errors",
    "SourceError": "steelyard.errors",
    "FontWarning": "steelyard.errors",
    "SkippedWarning": "steelyard.errors",
    "UndefinedWarning": "steelyard.errors",
}


def names() -> list[str]:
    """Every public name."""
    from steelyard.metrics.catalogue import functions

    return [*MODULES, *functions()]


def load(name: str, namespace: dict[str, Any]) -> Any:
    """The object of a public name, kept in the namespace so that it is made once."""
    if name.startswith("_") or not name.isidentifier():
        raise no_attribute(name)
    if MODULES.get(name, __package__) != __package__:
        value = getattr(import_module(MODULES[name]), name)
    elif find_spec(f"steelyard.{name}"):  # `from steelyard import errors` calls this first
        value = import_module(f"steelyard.{name}")
    else:
        from steelyard.functions import plain_function

        try:
            value = plain_function(name)
        except SpecError as error:
            close = nearest(name, names())
            hint = f"did you mean sy.{close}" if close in MODULES else error
            raise no_attribute(name, hint) from None
    namespace[name] = value
    return value
