"""The report in a notebook: a frame of its own, so that neither changes the look of the other."""

from dataclasses import dataclass
from html import escape

from steelyard import errors


@dataclass(frozen=True, repr=False)
class NotebookFrame:
    """A frame that holds the page; its script may run, and may do nothing else.

    IPython's own HTML warns of frames, and its IFrame needs an address.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{self.height:d}" frameborder="0"'
            f' title="steelyard report" srcdoc="{escape(self.page)}"></iframe>'
        )

    def __repr__(self) -> str:
        return "steelyard report"


def show(page: str, height: int) -> None:
    """Display the page where IPython runs."""
    try:
        from IPython.display import display
    except ImportError as error:
        raise errors.NO_NOTEBOOK() from error
    display(NotebookFrame(page, height))
