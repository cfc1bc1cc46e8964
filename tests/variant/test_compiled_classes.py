"""A class that is compiled has the attributes that its ``.pxd`` declares; to set another one ends the program."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import viewer

SOURCES = sorted(file for file in Path(viewer.__file__).parent.rglob("*.pxd") if "cdef class" in file.read_text())


def declared(text: str) -> dict[str, set[str]]:
    """The attributes of each class that a ``.pxd`` declares, with those of the compiled class that it is made of."""
    found: dict[str, set[str]] = {}
    for block in re.split(r"^cdef class ", text, flags=re.M)[1:]:
        lines = [line.strip() for line in block.splitlines()[1:]]
        fields = [line for line in lines if line.startswith("cdef ") and "(" not in line]
        name, base = re.match(r"(\w+)(?:\((\w+)\))?", block).groups()
        found[name] = {re.findall(r"\w+", part)[-1] for line in fields for part in line.split(",")}
        if base:
            other = next(each for each in map(Path.read_text, SOURCES) if f"cdef class {base}" in each)
            found[name] |= declared(other)[base]
    return found


def written(text: str, name: str) -> set[str]:
    """The attributes that a class sets of itself."""
    body = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name == name)
    return {
        node.attr
        for node in ast.walk(body)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }


@pytest.mark.parametrize("source", [pytest.param(file, id=file.stem) for file in SOURCES])
def test_what_a_compiled_class_sets_is_declared(source: Path) -> None:
    plain = source.with_suffix(".py").read_text(encoding="utf-8")
    for name, fields in declared(source.read_text(encoding="utf-8")).items():
        assert written(plain, name) - fields == set()
