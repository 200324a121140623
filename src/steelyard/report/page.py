"""The page of a metric: the contents of its record as plain data.

The command line, notebooks, `help()` and `docs/metrics/` show the same page.
"""

from dataclasses import fields, replace
from typing import Any, NamedTuple

from steelyard.errors import SpecError
from steelyard.metrics import catalogue
from steelyard.metrics.about import About
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import BOOTSTRAP, INFLUENCE, NONE, PLAIN, Interval
from steelyard.metrics.parameter import REQUIRED, Parameter
from steelyard.metrics.record import PREDICTION, Metric
from steelyard.report.preset_notes import every_setting
from steelyard.spec import Spec, parse, written

SCORES = "y_score"
OF_CLASSES = " --score CAT --score DOG --classes cat,dog"
BEST = {"depends": "whether higher or lower is better depends"}
BY_KIND = {INFLUENCE: "from influence values", BOOTSTRAP: "only by bootstrap", NONE: "none"}
A_SHAPE = Interval(NONE, "it is more than one number")


class Page(NamedTuple):
    """The page of a metric; `bound`: the metric with parameters, if it was requested with some."""

    metric: Metric
    bound: BoundMetric | None = None

    @property
    def family(self) -> str:
        return self.metric.family

    @property
    def name(self) -> str:
        """The name of its function, and of its page."""
        return self.metric.function

    @property
    def heading(self) -> str:
        name = self.bound.name if self.bound else self.name
        return f"{name} ({self.family})" if self.shared else name

    @property
    def shared(self) -> bool:
        """Whether its function also computes another metric, for other arguments."""
        return len(catalogue.functions().get(self.name, ())) > 1

    @property
    def about(self) -> About:
        return self.metric

    @property
    def title(self) -> str:
        """The full name and the definition in one phrase: "AUC: the chance that …"."""
        return (self.metric.doc or "").strip().partition("\n")[0].strip()

    @property
    def notes(self) -> list[str]:
        """The other paragraphs of the docstring of its file."""
        rest = (self.metric.doc or "").strip().partition("\n")[2].strip("\n")
        return rest.rstrip().split("\n\n") if rest.strip() else []

    @property
    def own(self) -> list[Parameter]:
        """Its parameters, except for those that its whole family has."""
        return [p for p in catalogue.written(self.metric) if p not in self.metric.shared]

    @property
    def needed(self) -> list[str]:
        """The names of the required parameters."""
        return [p.name for p in self.metric.parameters if p.default is REQUIRED]

    @property
    def call(self) -> str:
        """The name with its parameters in a table: `fbeta(beta, threshold=0.5)`, `ndcg[@k]`."""
        defaults = {p.name: p.default for p in self.own} | dict(self.metric.table_defaults)
        given = [
            name if default is REQUIRED else f"{name}={written(default)}"
            for name, default in defaults.items()
        ]
        cut = self.metric.cut
        k = "" if cut is None else "@k" if cut.default is REQUIRED else "[@k]"
        return f"{self.metric.name}({', '.join(given)}){k}" if given else self.metric.name + k

    @property
    def presets(self) -> str:
        """The presets that set something for it, and what: "trec_eval (ties=trec)"."""
        return ", ".join(f"{tool} ({found})" for tool, found in every_setting(self.metric))

    @property
    def grouped(self) -> bool:
        return "group" in self.metric.reading_keywords[0]

    @property
    def better(self) -> str:
        return BEST.get(self.about.better, f"{self.about.better} is better")

    @property
    def interval(self) -> Interval:
        """How its value gets an interval."""
        return self.metric.interval if self.metric.shape is None else A_SHAPE

    @property
    def interval_phrase(self) -> str:
        """The same in words: "from influence values, on the logit scale"."""
        interval = self.interval
        scale = f", on the {self.metric.scale} scale" if self.metric.scale != PLAIN else ""
        scale += ", with half of the degrees of freedom" if interval.freedom < 1 else ""
        note = f" ({interval.note})" if interval.note else ""
        because = f", because {interval.why}{note}" if interval.why else scale
        return BY_KIND[interval.kind] + because

    @property
    def in_python(self) -> str:
        """How to call its function."""
        needed = [f"{name}=..." for name in (*self.needed, *self.metric.shown_in_usage)]
        group = ["group=..."] if self.grouped else []
        second = self.metric.argument_names[0]
        if self.metric.reads == PREDICTION and second == SCORES:
            second = "[[...], ...]"  # a score for each class
        return f"sy.{self.name}({', '.join(['y_true', second, *group, *needed])})"

    @property
    def in_a_table(self) -> str:
        """How to request it on the command line."""
        shown = [
            p.name
            for p in self.own
            if p.default is REQUIRED or p.name in self.metric.shown_in_usage
        ]
        needed = [f"{name}=..." for name in shown]
        call = f"{self.metric.name}({', '.join(needed)})" if needed else self.metric.name
        cut = "@10" if self.metric.cut else ""
        role = " --group COLUMN" if self.grouped else ""
        if self.metric.reads == PREDICTION:
            role = OF_CLASSES if self.metric.argument_names[0] == SCORES else " --prediction COLUMN"
        return f"steelyard eval FILE{role} -m " + (f'"{call}"{cut}' if needed else call + cut)

    def takes(self, parameter: Parameter) -> str:
        """The meaning of a parameter, its values, its default, and its value here if different."""
        given = (
            "required" if parameter.default is REQUIRED else f"default {written(parameter.default)}"
        )
        value = self.bound.params[parameter.name] if self.bound else parameter.default
        here = [] if value == parameter.default else [f"here {written(value)}"]
        return "; ".join(filter(None, [parameter.means, parameter.wanted, given, *here]))

    def fields(self) -> dict[str, Any]:
        """The fields of the metric in the JSON of a catalogue."""
        return {
            "family": self.family,
            "name": self.name,
            "reads": self.metric.reads,
            "aliases": list(self.metric.aliases),
            "parameters": [_parameter(p) for p in self.metric.parameters],
            "title": self.title,
            "one_number": self.metric.shape is None,
        }

    def record(self, gives: str) -> dict[str, Any]:
        """The whole page for JSON; `gives`: the value of the example."""
        about = {field.name: getattr(self.about, field.name) for field in fields(About)}
        interval = {**self.interval._asdict(), "scale": self.metric.scale}
        page = {**self.fields(), **about, "gives": gives, "notes": self.notes}
        return page | {"interval": interval}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    required = parameter.default is REQUIRED
    return {
        "name": parameter.name,
        "required": required,
        **({} if required else {"default": parameter.default}),
        "wanted": parameter.wanted,
        "means": parameter.means,
    }


def pages() -> list[Page]:
    """The pages of all metrics, by family."""
    return sorted(map(Page, catalogue.every()), key=lambda page: (page.family, page.name))


def pages_of(text: str) -> list[Page]:
    """The page of every metric that has this name, with the parameters given."""
    spec = parse(text)
    spec = replace(spec, name=catalogue.spelled(spec.name))
    named = [page for page in pages() if _has_name(page.metric, spec)]
    if not named:
        catalogue.resolve(spec)  # raises an error with a suggestion
    if spec == Spec(spec.name):  # a name alone needs no required parameters
        return named
    found, refused = [], []
    for page in named:
        try:
            found.append(page._replace(bound=catalogue.bind_spec(page.metric, spec)))
        except SpecError as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return found


def _has_name(metric: Metric, spec: Spec) -> bool:
    cuts = spec.k is None or metric.cut is not None
    return cuts and spec.name in (metric.name, *metric.names)
