"""State bytes written and read by hand after the page of the format, without our own code."""

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


def doubles(*values: float) -> tuple[str, bytes]:
    return "<f8", struct.pack(f"<{len(values)}d", *values)


def small(*values: int) -> tuple[str, bytes]:
    """Whole numbers of one byte each."""
    return "|u1", bytes(values)


def middling(*values: int) -> tuple[str, bytes]:
    """Whole numbers of four bytes each."""
    return "<u4", struct.pack(f"<{len(values)}I", *values)


def large(*values: int) -> tuple[str, bytes]:
    """Whole numbers of eight bytes each."""
    return "<i8", struct.pack(f"<{len(values)}q", *values)


# Rows: a positive of 0.75 and weight 2.5, one of 0.25 and weight 0.5, a negative of -4 and weight
# 2**31. A sum is written in digits of 31 bits, lowest first, its power the multiple of 31 that the
# lowest counts; what is below zero has a 1 in `negative`, which takes away 2**31 to the digits.
SUMS_HEADER: dict[str, Any] = {
    "kind": "sums",
    "config": {
        "key": None,
        "terms": ["called 0.5", "hit 0.5", "rows", "weight", "weighted_prediction_sum"],
    },
    "reading": READING,
    "negative_label": 0,
    "keys": [],
    "powers": [
        {"called 0.5": -31, "hit 0.5": -31, "rows": 0, "weight": 0, "weighted_prediction_sum": 0}
    ],
    "outside": True,  # a score is not from 0 to 1
}
SUMS_SECTIONS: Sections = {
    "0.called 0.5.0": middling(1 << 30),  # 2.5 is 2**30 + 2·2**31 of 2**-31
    "0.called 0.5.1": small(2),
    "0.hit 0.5.0": middling(1 << 30),
    "0.hit 0.5.1": small(2),
    "0.rows.0": small(3),
    "0.weight.0": small(3),  # 3 + 2**31
    "0.weight.1": small(1),
    "0.weighted_prediction_sum.0": small(2),  # 1.875 + 0.125 − 4·2**31
    "0.weighted_prediction_sum.1": middling((1 << 31) - 4),
    "0.weighted_prediction_sum.negative": small(1),
}

# By field: weights 300 and 0.25 in "DE", 1 in "FR", 2 where there is no value; of one slice.
FIELDS_HEADER: dict[str, Any] = {
    "kind": "sums",
    "config": {"key": "field country", "terms": ["weight"]},
    "reading": READING,
    "negative_label": 0,
    "keys": [["DE"], ["FR"], [None]],  # numbers, then words, then what is missing
    "powers": [{"weight": -31}],
}
FIELDS_SECTIONS: Sections = {
    "0.slice": middling(0, 0, 0),
    "0.key": middling(0, 1, 2),
    "0.weight.0": middling(1 << 29, 0, 0),
    "0.weight.1": ("<u2", struct.pack("<3H", 300, 1, 2)),
}

TABLE_HEADER: dict[str, Any] = {
    "kind": "score_table",
    "config": {},
    "reading": READING,
    "negative_label": 0,
    "units": [-1],  # weights count halves
}
TABLE_SECTIONS: Sections = {
    "0.positive.sizes": large(2),
    "0.positive.scores": doubles(0.25, 0.75),
    "0.positive.weights.0": small(1, 4),
    "0.negative.sizes": large(1),
    "0.negative.scores": doubles(0.5),
    "0.negative.weights.0": small(6),
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
