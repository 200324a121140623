"""Each type has a name of its own: a name with two meanings misleads readers."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import steelyard

SOURCE = Path(steelyard.__file__).parent


def defined_types(tree: ast.Module) -> Iterator[str]:
    """The classes of a module and its type aliases, which are the other names in CamelCase."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for statement in tree.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        yield from (name for name in names if name.lstrip("_")[:1].isupper() and not name.isupper())


def test_no_type_name_has_two_definitions() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        for name in defined_types(ast.parse(path.read_text(encoding="utf-8"))):
            files[name].add(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in files.items() if len(found) > 1} == {}
