"""The byte format of states (`.sy`).

    magic "STEELYRD" · version u16 · header length u32 · header (JSON, UTF-8) · its CRC-32
    then each section that the header lists as [name, type, count]: bytes · their CRC-32

All numbers are little-endian. Invalid bytes are an error that names the invalid part.
"""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Array

LOWEST_UNIT, HIGHEST_UNIT = -1074, 1023  # powers of two of a float64
MAGIC = b"STEELYRD"
VERSION = 1
SECTION_TYPES = ("<f4", "<f8", "|u1", "<u2", "<u4", "<u8", "<i8")
HeaderAndSections = tuple[Mapping[str, Any], Mapping[str, Array]]
_FIXED = struct.Struct("<HI")
_CRC = struct.Struct("<I")


def pack(header: Mapping[str, Any], sections: Mapping[str, Array]) -> bytes:
    """The bytes of a header and arrays; equal input gives equal bytes."""
    listed = [[name, _wire_type(array), len(array)] for name, array in sections.items()]
    text = json.dumps({**header, "sections": listed}, sort_keys=True).encode()
    parts = [MAGIC, _FIXED.pack(VERSION, len(text)), *_checked(text)]
    for array in sections.values():
        parts += _checked(np.ascontiguousarray(array, _wire_type(array)).tobytes())
    return b"".join(parts)


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """The header and arrays of bytes, with every checksum verified."""
    reader = _ByteReader(data)
    if (start := bytes(reader.rest[: len(MAGIC)])) != MAGIC:
        raise errors.NOT_A_STATE(start=start, magic=MAGIC)
    reader.take(len(MAGIC), "the magic")
    version, length = _FIXED.unpack(reader.take(_FIXED.size, "the version"))
    if version != VERSION:
        raise errors.STATE_VERSION(version=version, known=VERSION)
    header = _header(reader.take_checked(length, "the header"))
    sections = {}
    for name, kind, count in _listed(header.pop("sections", None)):
        raw = reader.take_checked(count * np.dtype(kind).itemsize, f"section {name!r}")
        sections[name] = np.frombuffer(raw, kind).astype(np.dtype(kind).newbyteorder("="))
    if reader.rest:
        raise errors.STATE_DAMAGED(part="its end", reason="other data follows it")
    return header, sections


def prefixed(prefix: str, sections: Mapping[str, Array]) -> dict[str, Array]:
    """Sections under names with a prefix, which distinguishes those of several parts."""
    return {f"{prefix}.{name}": array for name, array in sections.items()}


def by_prefix(sections: Mapping[str, Array]) -> dict[str, dict[str, Array]]:
    """The sections of each prefix."""
    found: dict[str, dict[str, Array]] = {}
    for name, array in sections.items():
        prefix, _, rest = name.partition(".")
        found.setdefault(prefix, {})[rest] = array
    return found


@contextmanager
def described(what: str) -> Iterator[None]:
    """Turn errors of an invalid header into one message."""
    try:
        yield
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as error:
        reason = f"it does not describe {what} ({error})"
        raise _bad_header(reason) from error


def whole(stored: Any) -> int:
    """A whole number of the header; 1.0 and true are refused."""
    if type(stored) is not int:
        raise TypeError(f"{stored!r} instead of a whole number")
    return stored


def unit(stored: Any) -> int:
    """The unit of weights: they are multiples of 2**unit."""
    if not LOWEST_UNIT <= whole(stored) <= HIGHEST_UNIT:
        raise ValueError(f"no weight has the unit 2**{stored}")
    return whole(stored)


def names(stored: Any) -> list[str]:
    """A list of strings of the header."""
    if not isinstance(stored, list) or not all(isinstance(name, str) for name in stored):
        raise TypeError(f"{stored!r} instead of names")
    return stored


def refuse_other_bytes(written: bytes, read: bytes) -> None:
    """Refuse bytes that differ from those that a state read from them would write.

    So order, units and types have one form, and no kind of state needs to check its own.
    """
    if written != read:
        raise errors.STATE_DAMAGED(part="its content", reason="it is not in canonical form")


class _ByteReader:
    """Takes bytes from the front; an error names the part that is missing."""

    def __init__(self, data: bytes) -> None:
        self.rest = memoryview(data).cast("B")

    def take(self, size: int, part: str) -> bytes:
        if len(self.rest) < size:
            raise errors.STATE_TRUNCATED(part=part, wanted=size, found=len(self.rest))
        taken, self.rest = bytes(self.rest[:size]), self.rest[size:]
        return taken

    def take_checked(self, size: int, part: str) -> bytes:
        taken = self.take(size, part)
        (crc,) = _CRC.unpack(self.take(_CRC.size, f"the checksum of {part}"))
        if crc != zlib.crc32(taken):
            raise errors.STATE_DAMAGED(part=part, reason="its checksum does not fit")
        return taken


def _checked(raw: bytes) -> tuple[bytes, bytes]:
    return raw, _CRC.pack(zlib.crc32(raw))


def _wire_type(array: Array) -> str:
    return array.dtype.newbyteorder("<").str


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text, parse_constant=_infinite)
    except (ValueError, RecursionError) as error:
        raise _bad_header("it is not JSON") from error
    if not isinstance(header, dict):
        raise _bad_header("it is not a JSON object")
    return header


def _infinite(name: str) -> float:
    """A key may be infinite; nothing in a header is NaN."""
    if name == "NaN":
        raise ValueError
    return float(name)


def _listed(sections: Any) -> list[tuple[str, str, int]]:
    if not isinstance(sections, list):
        raise _bad_header("it lists no sections")
    try:
        listed = [(str(name), kind, count) for name, kind, count in sections]
    except (TypeError, ValueError) as error:
        raise _bad_header("a section is not [name, type, count]") from error
    if len({name for name, _, _ in listed}) != len(listed):
        raise _bad_header("it lists a section twice")
    for name, kind, count in listed:
        if kind not in SECTION_TYPES or type(count) is not int or count < 0:
            raise _bad_header(f"section {name!r} is {count!r} values of type {kind!r}")
    return listed


def _bad_header(reason: str) -> errors.SteelyardError:
    return errors.STATE_DAMAGED(part="the header", reason=reason)
