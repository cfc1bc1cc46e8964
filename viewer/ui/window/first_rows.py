"""The first rows: the values of a file, painted into the first frame before the rest of the window is loaded and built.

A person reads the values while the bytes, the inspector and the menus are still to come. The tree and the session
behind it are those of the window, which takes them over as they are; so the rows stay where they are painted.
"""

from __future__ import annotations

from pathlib import Path

from viewer.base.assets import user_folder
from viewer.container.capture_magic import CAPTURE_START, is_capture
from viewer.container.codecs import START, looks_wrapped
from viewer.document.damage import kind_of
from viewer.document.disk import files
from viewer.document.document import Document
from viewer.document.reading import AT_ONCE
from viewer.document.reading_store import open_as_kept
from viewer.ui.session import Session
from viewer.ui.settings import Settings
from viewer.ui.tree.view import TreePane, TreeView
from viewer.ui.window.first_frame import GLIMPSE_WITHIN, StartedWindow, start

WIDE, SMALLEST = 1150, 760
"""Pixels below which a window has no inspector beside the bytes, and the bytes are a tab behind the values."""
INSPECTOR, INSPECTOR_LEAST, HANDLE, STRIP = 276, 200, 1, 18
"""How wide the inspector is, and at least, what lies between two panes, and the strip beside the bytes."""
GOOD, LEAST = 520, 240
"""What the values get before the bytes have more columns, and at least."""


class FirstRows:
    """The values of a file, and what shows them.

    Args:
        document: the file.
        path: its place.
        begun: the window.

    Attributes:
        session, tree, pane: show it; they become parts of the window.
    """

    def __init__(self, document: Document, path: Path, begun: StartedWindow) -> None:
        self.document, self.path = document, path
        self.session = Session()
        self.tree = TreeView(self.session, begun.theme.theme)
        self.pane = TreePane(self.tree)
        self.session.show(document)
        self.session.reading.await_glimpse(GLIMPSE_WITHIN)


def show_first_rows(name: str) -> None:
    """Show the values of the one file that the start is for, where they can be seen in a moment."""
    begun, path = start(name), Path(name)
    if begun.rows is not None or begun.frame.width() < SMALLEST:
        return
    try:
        if not _is_plain(path):
            return
        document = open_as_kept(user_folder("readings"), path, patience=AT_ONCE)
        rows = FirstRows(document, path, begun)
    except Exception:  # what is wrong with the file, or with us, the window tells, which opens it once more
        return
    begun.rows = rows
    if document.frames:
        scroll_bar = rows.tree.verticalScrollBar().sizeHint().width()
        width = width_of(begun.settings, begun.frame.width(), document, scroll_bar)
        begun.first.put_in(rows.pane, width, rows.tree.viewport())
        rows.tree.setFocus()
        begun.first.wait()


def _is_plain(path: Path) -> bool:
    """Whether a file can be read in a moment, and is nothing but values."""
    if files.is_stream(path):
        return False
    beginning = files.start_of(path, START)
    return not is_capture(beginning[:CAPTURE_START]) and not looks_wrapped(beginning)


def width_of(settings: Settings, window: int, document: Document, scroll_bar: int) -> int:
    """How wide the values will be, as the work area will share out its room.

    Args:
        settings: how the bytes are shown, and how wide the panes were dragged.
        window: the width of the window in pixels.
        document: the file.
        scroll_bar: the width of a scroll bar.
    """
    is_wide, kind, size = window >= WIDE, kind_of(document), len(document.buffer)
    by_hand = settings.pane_widths("wide" if is_wide else "narrow")
    has_inspector = is_wide and settings.flag("inspector", default=True)
    inspector = by_hand.inspector or INSPECTOR
    if not settings.flag(f"bytes/{kind}", is_wide or kind == "damaged"):
        room = window - HANDLE
        return room - max(min(inspector, room - LEAST), INSPECTOR_LEAST) if has_inspector else window
    from viewer.ui.hex.layout import ROW_WIDTHS  # of no use where the bytes are a tab behind the values
    from viewer.ui.hex.row_fit import RowFit

    fit = RowFit()
    fit.choose_row_width(settings.row_width)
    fit.choose_zoom(settings.zoom)
    beside, room = STRIP + scroll_bar, window - HANDLE
    least = beside + fit.width(ROW_WIDTHS[0], size, compact=True)
    if has_inspector:
        room -= max(min(inspector, room - HANDLE - LEAST - least), INSPECTOR_LEAST) + HANDLE
    wanted = by_hand.bytes or beside + fit.width_within(room - GOOD - beside, size)
    if wanted >= room - GOOD and not by_hand.bytes:
        wanted = beside + fit.width_within(room - LEAST - beside, size)
    return room - max(min(wanted, room - LEAST), least)
