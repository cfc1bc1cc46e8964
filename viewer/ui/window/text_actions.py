"""Whether a file that is text is shown as text or as bytes, and what can be done in the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from viewer.ui.session import Session
from viewer.ui.window.parts import Parts

if TYPE_CHECKING:
    from viewer.ui.look.palette import Theme
    from viewer.ui.text.line_view import TextView
    from viewer.ui.text.text_bridge import TextBridge

NO_TEXT = "This file is not text: its bytes are all there is to see."
IDLE = 700
"""Milliseconds after which a window gets ready to show texts, somewhat later than to read them."""


class TextActions:
    """Turns the pane of the bytes: text where the file is text, unless the person wants the bytes.

    Args:
        session: whose document is shown.
        parts: the pane, and the search that marks places in it.
        say: told in words what cannot be done.
        pop_up: pops up what can be done in the text, at a global position.
    """

    def __init__(
        self, session: Session, parts: Parts, say: Callable[[str], None], pop_up: Callable[[object], None]
    ) -> None:
        self._session, self._parts, self._say, self._pop_up = session, parts, say, pop_up
        self._wants_text = True
        self._bridge: TextBridge | None = None
        parts.bytes.set_builder(self._build)
        session.opened.connect(self._turn)
        session.layer_shown.connect(self._turn)
        QTimer.singleShot(IDLE, parts.bytes, self._get_ready)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {"text": self.toggle}

    @property
    def shows_text(self) -> bool:
        """Whether text is in view."""
        return self._parts.bytes.shows_text

    def toggle(self) -> None:
        """Show the text of the file, or its bytes; from now on for all files."""
        if self._session.document is None or self._session.document.text is None:
            self._say(NO_TEXT)
            return
        self._session.settle()
        self._wants_text = not (self.shows_text and self._parts.work.bytes_in_front)
        self._parts.work.reveal(self._parts.bytes)
        if self._wants_text:
            self._session.show_layer(None)
        self._turn()
        self._parts.bytes.current.setFocus()

    def go_to_change(self) -> bool:
        """Where a person types into the text: go to what undo or redo changed. Returns whether that is in sight now."""
        return self._bridge is not None and self.shows_text and self._bridge.go_to_change()

    def show_hits(self) -> None:
        """Mark in the text what the search found."""
        if self._bridge is not None:
            self._bridge.show_hits(self._parts.find.hits, self._parts.find.current)

    def refresh(self) -> None:
        """More is known about what is wrong with the text."""
        if self._bridge is not None:
            self._bridge.refresh_marks()

    def _turn(self) -> None:
        """Show what belongs to what is open."""
        document = self._session.document
        has_text = document is not None and document.text is not None and self._session.layer is None
        self._parts.bytes.show_text(has_text and self._wants_text)
        if self._bridge is not None and self.shows_text:
            self._bridge.tell_place()
        else:
            self._session.stand_in_text(None)

    def _get_ready(self) -> None:
        """Load what shows texts in an idle moment, so that the first text does not wait for it."""
        import viewer.ui.text.line_view
        import viewer.ui.text.text_bridge  # noqa: F401

    def _build(self) -> TextView:
        from viewer.ui.text.line_view import TextView
        from viewer.ui.text.text_bridge import TextBridge

        def build(theme: Theme) -> TextView:
            return TextView(theme)

        view = self._parts.later(build).get()
        self._bridge = TextBridge(self._session, view)
        view.context_menu_requested.connect(self._pop_up)
        view.item_requested.connect(lambda _: self._parts.give_keys())
        return view
