"""The report in a notebook: a frame of its own, so that neither changes the look of the other."""

from html import escape

from steelyard import errors


def frame(page: str, height: int) -> str:
    """A frame that holds the page; its script may run, and may do nothing else."""
    return (
        f'<iframe sandbox="allow-scripts" width="100%" height="{height:d}" frameborder="0"'
        f' title="steelyard report" srcdoc="{escape(page)}"></iframe>'
    )


def show(page: str, height: int) -> None:
    """Display the page where IPython runs."""
    try:
        from IPython.display import HTML, display
    except ImportError as error:
        raise errors.NO_NOTEBOOK() from error
    display(HTML(frame(page, height)))
