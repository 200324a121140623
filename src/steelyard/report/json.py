"""JSON in the schema `steelyard.result/1`, one row per line."""

import json
from collections.abc import Sequence

from steelyard import errors
from steelyard.model import Conventions, Row, ShapeRow
from steelyard.report import schema

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


def parse(text: str | bytes) -> tuple[list[Row], Conventions, list[ShapeRow]]:
    """The rows, conventions and shapes of a text that `render` made."""
    try:
        data = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise errors.NOT_A_RESULT(reason=f"it is not JSON ({error})") from None
    return schema.load(data)


def _refused(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
