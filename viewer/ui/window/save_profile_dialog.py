"""The dialog "Save as profile": the keys of the open file in a table, with what a person says of them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from viewer.base.record import replace
from viewer.base.unseen import escaped
from viewer.document.document import Document
from viewer.document.profiles.game_profile import GameProfile, ProfileError
from viewer.document.profiles.profile_writing import (
    DraftKey,
    ProfileDraft,
    draft,
    draft_keys,
    usual_game,
    usual_pattern,
)
from viewer.ui import dialogs
from viewer.ui.dialogs import MARGIN
from viewer.ui.look.fonts import Size, fixed_font, scaled, ui_font
from viewer.ui.look.palette import Theme
from viewer.ui.look.plain_text import PlainLabel, plain_tip
from viewer.ui.panels.row_table import show_as_rows
from viewer.ui.tree.cell_painter import paint_box, value_box
from viewer.ui.viewport import fit_screen

SIZE = (780, 540)
HEADINGS = ("Key", "Now", "Called", "Unit", "Favourite", "Hidden")
KEY, NOW, CALLED, UNIT, FAVOURITE, HIDDEN = range(6)
WIDTHS = {NOW: 130, CALLED: 150, UNIT: 80, FAVOURITE: 72, HIDDEN: 64}
FIELDS = {CALLED: "name", UNIT: "unit", FAVOURITE: "is_favourite", HIDDEN: "is_hidden"}
Index = QModelIndex | QPersistentModelIndex


class DraftModel(QAbstractTableModel):
    """The keys, one a row; what is said of them can be changed.

    Attributes:
        keys: the keys as they are now.
    """

    def __init__(self, keys: list[DraftKey], theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys = keys
        self._theme, self._fixed = theme, fixed_font(Size.SECONDARY)

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self.keys)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADINGS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() in (CALLED, UNIT):
            return usual | Qt.ItemFlag.ItemIsEditable
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() in (FAVOURITE, HIDDEN) else usual

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        key, column = self.keys[index.row()], index.column()
        if column in (FAVOURITE, HIDDEN):
            is_on = bool(getattr(key, FIELDS[column]))
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            said = f"{HEADINGS[column]}: {'yes' if is_on else 'no'}"
            return said if role == Qt.ItemDataRole.AccessibleTextRole else None
        text = (escaped(key.at), escaped(key.value), key.name, key.unit)[column]
        if role == Qt.ItemDataRole.DisplayRole:
            return escaped(text)
        if role == Qt.ItemDataRole.EditRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(text)
        if role == Qt.ItemDataRole.FontRole and column in (KEY, NOW):
            return self._fixed
        if role == Qt.ItemDataRole.ForegroundRole and column == NOW:
            return self._theme.ui.text_secondary
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        key, field = self.keys[index.row()], FIELDS.get(index.column())
        if field is None:
            return False
        is_on = role == Qt.ItemDataRole.CheckStateRole and Qt.CheckState(value) == Qt.CheckState.Checked
        changes: dict[str, Any] = {field: is_on if index.column() in (FAVOURITE, HIDDEN) else str(value).strip()}
        self.keys[index.row()] = replace(key, **changes)
        self.dataChanged.emit(index, index)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class BoxDelegate(QStyledItemDelegate):
    """Paints the boxes as the tree does; a click or Space turns one."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        is_on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._theme.ui.selection)
        paint_box(painter, value_box(QRectF(option.rect)), is_on, self._theme)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        is_click = event.type() == QEvent.Type.MouseButtonRelease
        is_space = (
            isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Space
        )
        if not (is_click or is_space):
            return False
        is_on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        return model.setData(
            index, Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole
        )


class SaveProfileDialog(QDialog):
    """Asks what the keys of a file are called.

    Args:
        parent: the window.
        document: the open file.
        profile: what is known of its game already, None for nothing.
        theme: the colours.

    Attributes:
        draft: what is to be written, as soon as it was accepted.
    """

    def __init__(self, parent: QWidget, document: Document, profile: GameProfile | None, theme: Theme) -> None:
        super().__init__(parent)
        self.setObjectName("saveProfileDialog")
        self.setWindowTitle("Save as profile")
        fit_screen(self, SIZE)
        self._profile, self._theme = profile, theme
        self.draft: ProfileDraft | None = None
        self.game = _line(profile.name if profile is not None else usual_game(document), "Game")
        self.files = _line(profile.files if profile is not None else usual_pattern(document), "Saves are called")
        self.filter = _line("", "Filter")
        self.filter.setPlaceholderText("Filter keys")
        self.filter.setClearButtonEnabled(True)
        self.model = DraftModel(draft_keys(document, profile), theme, self)
        self.table = self._view()
        self.says = PlainLabel()
        self.says.setWordWrap(True)
        self.says.setFont(ui_font(Size.SECONDARY))
        self.says.setMinimumHeight(2 * self.says.fontMetrics().height())
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton("&Save", QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setDefault(True)
        dialogs.give_room(self._buttons.buttons())
        self._lay_out()
        self.filter.textChanged.connect(self._filter)
        for field in (self.game, self.files):
            field.textChanged.connect(self._judge)
        self.model.dataChanged.connect(self._judge)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._judge()

    def _view(self) -> QTableView:
        table = QTableView()
        show_as_rows(table, self.model, "Keys of this file")
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectItems)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        trigger = QAbstractItemView.EditTrigger
        table.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        header = table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(KEY, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            table.setColumnWidth(column, scaled(width))
        boxes = BoxDelegate(self._theme, table)
        for column in (FAVOURITE, HIDDEN):
            table.setItemDelegateForColumn(column, boxes)
        table.setCurrentIndex(self.model.index(0, CALLED))
        return table

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setSpacing(12)
        form.addRow("&Game:", self.game)
        form.addRow("Saves are &called:", self.files)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        column.setSpacing(12)
        column.addLayout(form)
        column.addWidget(self.filter)
        column.addWidget(self.table, 1)
        column.addWidget(self.says)
        column.addWidget(self._buttons)

    def _filter(self, text: str) -> None:
        """Show the keys that have all of these words in their path or name."""
        words = text.casefold().split()
        for row, key in enumerate(self.model.keys):
            said = f"{key.at} {key.name}".casefold()
            self.table.setRowHidden(row, not all(word in said for word in words))

    def _judge(self, *_: object) -> None:
        """Say where it is written, or what is missing."""
        try:
            self.draft = draft(self.game.text().strip(), self.files.text().strip(), self.model.keys, self._profile)
        except ProfileError as error:
            self.draft = None
            self.says.setText(escaped(str(error).partition(": ")[2] or str(error)))
        else:
            self.says.setText(f"It is written to {escaped(str(self.draft.path))}. {self._remark()}")
        self.go.setEnabled(self.draft is not None)

    def _remark(self) -> str:
        """What else is to be known."""
        if self.draft is not None and self.draft.path.exists():
            return "Comments in it are lost; the previous version stays beside it as .bak."
        return "Meanings of numbers, ranges and tables of names are written there by hand."


def _line(text: str, name: str) -> QLineEdit:
    line = QLineEdit(text)
    line.setAccessibleName(name)
    return line
