"""Pages as HTML: one file, with a policy that allows its one style and its one script alone."""

import base64
import hashlib
import json
from functools import cache
from importlib import metadata
from importlib.resources import files
from math import isfinite
from typing import Any

from steelyard import phases
from steelyard.report.drawn_comparison import DrawnComparison
from steelyard.report.drawn_result import DrawnResult
from steelyard.report.report_page.diagnosis_page import DiagnosisPage
from steelyard.report.report_page.operating_points import (
    RATIOS,
    count_text,
    percent_text,
    ratio_text,
)
from steelyard.report.report_page.page import ReportPage, page_of
from steelyard.report.slice_order import small_text

# In JSON these characters are escapes: no text can end the element that holds it.
ESCAPED = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}
# In this order; what intervals need is on pages that have some.
STYLES, SCRIPTS = ("style.css",), ("script.js", "threshold.js", "slices.js", "hover.js")
OF_INTERVALS = ("intervals.css",), ("intervals.js",)
OF_DIAGNOSIS = ("diagnosis.css",)


def render(result: DrawnResult, comparison: DrawnComparison | None = None) -> str:
    """The report of a result; comparison: of its scores, if they were compared."""
    phases.begin("writing the page")
    return render_page(page_of(result, comparison))


def render_page(page: ReportPage) -> str:
    styles, scripts = OF_INTERVALS if page.intervals else ((), ())
    style, script = _style(STYLES + styles), _script(SCRIPTS + scripts)
    data = script_json(page.as_json)
    made: str = _template("template.html").render(
        page=page, style=style, script=script, data=data, policy=_policy(style, script)
    )
    return made.strip()


def render_diagnosis(page: DiagnosisPage) -> str:
    """The page of a diagnosis, which has no script."""
    style = _style(STYLES + OF_DIAGNOSIS)
    made: str = _template("diagnosis.html").render(page=page, style=style, policy=_policy(style))
    return made.strip()


def script_json(data: Any) -> str:
    """JSON that stays text inside a script element."""
    text = json.dumps(_finite(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(ESCAPED)


def _finite(data: Any) -> Any:
    """The same with null for numbers that JSON does not have: weights may add up to infinity."""
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data


def _policy(style: str, script: str = "") -> str:
    """Nothing is loaded from anywhere; the style and the script are allowed by their hashes."""
    allowed = f"script-src '{_hash(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; {allowed}"
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _style(names: tuple[str, ...]) -> str:
    return "\n".join(map(_text, names))


@cache
def _script(names: tuple[str, ...]) -> str:
    """The files of the script inside one function, so that they share names with nobody else."""
    return "\n".join(["(() => {", *map(_text, names), "})();"])


@cache
def _text(name: str) -> str:
    """A file of this package, with no space around it: the hash is of what the element holds."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


def _template(name: str) -> Any:
    return _environment().get_template(name)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals |= {
        "version": metadata.version("steelyard"),
        "ratio_names": RATIOS,
        "ratio": ratio_text,
        "count": count_text,
        "percent": percent_text,
        "small_text": small_text,
    }
    return environment
