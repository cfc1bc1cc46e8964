"""A reference decoder: where the engines' own readers stand when they refuse a value.

It follows the description of the format by itself and shares nothing with the program: its tables are written out here,
it reads from front to back, and it stops at the first check that fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MOST = 0x7FFFFFFF
FLAG = 1 << 16


class Check(Enum):
    """What an engine looks at when it refuses."""

    HEADER = "a header is missing"
    TYPE = "no such type"
    SHORT = "a part of fixed size is cut off"
    TEXT = "a text is longer than what is left"
    PADDING = "the fill behind a text is missing"
    UTF8 = "a text is no UTF-8"
    COUNT = "a packed array is longer than what is left"
    OLD_PATH = "a node path in the old form"
    ELEMENT = "no such element type"
    CLASS_NAME = "a class name is expected"
    OBJECT = "objects are not allowed"
    CLASS = "no such class, or none that can be made"
    SCRIPT = "a script is no path"
    DEPTH = "too deep"
    PROJECTION = "a projection with too little behind it"
    IMAGE = "no such image format"


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """Where a reader stands: at which value, at which field of it, and why; *dies* where it checks nothing there."""

    check: Check
    at: int
    value: int
    dies: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """What an engine reads.

    Args:
        types: its types by number.
        wide: whether the 64-bit flag widens vectors and their like.
        typed: whether arrays and dictionaries can be typed.
        utf8: ``strict``, ``loose`` as in Godot 3, or ``any``.
        deepest: how many levels it goes into, 0 for any.
        old: whether it is Godot 2.
    """

    types: tuple[str, ...]
    wide: bool = False
    typed: bool = False
    utf8: str = "strict"
    deepest: int = 1024
    old: bool = False
    pandemonium: bool = False


GODOT2 = (
    "Nil bool int float String Vector2 Rect2 Vector3 Matrix32 Plane Quat AABB Matrix3 Transform Color Image "
    "NodePath RID Object InputEvent Dictionary Array RawArray IntArray FloatArray StringArray Vector2Array "
    "Vector3Array ColorArray"
)
GODOT3 = (
    "Nil bool int float String Vector2 Rect2 Vector3 Transform2D Plane Quat AABB Basis Transform Color NodePath RID "
    "Object Dictionary Array RawArray IntArray FloatArray StringArray Vector2Array Vector3Array ColorArray"
)
GODOT4 = (
    "Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane Quat "
    "AABB Basis Transform Projection Color StringName NodePath Id Object Nil Signal Dictionary Array RawArray IntArray "
    "LongArray FloatArray DoubleArray StringArray Vector2Array Vector3Array ColorArray Vector4Array"
)
PANDEMONIUM = (
    "Nil bool int float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane Quat AABB Basis "
    "Transform Transform2D Projection Color NodePath RID Object StringName Dictionary Array"
)
POOLS = (
    " RawArray IntArray FloatArray StringArray Vector2Array Vector2iArray Vector3Array Vector3iArray Vector4Array "
    "Vector4iArray ColorArray"
)
OLD_GODOT4 = GODOT4.removesuffix(" Vector4Array")
OLD_PANDEMONIUM = (
    "Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Plane Quat AABB Basis "
    "Transform Color NodePath RID Object StringName Dictionary Array RawArray IntArray FloatArray StringArray "
    "Vector2Array Vector2iArray Vector3Array Vector3iArray ColorArray"
)
RULES = {
    "godot2": Rules(tuple(GODOT2.split()), utf8="any", deepest=0, old=True),
    "godot3": Rules(tuple(GODOT3.split()), utf8="loose", deepest=0),
    "godot4": Rules(tuple(GODOT4.split()), wide=True, typed=True),
    "godot4-double": Rules(tuple(GODOT4.split()), wide=True, typed=True),
    "pandemonium4": Rules(tuple((PANDEMONIUM + POOLS).split()), pandemonium=True),
    "pandemonium5": Rules(tuple((PANDEMONIUM + " TypedArray TypedArray" + POOLS).split()), pandemonium=True),
    "godot4.0": Rules(tuple(OLD_GODOT4.split()), wide=True),
    "pandemonium3.5": Rules(tuple(OLD_PANDEMONIUM.split()), utf8="loose"),
}
"""By the folder of the golden bytes."""
REALS = {
    "Vector2": 2,
    "Rect2": 4,
    "Vector3": 3,
    "Vector4": 4,
    "Matrix32": 6,
    "Transform2D": 6,
    "Plane": 4,
    "Quat": 4,
    "AABB": 6,
    "Matrix3": 9,
    "Basis": 9,
    "Transform": 12,
    "Projection": 16,
}
WORDS = {"bool": 1, "Color": 4, "Vector2i": 2, "Rect2i": 4, "Vector3i": 3, "Vector4i": 4}
ELEMENTS = {
    "RawArray": 1,
    "IntArray": 4,
    "FloatArray": 4,
    "LongArray": 8,
    "DoubleArray": 8,
    "Vector2iArray": 8,
    "Vector3iArray": 12,
    "Vector4iArray": 16,
    "ColorArray": 16,
}
REAL_ELEMENTS = {"Vector2Array": 2, "Vector3Array": 3, "Vector4Array": 4}
IMAGE_FORMATS = 23
NOT_MADE = {b"NoSuchClass", b"InputEvent", b"Script", b"CanvasItem", b"Nonexistent"}
"""Of the classes that the golden bytes name, those that no engine makes."""
EVENT_BYTES = {1: 8, 3: 4, 4: 8, 5: 4, 6: 4}
"""What follows the three words of an event, by its type."""
PROJECTION_NEEDS = 248


def refusal(folder: str, raw: bytes, allow_objects: bool) -> Refusal | None:
    """Where the reader of an engine stops, None where it does not.

    Args:
        folder: the engine's golden bytes.
        raw: the bytes of a bare value.
        allow_objects: whether the game allows them.
    """
    try:
        _Reader(RULES[folder], raw, allow_objects).run()
    except Refusal as found:
        return found
    return None


@dataclass(slots=True)
class _Level:
    """A collection that is open: values that are still to come, and whether each has a name in front."""

    left: int
    named: bool = False
    name: bytes = b""


class _Reader:
    def __init__(self, rules: Rules, raw: bytes, allow_objects: bool) -> None:
        self.rules = rules
        self.raw = raw
        self.allow_objects = allow_objects
        self.at = 0
        self.value = 0
        self.levels = [_Level(1)]

    def run(self) -> None:
        """Read one value with all that it holds."""
        while self.levels:
            level = self.levels[-1]
            if not level.left:
                self.levels.pop()
                continue
            level.left -= 1
            if level.named:
                self.value = self.at
                level.name = self.text()
            self.one(len(self.levels) - 1)

    @property
    def left(self) -> int:
        return len(self.raw) - self.at

    def fail(self, check: Check, at: int | None = None, dies: bool = False) -> Refusal:
        return Refusal(check, min(self.at if at is None else at, len(self.raw)), self.value, dies)

    def peek(self, offset: int = 0) -> int:
        return int.from_bytes(self.raw[self.at + offset : self.at + offset + 4], "little")

    def word(self) -> int:
        if self.left < 4:
            raise self.fail(Check.SHORT)
        self.at += 4
        return self.peek(-4)

    def fixed(self, size: int, count: int = 1) -> None:
        """Fields of one size; what is told of is the first that is not whole."""
        whole = self.left // size
        if whole < count:
            raise self.fail(Check.SHORT, self.at + whole * size)
        self.at += size * count

    def text(self, filled: bool = True) -> bytes:
        """A length, so many bytes, and fill."""
        begin = self.at
        length = self.word()
        if length > MOST or length > self.left:
            raise self.fail(Check.TEXT, begin, dies=self.rules.old and length > MOST)
        fill = -length % 4
        if filled and length + fill > self.left:
            raise self.fail(Check.PADDING, self.at + length)
        raw = self.raw[self.at : self.at + length]
        fault = {"strict": _strict, "loose": _loose, "any": _never}[self.rules.utf8](raw.split(b"\0")[0])
        if fault is not None:
            raise self.fail(Check.UTF8, self.at + fault)
        self.at = min(self.at + length + fill, len(self.raw))
        return raw

    def one(self, depth: int) -> None:
        """One value, but not its children."""
        self.value = self.at
        if self.rules.deepest and depth > self.rules.deepest:
            raise self.fail(Check.DEPTH)
        if self.left < 4:
            raise self.fail(Check.HEADER)
        header = self.word()
        number = header if self.rules.old else header & 0xFF
        if number >= len(self.rules.types):
            raise self.fail(Check.TYPE, self.value)
        name = self.rules.types[number]
        wide = bool(header & FLAG) and not self.rules.old
        if name in ("int", "float"):
            self.fixed(8 if wide else 4)
        elif name in WORDS:
            self.fixed(4, self.counted(name, WORDS[name]))
        elif name in REALS:
            self.reals(name, wide)
        elif name in ELEMENTS:
            self.packed(ELEMENTS[name])
        elif name in REAL_ELEMENTS:
            self.packed(REAL_ELEMENTS[name] * (8 if wide and self.rules.wide else 4))
        else:
            getattr(self, f"read_{name.lower()}")(header)
        self.check_script(name)

    def counted(self, name: str, words: int) -> int:
        """Pandemonium checks for all of a Vector4 and then goes on four bytes before its end."""
        if not (self.rules.pandemonium and name in ("Vector4", "Vector4i")):
            return words
        if self.left < 16:
            raise self.fail(Check.SHORT)
        return words - 1

    def reals(self, name: str, wide: bool) -> None:
        if name == "Projection" and self.rules.pandemonium and self.left < PROJECTION_NEEDS:
            raise self.fail(Check.PROJECTION, self.value)
        self.fixed(8 if wide and self.rules.wide else 4, self.counted(name, REALS[name]))

    def packed(self, size: int) -> None:
        begin = self.at
        count = self.word()
        if count > MOST or count * size > self.left:
            wraps = count > MOST // size and not 0 < self.left < (count * size & 0xFFFFFFFF) <= MOST
            raise self.fail(Check.COUNT, begin, dies=self.rules.old and wraps)
        self.at = min(self.at + count * size + -count * size % 4, len(self.raw))

    def read_nil(self, header: int) -> None:
        """Nothing follows."""

    read_rid = read_nil

    def read_id(self, header: int) -> None:
        self.fixed(8)

    def read_string(self, header: int) -> None:
        self.text(filled=not self.rules.old)

    read_stringname = read_string

    def read_nodepath(self, header: int) -> None:
        begin = self.at
        names = self.word()
        if not names >> 31:
            if not self.rules.old:
                raise self.fail(Check.OLD_PATH, begin)
            if names > self.left:
                raise self.fail(Check.TEXT, begin)
            self.at += names
            return
        if self.left < 8:
            raise self.fail(Check.SHORT)
        subnames, flags = self.word(), self.word()
        for _ in range((names & MOST) + subnames + (flags >> 1 & 1) & 0xFFFFFFFF):
            self.text()

    def read_object(self, header: int) -> None:
        if self.rules.old:
            return
        if header & FLAG:
            self.fixed(8)
            return
        if not self.allow_objects:
            raise self.fail(Check.OBJECT, self.value)
        begin = self.at + 4
        name = self.text().split(b"\0")[0].removeprefix(b"\xef\xbb\xbf")
        if name in NOT_MADE:
            raise self.fail(Check.CLASS, begin)
        if name:
            count = self.word()
            self.levels.append(_Level(0 if count > MOST else count, named=True))

    def read_signal(self, header: int) -> None:
        self.text()
        self.fixed(8)

    def read_dictionary(self, header: int) -> None:
        if self.rules.typed:
            self.element(header >> 16 & 3)
            self.element(header >> 18 & 3)
        self.levels.append(_Level(2 * (self.word() & MOST)))

    def read_array(self, header: int) -> None:
        if self.rules.typed:
            self.element(header >> 16 & 3)
        self.levels.append(_Level(self.word() & MOST))

    def element(self, kind: int) -> None:
        """The type of a typed container's elements."""
        begin = self.at
        if kind == 1 and self.word() >= len(self.rules.types):
            raise self.fail(Check.ELEMENT, begin)
        if kind in (2, 3):
            path = self.text()
            if kind == 3 and self.allow_objects and not path.startswith(b"res://"):
                raise self.fail(Check.SCRIPT, begin + 4 if path else begin)

    def read_typedarray(self, header: int) -> None:
        if self.left < 8:
            raise self.fail(Check.SHORT)
        number = self.word() & MOST
        if number < len(self.rules.types) and self.rules.types[number] == "Object" and not header & FLAG:
            if self.peek() & 0xFF != self.rules.types.index("StringName"):
                raise self.fail(Check.CLASS_NAME)
            self.word()
            self.text()
        if self.left < 4:
            raise self.fail(Check.SHORT, dies=True)
        self.levels.append(_Level(self.word() & MOST))

    def read_stringarray(self, header: int) -> None:
        count = self.word()
        for _ in range(0 if count > MOST else count):
            self.text(filled=not self.rules.old)

    def read_image(self, header: int) -> None:
        if self.left < 20:
            raise self.fail(Check.SHORT)
        if self.peek() >= IMAGE_FORMATS:
            raise self.fail(Check.IMAGE)
        self.at += 20
        length = self.peek(-4)
        if length > self.left:
            raise self.fail(Check.SHORT)
        self.at = min(self.at + length + -length % 4, len(self.raw))

    def read_inputevent(self, header: int) -> None:
        kind, self.at = self.peek(), self.at + 12
        if self.left < EVENT_BYTES.get(kind, 0):
            raise self.fail(Check.SHORT, dies=True)
        self.at += EVENT_BYTES.get(kind, 0)

    def check_script(self, name: str) -> None:
        """Godot 4 looks at the script of an object as soon as it is read: it must be nothing or a path."""
        level = self.levels[-1] if self.levels else None
        if not self.rules.typed or level is None or not level.named or level.name != b"script" or name == "Nil":
            return
        if name != "String":
            raise self.fail(Check.SCRIPT, self.value)
        if not self.raw.startswith(b"res://", self.value + 8):
            raise self.fail(Check.SCRIPT, self.value + 8)


# Texts: the offset of the first fault, None for none


def _never(raw: bytes) -> int | None:
    return None


def _strict(raw: bytes) -> int | None:
    try:
        raw.decode()
    except UnicodeDecodeError as fault:
        return fault.start
    return None


def _loose(raw: bytes) -> int | None:
    """Godot 3 takes surrogates, large numbers, and most numbers that are written too long."""
    at = 0
    while at < len(raw):
        size = next((size for size, mask, lead in FORMS if raw[at] & mask == lead), 0)
        for place in range(at + 1, min(at + size, len(raw))):
            if raw[place] & 0xC0 != 0x80:
                return place
        if not size or at + size > len(raw) or (size == 2 and raw[at] < 0xC2) or _is_empty(raw[at : at + size]):
            return at
        at += size
    return None


FORMS = ((1, 0x80, 0), (2, 0xE0, 0xC0), (3, 0xF0, 0xE0), (4, 0xF8, 0xF0), (5, 0xFC, 0xF8), (6, 0xFE, 0xFC))
"""How many bytes a character takes, and by which bits of the first one that is told."""


def _is_empty(raw: bytes) -> bool:
    """Whether a character of three bytes and more begins with nothing but zeros where its number should be."""
    size = len(raw)
    if size < 3 or raw[0] & (0xFF >> size + 1) or raw[1] & 0x3F:
        return False
    return (raw[2] & 0x7F) >> (7 - size) == 0
