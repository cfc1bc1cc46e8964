"""The editors of values with several fields.

Vectors, rectangles, boxes, matrices and the like are a grid of components; ids, signals and input events have their
fields one under the other, words of flags as named bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QGridLayout, QHBoxLayout

from viewer.document.forms.components import Bit, bits_of, grid, with_bit
from viewer.document.forms.target import EditTarget, Proposal
from viewer.document.forms.typed_values import bits_text, escaped, unescaped
from viewer.ui.editors.fields import CheckBox, NumberField, heading, label, note, quietly
from viewer.ui.editors.value_editor_base import Editor
from viewer.ui.look.fonts import fixed_font
from viewer.ui.look.palette import Theme
from viewer.ui.panels.panel_widgets import LongLine
from viewer.variant.dialect import input_event
from viewer.variant.value import Data, InputEvent, Number, ObjectId, Signal

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


class FlagsField(NumberField):
    """A word of flags: its number, and a box for each bit that has a name."""

    def __init__(self, theme: Theme, number: int, kind: str, name: str, bits: Sequence[Bit]) -> None:
        super().__init__(number, kind, name)
        self.setText(bits_text(number, kind))
        self.boxes = QHBoxLayout()
        self._boxes = [(bit, CheckBox(theme, bit.name)) for bit in bits]
        for bit, box in self._boxes:
            self.boxes.addWidget(box)
            box.toggled.connect(partial(self._switch, bit))
        self.boxes.addStretch()
        self.textChanged.connect(self._follow)
        self._follow()

    def _switch(self, bit: Bit, on: bool) -> None:
        self.setText(bits_text(with_bit(self._word(), bit, on), self.kind))

    def _follow(self) -> None:
        for bit, box in self._boxes:
            quietly(box, partial(box.setChecked, bool(self._word() & bit.mask)))

    def _word(self) -> int:
        return 0 if self.property("invalid") else int(self.number())


class IdEditor(Editor):
    """An object's id or a resource handle."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        data = target.data
        number = data.id if isinstance(data, ObjectId) else data
        assert isinstance(number, int)
        self.field = NumberField(number, "u64", "")
        self.field.setAccessibleName("Id")
        layout = _form(self)
        layout.addRow(label("&Id", self.field), self.field)
        layout.addRow(note("An id means something only in the process that wrote it."))
        self.field.textChanged.connect(self.edited)

    def made(self) -> Data:
        """The id."""
        number = int(self.field.number())
        return ObjectId(number) if isinstance(self.target.data, ObjectId) else number

    def start(self) -> None:
        """Begin at the id."""
        self.field.setFocus()
        self.field.selectAll()


class SignalEditor(Editor):
    """A signal: its name and the id of its object."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        assert isinstance(target.data, Signal)
        self._opened_with = escaped(target.data.name)
        self.name = LongLine(self._opened_with)
        self.name.setFont(fixed_font())
        self.name.setAccessibleName("Name")
        self.id = NumberField(target.data.object_id, "u64", "")
        self.id.setAccessibleName("Id of its object")
        layout = _form(self)
        layout.addRow(label("&Name", self.name), self.name)
        layout.addRow(label("&Object id", self.id), self.id)
        self.name.textChanged.connect(self.edited)
        self.id.textChanged.connect(self.edited)

    def made(self) -> Signal:
        """The signal."""
        assert isinstance(self.target.data, Signal)
        text = self.name.text()
        name = self.target.data.name if text == self._opened_with else unescaped(text)
        return Signal(name, int(self.id.number()))

    def start(self) -> None:
        """Begin at the name."""
        self.name.setFocus()
        self.name.selectAll()


class EventEditor(Editor):
    """Godot 2's input event: device, and what its type stores."""

    def __init__(self, target: EditTarget, theme: Theme) -> None:
        super().__init__(target, theme)
        assert isinstance(target.data, InputEvent)
        event = input_event(target.data.type)
        self.fields = {"device": NumberField(target.data.device, "i32", "device")}
        layout = _form(self)
        layout.addRow(label("Type"), label(f"{event.name} ({target.data.type})"))
        layout.addRow(label("device"), self.fields["device"])
        given = dict(target.data.fields)
        for field in event.fields:
            bits = bits_of(event, field.name)
            number = given.get(field.name, 0)
            entry = FlagsField(theme, int(number), field.type, field.name, bits) if bits else None
            self.fields[field.name] = entry or NumberField(number, field.type, field.name)
            layout.addRow(label(field.name.replace("_", " ")), self.fields[field.name])
            if entry is not None:
                layout.addRow(label(""), entry.boxes)
        for found in self.fields.values():
            found.textChanged.connect(self.edited)

    def made(self) -> Data:
        """The event; its numbers are written in their places, see :meth:`proposal`."""
        return self.target.data

    def _proposal(self) -> Proposal:
        return self.target.propose_parts({name: field.number() for name, field in self.fields.items()})

    def start(self) -> None:
        """Begin at the device."""
        self.fields["device"].setFocus()


def _form(editor: Editor) -> QFormLayout:
    layout = QFormLayout(editor)
    layout.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(12)
    layout.setVerticalSpacing(8)
    return layout
