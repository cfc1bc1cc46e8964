"""Notices: facts about the whole file that a person should know before working on it, the gravest one first."""

from __future__ import annotations

import os
from enum import Enum
from itertools import islice

from viewer.base.assets import user_files, user_folder
from viewer.base.diagnostic import Severity
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.words import counted, grouped, grouped_in
from viewer.container.layer import SourceText
from viewer.document.detection.detect import DetectionCandidate
from viewer.document.disk.files import is_missing
from viewer.document.disk.paged import fault
from viewer.document.document import Document
from viewer.document.edits.embedded_objects import Embedded, embedded
from viewer.document.kinds.foreign import foreign_kind

MOSTLY = 0.5
LAYOUTS = "layouts"
SHORT = 8
NAMED = 3
CLOSE, CLOSE_BROKEN = 3.0, 40.0
"""How much less likely a way to read sound bytes, and damaged ones, may be and is still offered."""
BEGUN = 4
"""Where so many values begin a frame, these bytes are values, however few of them can be read."""
BEGIN = 1 << 10
_BYTE = late_pattern(r" \(byte \d+\)")
_SETTING = late_pattern(rb"\s*[A-Za-z_][\w/ ]*=")
"""The first line of settings, whose section may be lost."""
PLAIN = "plain text"
HEADS = {".tres": "gd_resource", ".tscn": "gd_scene"}
"""What the first line of a text begins with, by the ending of its name."""
ENDING = 5
HEADLESS = (
    "The first line is lost: a {} begins with [{} …], and no engine loads it without. It is read as a ConfigFile."
)
SETTINGS = "This is plain text that begins with a setting, as a ConfigFile does; part of it may be lost."
LOST = "Most of these bytes belong to no value"
DAMAGED = f"These values are damaged. {LOST}; what may repair them is listed under “Suggested repairs”."


class Remedy(Enum):
    """What the person can do about it, in the words of the button."""

    NONE = ""
    RELOAD = "Reload"
    SAVE = "Save"
    READ_AS = "Choose…"
    READ_RIVAL = "Read as"
    READ_ON = "Read"
    PASSWORD = "Enter password…"
    LAYERS = "Layers…"
    MISTAKE = "Go there"
    AS_CONFIG = "Read as ConfigFile"
    UNPACK = "Unpack…"
    SEEN = "Dismiss marks"
    NO_OBJECTS = "Replace with null"


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence, how grave it is, and the one thing to do.

    Args:
        sentence, severity, remedy: these.
        rival: the other way to read the bytes, where the remedy is to read them so.
    """

    sentence: str
    severity: Severity
    remedy: Remedy = Remedy.NONE
    rival: DetectionCandidate | None = None

    @property
    def button(self) -> str:
        """The words of the button, empty where there is nothing to do."""
        return f"{self.remedy.value} {self.rival.dialect.name}" if self.rival is not None else self.remedy.value


def notice(document: Document) -> Notice | None:
    """What to tell about this document, None where all is well."""
    path = document.path
    lost = fault(document.buffer)
    if lost:
        return Notice(lost, Severity.ERROR, Remedy.RELOAD)
    if path is not None and document.changed_on_disk:
        if document.is_gone:
            return Notice(f"“{path.name}” is gone from the disk; this is the last copy.", Severity.WARNING, Remedy.SAVE)
        return Notice(f"Another program has written “{path.name}”.", Severity.WARNING, Remedy.RELOAD)
    if document.wraps.blocked is not None:
        remedy = Remedy.UNPACK if document.wraps.too_large else Remedy.LAYERS
        remedy = Remedy.PASSWORD if document.wraps.needs_key else remedy
        return Notice(grouped_in(str(document.wraps.blocked)), Severity.WARNING, remedy)
    if document.wraps.damages:
        text = document.text if document.wraps.damages[0][0].form is document.wraps.text else None
        if text is None:
            return Notice(_damages(document), Severity.ERROR, Remedy.LAYERS)
        if text.damages:
            return Notice(_mistakes(document, text), Severity.ERROR, Remedy.MISTAKE)
    if document.wraps.names[-1:] == ("config",) and document.name.lower().endswith(tuple(HEADS)):
        ending = document.name.lower()[-ENDING:]
        return Notice(HEADLESS.format(ending, HEADS[ending]), Severity.WARNING)
    if not document.buffer:
        return None
    if document.task is not None:
        return Notice("Reading was stopped: the bytes are here, their values are not.", Severity.NOTE, Remedy.READ_ON)
    if document.message is not None:
        return None
    other = _other(document)
    if other is not None:
        return other
    if document.structure is None and not (document.explained == 1 and all(frame.sound for frame in document.frames)):
        broken = broken_layout()
        if broken:
            return Notice(broken, Severity.WARNING)
    if document.explained < MOSTLY:
        return _unexplained(document)
    if document.news:
        count = counted(len(document.news), "value")
        them = "it" if len(document.news) == 1 else "them"
        sentence = f"Another program has changed {count}; what was there before is shown beside {them}."
        return Notice(sentence, Severity.NOTE, Remedy.SEEN)
    objects = embedded(document)
    if objects:
        return Notice(_objects(objects), Severity.WARNING, Remedy.NO_OBJECTS)
    rival = None if _is_text(document) else _rival(document)
    if rival is not None:
        sentence = f"{document.dialect.name} is a guess: {rival.dialect.name} reads these bytes too, as other values."
        return Notice(sentence, Severity.NOTE, Remedy.READ_RIVAL, rival)
    if path is not None and not is_missing(path) and not os.access(path, os.W_OK):
        return Notice(f"“{path.name}” is read-only; save it under another name.", Severity.NOTE)
    return None


def broken_layout() -> str:
    """What is wrong with the first layout of the person's own that cannot be used; empty where all can."""
    if not user_files(LAYOUTS, ".toml"):
        return ""
    from viewer.document.readers.layout_folder import broken_layouts

    broken = broken_layouts()
    more = len(broken) - 1
    rest = f" {grouped(more)} more cannot be used." if more > 0 else ""
    return f"A layout of yours cannot be used: {_in_its_folder(str(broken[0]))}{rest}" if broken else ""


def _in_its_folder(words: str) -> str:
    """A sentence about a layout with the name of its file alone."""
    return words.replace(f"{user_folder(LAYOUTS)}{os.sep}", "", 1)


def _other(document: Document) -> Notice | None:
    """What the bytes are where they are known to be no values."""
    found = foreign_kind(document)
    if found is None:
        return None
    if found.name == PLAIN and _SETTING.match(bytes(document.buffer[:BEGIN])):
        return Notice(SETTINGS, Severity.WARNING, Remedy.AS_CONFIG)
    return Notice(found.sentence, Severity.WARNING, Remedy.READ_AS)


def _is_text(document: Document) -> bool:
    """Whether it begins like a text: a value has a zero in its header, and a length has one too."""
    begin = bytes(document.buffer[:SHORT])
    return begin.isascii() and 0 not in begin


def _unexplained(document: Document) -> Notice:
    """Why most bytes belong to no value: values that are damaged, the wrong way to read them, or no values at all."""
    if any(len(frame.table) >= BEGUN for frame in document.frames):
        return Notice(DAMAGED, Severity.WARNING)
    is_chosen = document.choice.dialect is not None or document.choice.framing is not None
    rest = "; another engine line or framing may fit better." if is_chosen else ", in any engine line."
    return Notice(f"{LOST}{rest}", Severity.WARNING, Remedy.READ_AS)


def _damages(document: Document) -> str:
    """What is wrong with the wraps, the first thing in words."""
    wrap, damage = document.wraps.damages[0]
    more = len(document.wraps.damages) - 1
    rest = f" And {grouped(more)} more." if more else ""
    return f"{wrap.form.label} is damaged; the rest is shown. {grouped_in(damage.sentence)}{rest}"


def _mistakes(document: Document, text: SourceText) -> str:
    """How many mistakes a text has, and the first in words."""
    damage, count = text.damages[0], len(text.damages)
    if not document.buffer:
        return f"None of this text can be read. {grouped_in(damage.sentence)}"
    many = (
        f"{counted(count, 'mistake')}; the rest is shown. The first: "
        if count > 1
        else "a mistake; the rest is shown. "
    )
    return f"{text.label} with {many}{grouped_in(_BYTE.sub('', damage.sentence, 1))}"


def _objects(objects: list[Embedded]) -> str:
    """Which objects are embedded, and why that matters."""
    names = list(dict.fromkeys(each.name for each in objects))
    more = len(names) - NAMED
    listed = ", ".join(names[:NAMED])
    if more > 0:
        listed += f" and {more} more class{'' if more == 1 else 'es'}"
    count = counted(len(objects), "embedded object")
    return f"{count} ({listed}): a game that allows objects may run the scripts in them. Nothing is run here."


def _rival(document: Document) -> DetectionCandidate | None:
    """Another engine line that explains the bytes as well but reads other values, where that is not settled.

    Where something is wrong with the bytes, it may be farther behind.
    """
    if document.choice.dialect is not None or document.choice.preferred is not None or not document.candidates:
        return None
    best = document.candidates[0]
    is_broken = any(not frame.sound for frame in document.frames)
    for other in document.candidates[1:]:
        if is_broken:
            close = best.score - other.score < CLOSE_BROKEN and other.explained >= MOSTLY
        else:
            close = best.score - other.score < CLOSE and other.explained >= best.explained
        if close and other.dialect is not best.dialect and _differs(document, other):
            return other
    return None


def _differs(document: Document, other: DetectionCandidate) -> bool:
    """Whether another line names the type of any root or its first values otherwise."""
    for frame in document.frames[:8]:
        table = frame.table
        for node in islice(table.nodes, 64):
            row, rival = table.row(node), other.dialect.row(table.header(node))
            if row is not None and not table.is_name(node) and (rival is None or rival.name != row.name):
                return True
    return False
