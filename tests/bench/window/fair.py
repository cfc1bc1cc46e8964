"""A window as any program of this kind has one, with no program behind it: the floor of the start.

Menus with keys, a tool bar with icons, a tree of values, a text, a status bar: made by Qt's own classes from constants.
It reads no file, decodes nothing, remembers no settings, draws no icons of its own and watches nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit, QSplitter, QStyle, QToolBar, QTreeView

SIZE = QSize(1400, 900)
MENUS = ("File", "Edit", "View", "Go", "Tools", "Packets", "Help")
ENTRIES = 14
HEADINGS = ("Value", "Type", "Offset", "Size")
ROWS = 40
ICONS = (
    QStyle.StandardPixmap.SP_DialogOpenButton,
    QStyle.StandardPixmap.SP_DialogSaveButton,
    QStyle.StandardPixmap.SP_ArrowBack,
    QStyle.StandardPixmap.SP_ArrowForward,
    QStyle.StandardPixmap.SP_BrowserReload,
    QStyle.StandardPixmap.SP_FileDialogContentsView,
    QStyle.StandardPixmap.SP_MessageBoxWarning,
    QStyle.StandardPixmap.SP_TrashIcon,
)
LINE = " ".join(f"{byte:02x}" for byte in range(65, 81)) + "  " + bytes(range(65, 81)).decode()


class Tree(QTreeView):
    """A tree that tells when its first row is painted.

    Args:
        told: called then.
    """

    def __init__(self, told: Callable[[], None]) -> None:
        super().__init__()
        self._told = told

    def drawRow(self, *arguments: object) -> None:
        super().drawRow(*arguments)  # type: ignore[arg-type]
        self._told()


def show(told: Callable[[], None]) -> tuple[QApplication, QMainWindow]:
    """The window; *told* is called for each row of the tree that is painted."""
    app = QApplication(["fair", "-style", "fusion"])
    window = QMainWindow()
    window.setWindowTitle("Fair")
    _fill_menus(window)
    _fill_tools(window)
    split = QSplitter()
    split.addWidget(_tree(told))
    text = QPlainTextEdit("\n".join(f"{16 * k:08x}  {LINE}" for k in range(ROWS)))
    text.setReadOnly(True)
    split.addWidget(text)
    window.setCentralWidget(split)
    window.statusBar().showMessage("Godot 3, little endian, 40 values")
    window.resize(SIZE)
    window.show()
    return app, window


def _fill_menus(window: QMainWindow) -> None:
    for name in MENUS:
        menu = window.menuBar().addMenu(f"&{name}")
        for number in range(ENTRIES):
            action = QAction(f"{name} &{number}", window)
            if number < len(MENUS):
                action.setShortcut(f"Ctrl+Alt+{name[0]},{number}")
            menu.addAction(action)


def _fill_tools(window: QMainWindow) -> None:
    bar = QToolBar("Tools", window)
    for icon in ICONS:
        bar.addAction(window.style().standardIcon(icon), icon.name)
    window.addToolBar(bar)


def _tree(told: Callable[[], None]) -> QTreeView:
    tree, model = Tree(told), QStandardItemModel()
    model.setHorizontalHeaderLabels(HEADINGS)
    top = QStandardItem("Dictionary")
    model.appendRow(top)
    for number in range(ROWS):
        top.appendRow([QStandardItem(text) for text in (f"item {number}", "int", f"{16 * number:08x}", "8")])
    model.setParent(tree)
    tree.setModel(model)
    tree.setUniformRowHeights(True)
    tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
    tree.setHorizontalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    tree.expandAll()
    return tree
