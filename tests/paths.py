"""Folders that tests read: the repository's own, and the reference data next to it."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SHARED = Path(os.environ.get("STEELYARD_SHARED", ROOT.parent / "shared"))
