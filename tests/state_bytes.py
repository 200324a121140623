"""State bytes written and read by hand, as the format's page says: no code of ours is used."""

import json
import struct
import zlib
from typing import Any

READING = {"nan": "error", "positive": None, "score_type": "float64"}
Sections = dict[str, tuple[str, bytes]]

SIZES = {"<f4": 4, "<f8": 8, "|u1": 1, "<u2": 2, "<u4": 4, "<u8": 8, "<i8": 8}


def crc(raw: bytes) -> bytes:
    return raw + struct.pack("<I", zlib.crc32(raw))


def seal(text: bytes, *sections: bytes, magic: bytes = b"STEELYRD", version: int = 1) -> bytes:
    """Any header and sections, with the checksums they should have."""
    start = magic + struct.pack("<HI", version, len(text))
    return start + crc(text) + b"".join(map(crc, sections))


def forge(header: dict[str, Any], sections: Sections | None = None) -> bytes:
    sections = sections or {}
    listed = [
        [name, kind, len(raw) // SIZES.get(kind, 1)] for name, (kind, raw) in sections.items()
    ]
    text = json.dumps({"sections": listed, **header}, sort_keys=True)
    return seal(text.encode(), *(raw for _, raw in sections.values()))


CELLS_HEADER = {
    "kind": "cells",
    "config": {"threshold": 0.5},
    "reading": READING,
    "negative_label": 0,
    # Hexadecimal numerators over powers of two: 3, 10/8 (as 5/4), 255 and 0.
    "sums": {"tp": "3p-0", "fp": "5p-2", "fn": "ffp-0", "tn": "0p-0"},
}

TABLE_HEADER = {
    "kind": "score_table",
    "config": {},
    "reading": READING,
    "negative_label": 0,
    "unit": -1,  # weights count halves
    "rows": [3, 1],
}
TABLE_SECTIONS: Sections = {
    "positive.scores": ("<f8", struct.pack("<2d", 0.25, 0.75)),
    "positive.weights.0": ("|u1", bytes([1, 4])),
    "negative.scores": ("<f8", struct.pack("<d", 0.5)),
    "negative.weights.0": ("|u1", bytes([6])),
}


def taken_apart(data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Header and raw sections, read by hand."""
    (length,) = struct.unpack_from("<I", data, 10)
    header = json.loads(data[14 : 14 + length])
    rest, sections = data[14 + length + 4 :], []
    for _, kind, count in header["sections"]:
        size = SIZES[kind] * count
        sections.append(rest[:size])
        rest = rest[size + 4 :]
    return header, sections
