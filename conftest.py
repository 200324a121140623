"""Where no kernels were compiled, the modules that import them are not collected."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("steelyard.kernels._rust") else ["src/steelyard/kernels/rust"]
