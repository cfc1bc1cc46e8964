"""The editor of vectors, rectangles, planes, quaternions, boxes and matrices: a grid of their components."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from viewer.document.forms.components import grid
from viewer.document.forms.target import EditTarget
from viewer.ui.editors.fields import NumberField, heading, label
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.palette import Theme
from viewer.variant.value import Number

SPACING = 8


class ComponentEditor(Editor):
    """One field a component, where it stands in the value; Tab goes through them as they lie in the bytes."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        assert isinstance(target.data, tuple)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACING)
        self.fields: list[NumberField] = []
        places = grid(target.fields)
        for column, name in enumerate(places.columns, 1):
            layout.addWidget(heading(name), 0, column, Qt.AlignmentFlag.AlignHCenter)
            layout.setColumnStretch(column, 1)
        for row, name in enumerate(places.rows, 1):
            layout.addWidget(label(name), row, 0)
        for field, number, (row, column) in zip(target.fields, target.data, places.cells, strict=True):
            assert isinstance(number, int | float)
            entry = NumberField(number, field.type, field.name)
            entry.textChanged.connect(self.edited)
            layout.addWidget(entry, row + 1, column + 1)
            self.fields.append(entry)
        for first, second in pairwise(self.fields):
            self.setTabOrder(first, second)

    def made(self) -> tuple[Number, ...]:
        """All components."""
        return tuple(field.number() for field in self.fields)

    def start(self) -> None:
        """Begin at the first component."""
        self.fields[0].setFocus()
        self.fields[0].selectAll()
