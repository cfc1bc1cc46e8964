"""Every text in the program's source that a person may read, as it stands there: what no example may leave out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

SENTENCE = re.compile(r"[A-Za-z]{2,}[,.:;]? +[a-zA-Z{“]|\} [a-z]{2,}|\w[.…]['\"]$")
"""Two words after one another, or a word with a full stop: names of files and keys have neither."""


def texts(root: Path) -> Iterator[tuple[Path, int, str]]:
    """File, line and text, without what is only said to programmers; ``{…}`` stands as it is written."""
    for path in sorted(root.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        silent = set(_docstrings(nodes)) | set(_inside(nodes))
        found = [(node.lineno, _written(node)) for node in nodes if _is_text(node) and node not in silent]
        yield from ((path, line, text) for line, text in sorted(found) if SENTENCE.search(text))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _written(node: ast.AST) -> str:
    return ast.unparse(node)


def _docstrings(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Strings that stand by themselves."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _inside(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What a string with values is made of."""
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield from (part for part in ast.walk(node) if part is not node)
