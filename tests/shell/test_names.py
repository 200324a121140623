"""Names of types: each has one definition, and so one meaning, in the whole library."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import steelyard

SOURCE = Path(steelyard.__file__).parent
ALIAS = re.compile(r"_?[A-Z][A-Z0-9]*[a-z]\w*")  # Floats, not EXACT


def types(module: ast.Module) -> Iterator[str]:
    """The classes and the type aliases that a module defines."""
    for statement in module.body:
        match statement:
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if ALIAS.fullmatch(name):
                    yield name


def test_a_type_name_is_defined_once() -> None:
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for name in types(ast.parse(path.read_text(encoding="utf-8"))):
            places[name].append(str(path.relative_to(SOURCE)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
