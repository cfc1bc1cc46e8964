"""Texts that engines wrote, and edits of them."""

from __future__ import annotations

import random
from pathlib import Path

from corpus import DATA

from viewer.base.record import dataclass
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.outline import is_key, type_row
from viewer.variant.items import Item
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

FOLDER = DATA / "texts"
CONFIGS = (".cfg", ".godot", ".import")
OTHERS = {
    "int": ("7", "-3", "5000000000"),
    "float": ("0.25", "-1.5", "1e+20"),
    "bool": ("true", "false"),
    "String": ('"changed"', '"two \\"quoted\\" words"', '"Ω"'),
    "Vector2": ("Vector2(3, 4.5)",),
    "Vector3": ("Vector3(1, -2, 0.5)",),
    "Color": ("Color(0.25, 0.5, 1, 1)",),
    "Rect2": ("Rect2(1, 2, 3, 4)",),
}
"""What values of some types become."""


def files(line: str, *endings: str) -> list[Path]:
    """The texts of an engine line with these endings."""
    return sorted(path for path in (FOLDER / line).iterdir() if path.suffix in endings)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One value of a text set to another.

    Args:
        text: the text behind the edit.
        value: what the literal says of all sections then.
    """

    text: bytes
    value: str
    place: str


def edits(path: Path, draw: random.Random, count: int) -> list[TextEdit]:
    """Some edits of a text, each of the text as it was."""
    out = []
    for _ in range(count):
        document = Document.open(path)
        table = document.frames[0].table
        choices = []
        for node in range(1, len(table)):
            row = type_row(document, Item(0, node))
            if row is not None and row.name in OTHERS and not is_key(table, node):
                choices.append((node, row.name))
        if not choices:
            continue
        node, name = draw.choice(choices)
        literal = draw.choice(OTHERS[name])
        try:
            document.apply(set_literal(document, Item(0, node), literal))
        except EditError:  # what holds it takes one type only
            continue
        whole = format_literal(read(document.frames[0].table, 0), document.dialect)
        out.append(TextEdit(bytes(document.to_be_written()[:]), whole, f"{path.name} {node} {literal}"))
    return out
