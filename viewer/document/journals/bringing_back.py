"""Bringing back: from a journal that was left behind, and the file as it is now, to the document as it was edited.

A journal fits a file only where that holds the very bytes that were edited: nothing is ever offered that never was.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path

from viewer.base.buffer import Buffer, in_memory
from viewer.base.record import dataclass, replace
from viewer.base.unseen import escaped
from viewer.container.layer import WrapError
from viewer.document.disk import files
from viewer.document.disk.files import FileProblem, FileStamp
from viewer.document.disk.paged import BufferPiece, HeldBytes, Paged, Splicer
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.journals.journal import ContentDigest, JournalRecord, LeftJournal, fingerprint
from viewer.document.reading import AT_ONCE, ReadOptions
from viewer.document.splice import Edit, Splice, applied
from viewer.document.wraps import UnwrapOptions, take_off

LABEL = "Bring Back Changes"


class NotBroughtBack(Exception):
    """The changes cannot be brought back now; one sentence says why and what to do."""


class JournalFit(Enum):
    """What can be done with a journal that was left behind."""

    FITS = "the file holds the bytes that were edited"
    ALONE = "the journal holds them itself, and the file is gone or is a different one now"
    LIKELY = "the file seems to hold them, and is too large to be compared whole"
    HELD = "the file holds the changes already"
    WAITS = "the file is gone or is a different one now"
    NEVER = "nothing can be brought back: the changes were not written down, or are damaged"


@dataclass(frozen=True, slots=True)
class JournalOutlook:
    """What can be done with a journal now, and a sentence about it."""

    fit: JournalFit
    sentence: str

    @property
    def is_ready(self) -> bool:
        """Whether the changes can be brought back without a person's deciding anything."""
        return self.fit in (JournalFit.FITS, JournalFit.ALONE)


class _Found:
    """A file as it is now.

    Args:
        path: the file.
        opening: the wraps to be taken off it.

    Attributes:
        outside: its bytes; long ones stay on the disk.
        stamp: its state.
        problem: why there are none, empty where there are.
        is_gone: whether there is no such file.
    """

    def __init__(self, path: Path, opening: UnwrapOptions) -> None:
        self.path = path
        self._opening = opening
        self._inside: Buffer | None = None
        self.outside: Buffer = b""
        self.stamp: FileStamp | None = None
        self.problem = ""
        self.is_gone = False
        try:
            self.is_gone = not path.exists()
            if not self.is_gone:
                self.outside, self.stamp = files.read(path, files.LONG)
        except (FileProblem, OSError) as problem:
            self.problem = str(problem)

    @property
    def is_readable(self) -> bool:
        """Whether there are bytes to compare."""
        return not self.is_gone and not self.problem

    @property
    def inside(self) -> Buffer:
        """The bytes in the innermost wrap."""
        if self._inside is None:
            self._inside = _inside(self.outside, self._opening)
        return self._inside

    def document(self, opening: UnwrapOptions) -> Document:
        """The very bytes that were compared, as a document."""
        choice = ReadOptions(opening=opening)
        return Document(self.outside, self.path, choice=choice, stamp=self.stamp, patience=AT_ONCE)


def outlook(left: LeftJournal, file: Path | None = None) -> JournalOutlook:
    """What can be done with a journal.

    Args:
        left: what was left behind.
        file: where a person says that the edited file is, None for where it was.
    """
    return _examined(left, file)[0]


def brought_back(
    left: LeftJournal, file: Path | None = None, is_open: Callable[[Path], bool] = lambda _: False
) -> Document | None:
    """The document with its changes, not saved; None where the file holds them already.

    Args:
        left: what was left behind.
        file: where a person says that the edited file is; None for where it was, if it is surely the same.
        is_open: whether a file is open with other changes: then this is a version without a file, named by its time.

    Raises:
        NotBroughtBack: the file is gone or another one now, or the changes were never written down.
        OSError: the journal cannot be read.
    """
    look, found = _examined(left, file)
    if look.fit is JournalFit.HELD:
        return None
    if look.fit in (JournalFit.NEVER, JournalFit.WAITS) or (look.fit is JournalFit.LIKELY and file is None):
        raise NotBroughtBack(look.sentence)
    is_alone = look.fit is JournalFit.ALONE or found is None
    document = _alone(left) if is_alone or found is None else found.document(left.whole_opening)
    edit = _edit(left, document)
    if edit is None:
        raise NotBroughtBack(f"The changes of “{left.name}” do not fit its bytes: they stay where they are kept.")
    document.apply(edit)
    if document.path is not None and is_open(document.path):
        document.given_name, document.path, document.stamp = _version_name(document.path, left.when), None, None
    return document


def _version_name(path: Path, when: float) -> str:
    """What one version of a file is called, beside another one that has the file."""
    return f"{path.stem} {datetime.fromtimestamp(when):%Y-%m-%d %H.%M.%S}{path.suffix}"


def _edit(left: LeftJournal, document: Document) -> Edit | None:
    """The changes as one edit of a document that has not got them; None where they do not fit."""
    if not left.text:
        splices = _splices(left.steps, document.buffer)
        return None if splices is None else Edit(LABEL, tuple(splices))
    if document.wraps.text is None:
        return None
    text = document.shown
    splices = _splices(left.steps, text)
    if splices is None:
        return None
    from viewer.document.edits.layer_edit import text_written

    try:
        edit = text_written(document, bytes(applied(text, splices)[:]))
    except EditError:
        return None
    return None if edit is None else replace(edit, words=LABEL)


def _alone(left: LeftJournal) -> Document:
    """The bytes that the journal holds; they belong to the file as it was, so that saving asks before it is lost."""
    choice = ReadOptions(opening=left.whole_opening)
    return Document(left.base_bytes(), left.file, left.name, choice, left.stamp, patience=AT_ONCE)


# What fits


def _examined(left: LeftJournal, file: Path | None) -> tuple[JournalOutlook, _Found | None]:
    """What can be done with a journal, and the file that was looked at."""
    if left.problem:
        return JournalOutlook(JournalFit.NEVER, escaped(left.problem)), None
    if left.is_secret:
        name = escaped(left.name)
        sentence = f"“{name}” is encrypted, so that its unsaved changes were not written down: they are lost."
        return JournalOutlook(JournalFit.NEVER, sentence), None
    base = left.base_bytes() if left.base is not None else None
    path = file or left.file
    found = _Found(path, left.opening) if path is not None else None
    fit = _fit(left, base, found, file is not None)
    torn = " The last changes in it are damaged and cannot be recovered." if left.is_torn else ""
    return JournalOutlook(fit, escaped(_sentence(left, fit, found) + torn)), found


def _fit(left: LeftJournal, base: bytes | None, found: _Found | None, is_chosen: bool) -> JournalFit:
    """Whether a journal fits a file; *found* is None where there never was one."""
    if _is_saved_elsewhere(left):
        return JournalFit.HELD
    if found is not None and found.is_readable:
        if base is not None:
            if _same(found.outside, base) or _same(found.inside, _inside(base, left.opening)):
                return JournalFit.FITS
            if _leads_to(left, base, found.inside):
                return JournalFit.HELD
        elif (left.saving and _is(left.saving[1], found.inside)) or _shows_all(left, found.inside):
            return JournalFit.HELD
        elif _may_be(left, found) and _splices(left.steps, found.inside) is not None:
            is_same = left.stamp is not None and found.stamp is not None and _as_old(left.stamp, found.stamp)
            return JournalFit.FITS if is_same or is_chosen else JournalFit.LIKELY
    return JournalFit.ALONE if base is not None else JournalFit.WAITS


def _is_saved_elsewhere(left: LeftJournal) -> bool:
    """Whether another file than the one that was edited holds the changes: they were being saved to it."""
    if left.saving is None or left.saving[0] == left.file:
        return False
    found = _Found(left.saving[0], left.opening)
    return found.is_readable and _is(left.saving[1], found.inside)


def _may_be(left: LeftJournal, found: _Found) -> bool:
    """Whether a file may hold what was edited; journals of the first version know its state only."""
    if left.content is not None:
        return _is(left.content, found.inside)
    return left.stamp is None or bool(left.opening.codecs) or left.stamp.size == len(found.outside)


def _as_old(one: FileStamp, other: FileStamp) -> bool:
    return (one.size, one.modified_ns) == (other.size, other.modified_ns)


def _is(content: ContentDigest | None, buffer: Buffer) -> bool:
    return content is not None and content.size == len(buffer) and content.sample == fingerprint(buffer)


def _same(one: Buffer, other: Buffer) -> bool:
    """Whether bytes are the same; *other* are few enough to be compared."""
    return len(one) == len(other) and bytes(one[0 : len(one)]) == bytes(other[0 : len(other)])


def _inside(outside: Buffer, opening: UnwrapOptions) -> Buffer:
    """The bytes in the innermost wrap that can be taken off."""
    try:
        return take_off(outside, opening, lambda _: True).inside
    except WrapError:
        return outside


def _leads_to(left: LeftJournal, base: bytes, inside: Buffer) -> bool:
    """Whether the changes lead from the kept bytes to those of a file."""
    spliced = _Spliced(_inside(base, left.opening))
    return all(spliced.apply(step) is not None for step in left.steps) and _same(inside, spliced.buffer)


def _shows_all(left: LeftJournal, inside: Buffer) -> bool:
    """Whether bytes are as long as a journal of the first version left them, and hold all that it inserted."""
    if left.content is not None:
        return False
    size = len(inside) - sum(len(step.inserted) - step.removed for step in left.steps)
    splicer = Splicer.of([BufferPiece(0, size)] if size > 0 else [])
    for step in left.steps:
        if step.offset + step.removed > size:
            return False
        splicer.replace(step.offset, step.removed, step.inserted)
        size += len(step.inserted) - step.removed
    at, shown = 0, 0
    for piece in splicer.pieces():
        if piece.inserted is not None:
            if inside[at : at + piece.size] != piece.data:
                return False
            shown += piece.size
        at += piece.size
    return bool(shown)


# The splices


class _Spliced:
    """Bytes while splices change them: none of them is copied but those that a splice removes."""

    def __init__(self, buffer: Buffer) -> None:
        if not isinstance(buffer, Paged):
            buffer = Paged(HeldBytes(buffer if in_memory(buffer) else bytes(buffer[0 : len(buffer)])))
        self._paged = buffer
        self._splicer = buffer.splicer(0)
        self.size = len(buffer)

    @property
    def buffer(self) -> Paged:
        """The bytes now."""
        return Paged(self._paged.source, self._splicer.pieces())

    def apply(self, step: JournalRecord) -> Splice | None:
        """Apply a step; None where it removes other bytes than those that are there."""
        if step.offset + step.removed > self.size:
            return None
        gone = self._splicer.replace(step.offset, step.removed, step.inserted)
        old = self._paged.joined(gone)
        self.size += len(step.inserted) - step.removed
        return Splice(step.offset, old, step.inserted) if zlib.crc32(old) == step.checksum else None


def _splices(steps: Sequence[JournalRecord], buffer: Buffer) -> list[Splice] | None:
    """The splices as they apply to *buffer*; None where one does not fit."""
    spliced = _Spliced(buffer)
    out: list[Splice] = []
    for step in steps:
        splice = spliced.apply(step)
        if splice is None:
            return None
        out.append(splice)
    return out


# The words


def _sentence(left: LeftJournal, fit: JournalFit, found: _Found | None) -> str:
    if found is None:
        return f"“{left.name}” never had a file. It can be brought back whole."
    path = f"“{found.path}”"
    where = f"{path} is not there" if found.is_gone else f"{path} was written since"
    if found.path != left.file:
        where = f"{path} holds other bytes than those that were edited"
    if found.problem and not found.is_gone:
        where = f"{path} cannot be read now"
    match fit:
        case JournalFit.FITS:
            return f"{path} is as it was. The changes can be brought back."
        case JournalFit.ALONE:
            return f"{where}; your version is kept whole and can be brought back. No file changes before you save it."
        case JournalFit.LIKELY:
            return (
                f"{path} has another date than when it was edited, and is too large to be compared whole. Choose it "
                "to have your changes, if you know that nothing else in it changed."
            )
        case JournalFit.HELD:
            return f"{path} holds the changes already."
        case _:
            if found.is_gone:
                return f"{where}: put it back to have your changes, or choose where it is now."
            if found.problem:
                return f"{where}: make it readable to have your changes, or choose a copy with the same bytes."
            return f"{where}: your changes do not fit it. Choose a copy that has the bytes from before."
