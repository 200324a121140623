"""JSON in the schema `steelyard.result/1`, one row per line."""

import json
import os
from collections.abc import Sequence

from steelyard import errors
from steelyard.atomic_write import path_text
from steelyard.model import Conventions, Row, ShapeRow
from steelyard.report import schema
from steelyard.sources.file_kind import read_bytes

Parsed = tuple[list[Row], Conventions, list[ShapeRow]]
STRICT = json.JSONEncoder(allow_nan=False)  # json.dumps would make one for every row


def render(
    rows: Sequence[Row],
    conventions: Conventions,
    shapes: Sequence[Row] = (),
    *,
    indent: int | None = None,
) -> str:
    """Strict JSON in ASCII; one row per line if there is no indent."""
    if indent is not None:
        return json.dumps(schema.dump(rows, conventions, shapes), indent=indent, allow_nan=False)
    parts = schema.dump_head(rows, conventions, shapes)
    listed = ",\n".join(map(line, schema.dump_rows(rows, parts["slices"])))
    drawn = ",\n".join(map(line, schema.dump_shapes(shapes, parts["slices"])))
    drawn = f"\n{drawn}\n" if drawn else ""
    head = ",\n".join(f"{json.dumps(name)}: {line(part)}" for name, part in parts.items())
    return f'{{\n{head},\n"rows": [\n{listed}\n],\n"shapes": [{drawn}]}}'


def line(part: object) -> str:
    return STRICT.encode(part)


def parse(text: str | bytes) -> Parsed:
    """The rows, conventions and shapes of a text that `render` made."""
    try:
        data = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise errors.NOT_A_RESULT(reason=f"it is not JSON ({error})") from None
    return schema.load(data)


def parse_text_or_file(text: str | bytes | os.PathLike[str]) -> Parsed:
    """The rows, conventions and shapes of a text, or of the file whose path it is."""
    if isinstance(text, str | bytes) and not _is_path(text):
        return parse(text)
    path = path_text(text)
    data = read_bytes(path)
    try:
        return parse(data)
    except errors.SourceError as error:
        raise errors.UNREADABLE(path=path, reason=errors.clause(error)) from error


def _is_path(text: str | bytes) -> bool:
    """Whether it is the path of a file; a result in JSON begins with a brace."""
    if isinstance(text, bytes) or text.lstrip()[:1] == "{" or "\n" in text:
        return False
    try:
        return text.endswith(".json") or os.path.exists(text)
    except ValueError:  # a zero byte
        return False


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
