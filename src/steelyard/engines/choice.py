"""Which engine runs a request."""

from steelyard.engines.memory import MemoryEngine
from steelyard.engines.protocol import Engine
from steelyard.request.options import Request

IN_MEMORY: Engine = MemoryEngine()  # it keeps nothing between two jobs


def engine_of(request: Request) -> Engine:
    """The engine of a request: there is one so far."""
    return IN_MEMORY
