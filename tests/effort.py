"""How many random cases a test tries: more of them in `make test-all`."""

from hypothesis import settings


def random_cases(quick: int, full: int) -> int:
    """The number for `make test`, or for `make test-all`, which loads the profile `full`."""
    return full if settings.get_current_profile_name() == "full" else quick
