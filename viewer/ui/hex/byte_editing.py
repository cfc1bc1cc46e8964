"""Editing bytes: carries out what a person types and commands in the hex view, and offers to mend what it broke.

Bytes change as they are typed, with nothing put right behind a person's back. What became untrue is said below the
bytes, and one key puts it right, as a step of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from viewer.base.span import Span
from viewer.document.document import Document
from viewer.document.edits.length_fixups import FixupOffer, UnfixedEdits, healed, offer
from viewer.document.edits.raw_bytes import fill, insert_bytes, overwrite, remove_bytes, replace_bytes
from viewer.document.edits.slots import EditError
from viewer.document.splice import Edit, Splice
from viewer.ui.hex.byte_source import TypedByte
from viewer.ui.hex.caret_keys import LOW, HexCommand
from viewer.ui.hex.layout import Area
from viewer.ui.hex.view import HexView
from viewer.ui.session import Session

MEND_KEY = "Ctrl+L"
TEXT_KEY = "Ctrl+Alt+V"
NO_HEX = "The clipboard holds text, not hex digits."
TOO_LONG = "More than 16 MiB do not fit on the clipboard; select fewer bytes, or delete them."
TYPING, ERASING = "typing", "erasing"


class ByteEditing(QObject):
    """Does to the session's document what the view asks for.

    Args:
        session: whose bytes are changed.
        view: where they are typed; it has the caret and the selection.
    """

    def __init__(self, session: Session, view: HexView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._last = ("", -1)
        self._wound, self._healed = UnfixedEdits(), UnfixedEdits()
        self._mends: dict[tuple[Splice, ...], UnfixedEdits] = {}
        self._offer: FixupOffer | None = None
        self._text_waits = False
        self._commands: dict[HexCommand, Callable[[], None]] = {
            HexCommand.CUT: self.cut,
            HexCommand.PASTE: self.paste,
            HexCommand.PASTE_TEXT: self.paste_as_text,
            HexCommand.DELETE: self.delete,
            HexCommand.BACKSPACE: self.erase_before,
        }
        view.byte_typed.connect(self._type)
        view.command_requested.connect(self._run)
        view.offer_taken.connect(self._take_offer)
        view.offer_declined.connect(self._forget_text)
        session.written.connect(self._follow)
        session.opened.connect(self._begin)

    # What is offered

    @property
    def can_mend(self) -> bool:
        """Whether there is a length, fill or prefix that one key would put right."""
        return self._offer is not None and self._offer.edit is not None

    @property
    def offer(self) -> FixupOffer | None:
        """What raw edits made untrue, None for nothing."""
        return self._offer

    def mend(self) -> None:
        """Put right what raw edits made untrue."""
        if self._offer is None or self._offer.edit is None:
            return
        edit = self._offer.edit
        caret = self._session.caret
        self._session.seal()
        self._session.apply(edit, caret + sum(s.growth for s in edit.splices if s.offset < caret))

    def _begin(self) -> None:
        self._last, self._wound, self._offer, self._healed = ("", -1), UnfixedEdits(), None, UnfixedEdits()
        self._mends.clear()
        self._text_waits = False
        self._view.hide_offer()

    def _follow(self, splices: tuple[Splice, ...]) -> None:
        """Bytes were changed, by whomever: see what is untrue now."""
        document = self._session.document
        if document is None:
            return
        edit = self._offer.edit if self._offer is not None else None
        if edit is not None and splices == edit.splices:  # what is offered was done, here or among the repairs
            self._mends[edit.splices], self._mends[edit.inverse.splices] = self._healed, self._wound
        known = self._mends.get(splices)
        self._wound = self._wound.after(splices) if known is None else known
        self._offer = offer(document, self._wound)
        self._healed = healed(document, self._wound)
        self._text_waits = False
        self._show_offer()

    def _show_offer(self) -> None:
        if self._offer is None:
            self._view.hide_offer()
        else:
            self._view.show_offer(self._offer.sentence, self._offer.action, MEND_KEY if self.can_mend else "")

    def _take_offer(self) -> None:
        if self._text_waits:
            self.paste_as_text()
        else:
            self.mend()
        self._view.setFocus()

    def _forget_text(self) -> None:
        """A question about the clipboard is answered with no: what was said before it is said again."""
        if self._text_waits:
            self._text_waits = False
            self._show_offer()

    # What is typed and commanded

    def _run(self, command: HexCommand) -> None:
        self._commands[command]()

    def _type(self, typed: TypedByte) -> None:
        self._go_on(TYPING, typed.offset)
        new, span = bytes([typed.new]), typed.instead
        if span is None:
            self._session.overwrite(typed.offset, new, merge=TYPING)
            return
        caret = typed.offset + (typed.nibble is None)
        if len(span):
            self._session.seal()
        self._do(lambda document: replace_bytes(document, span, new, TYPING), caret)

    def delete(self) -> None:
        """Take the selected bytes out, or the one at the caret."""
        self._remove(self._view.selection or self._byte(self._view.caret.offset))

    def erase_before(self) -> None:
        """Take the selected bytes out, or the one before the caret; a byte that is half typed goes itself."""
        caret = self._view.caret
        half = self._view.insert_mode and caret.nibble == LOW
        self._remove(self._view.selection or self._byte(caret.offset - (not half)))

    def cut(self) -> None:
        """Copy bytes and take them out; none are taken that could not be copied."""
        span = self._view.selection or self._byte(self._view.caret.offset)
        if len(span) and not self._view.copy():
            self._session.failed.emit(TOO_LONG)
            return
        self._session.seal()
        self._remove(span)

    def paste(self) -> None:
        """Paste copied values as their bytes, hex digits as bytes; other text is offered to be pasted as it is."""
        from viewer.container.armor.byte_text import PasteError, bytes_from_text
        from viewer.ui.clipboard import VALUES, clipboard_data, from_mime

        mime, document = clipboard_data(), self._session.document
        text = mime.text()
        if document is None:
            return
        if self._view.caret.area is Area.TEXT and text:
            self._put(text.encode("utf-8", "surrogatepass"))
            return
        try:
            values = from_mime(mime, document) if mime.hasFormat(VALUES) else []
            self._put(b"".join(value.value for value in values) if values else bytes_from_text(text))
        except (PasteError, EditError) as error:
            if not text.strip():
                self._session.failed.emit(str(error))
                return
            self._text_waits = True
            self._view.show_offer(NO_HEX, "Paste it as text", TEXT_KEY)

    def paste_as_text(self) -> None:
        """Paste the text of the clipboard in UTF-8."""
        if self._text_waits:
            self._text_waits = False
            self._show_offer()
        text = QGuiApplication.clipboard().text()
        if text:
            self._put(text.encode("utf-8", "surrogatepass"))
        else:
            self._session.failed.emit("There is no text on the clipboard; copy some first.")

    def insert(self, new: bytes) -> None:
        """Put bytes before the caret, and select them."""
        at = self._view.selection.start if self._view.selection else self._view.caret.offset
        span = Span(at, at + len(new))
        if new:
            self._do(lambda document: insert_bytes(document, at, new), at, span)

    def fill(self, span: Span, pattern: bytes) -> None:
        """Fill bytes with a pattern, and select them."""
        self._do(lambda document: fill(document, span, pattern), span.start, span)

    def _put(self, new: bytes) -> None:
        """Insert bytes, in the place of what is selected, or write them over others, as the mode says."""
        span = self._view.selection or Span(self._view.caret.offset, self._view.caret.offset)
        caret = span.start + len(new)
        self._session.seal()
        if self._view.insert_mode:
            self._do(lambda document: replace_bytes(document, span, new), caret)
        else:
            self._do(lambda document: overwrite(document, span.start, new), caret)

    def _byte(self, offset: int) -> Span:
        """The byte at an offset, an empty span where there is none."""
        return Span(offset, offset + 1) if 0 <= offset < self._view.size_of_source else Span(0, 0)

    def _remove(self, span: Span) -> None:
        if len(span):
            self._go_on(ERASING, span.start)
            if len(span) > 1:
                self._session.seal()
            self._do(lambda document: remove_bytes(document, span, ERASING), span.start)

    def _go_on(self, what: str, offset: int) -> None:
        """Let an edit grow together with the one before where it does the same at the next place."""
        did, last = self._last
        if did != what or abs(offset - last) > 1:
            self._session.seal()
        self._last = what, offset

    def _do(self, make: Callable[[Document], Edit], caret: int, marked: Span | None = None) -> None:
        """Do a raw edit, put the caret there, and tell what it made untrue."""
        document = self._session.document
        if document is None:
            return
        if self._view.read_only:
            self._view.typing_refused.emit(self._view.caret.offset)
            return
        try:
            edit = make(document)
        except EditError as error:
            self._session.failed.emit(str(error))
            return
        for splice in edit.splices:
            self._wound = self._wound.before(document, splice)
        size = len(document.buffer) + sum(splice.growth for splice in edit.splices)
        caret = min(caret, max(0, size - (not self._view.insert_mode)))
        self._session.apply(edit, caret)
        self._session.go_to(caret, marked, remember=False)
