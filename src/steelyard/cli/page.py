"""What there is to say about a metric: plain data, for the catalogue and for its own page."""

from typing import Any, NamedTuple

from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED, Parameter
from steelyard.metrics.record import Metric
from steelyard.spec import Spec


class Page(NamedTuple):
    """A metric as people look it up."""

    family: str
    name: str
    aliases: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    own: tuple[Parameter, ...]  # those that it does not share with its whole family
    written: str  # the name before an @, where it is another
    cut: str
    grouped: bool
    title: str
    body: str
    shape: str | None

    @property
    def needed(self) -> list[str]:
        """The parameters that must be given."""
        return [p.name for p in self.parameters if p.default is REQUIRED]

    @property
    def call(self) -> str:
        """The name with its parameters: `fbeta(beta, threshold=0.5)`, `ndcg(gain=linear)[@k]`."""
        given = [
            p.name if p.default is REQUIRED else f"{p.name}={written(p.default)}" for p in self.own
        ]
        return f"{self.written}({', '.join(given)}){self.cut}" if given else self.written + self.cut

    def fields(self) -> dict[str, Any]:
        """The page as JSON has it."""
        return {
            "family": self.family,
            "name": self.name,
            "aliases": list(self.aliases),
            "parameters": [
                {"name": p.name, "required": True, "wanted": p.wanted}
                if p.default is REQUIRED
                else {"name": p.name, "required": False, "default": p.default, "wanted": p.wanted}
                for p in self.parameters
            ],
            "title": self.title,
            "one_number": self.shape is None,
        }


def pages() -> list[Page]:
    """Every metric, family by family."""
    found = [page(metric) for metric in catalogue.every()]
    return sorted(found, key=lambda page: (page.family, page.name))


def page(metric: Metric) -> Page:
    """A metric's page: its file's docstring, taken apart."""
    title, _, body = (metric.doc or "").strip().partition("\n")
    return Page(
        family=catalogue.family(metric),
        name=metric.function,
        aliases=metric.aliases,
        parameters=metric.parameters,
        own=tuple(p for p in catalogue.written(metric) if p not in metric.shared),
        written=metric.name,
        cut="" if metric.cut is None else "@k" if metric.cut.default is REQUIRED else "[@k]",
        grouped="group" in metric.roles_of_function[0],
        title=title.strip(),
        body=body.strip("\n").rstrip(),
        shape=metric.shape.__name__ if metric.shape else None,
    )


def written(value: Any) -> str:
    """A parameter's value as one writes it in a metric's name.

    >>> written(2.0), written(True), written("youden"), written(None)
    ('2', 'true', 'youden', 'none')
    """
    return "none" if value is None else str(Spec("x", (value,)))[2:-1]
