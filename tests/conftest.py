"""Settings that every test shares."""

from hypothesis import settings

# No deadline: a busy machine is not a fault. Derandomized: a red run is red again.
settings.register_profile("steelyard", deadline=None, derandomize=True)
settings.load_profile("steelyard")
