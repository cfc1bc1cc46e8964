"""Findings about bytes: what was found, where, and how grave it is. Rendered to a sentence late.

A diagnostic names its code and the numbers of the case; the words live in one table here, so that they can be read,
tested and changed in one place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, IntEnum

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass, field, replace
from viewer.base.span import Span


class Severity(IntEnum):
    """How grave a finding is.

    ERROR: the engine refuses this. WARNING: the engine accepts it silently, but it is not what it would write.
    NOTE: worth knowing.
    """

    NOTE = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """The name in lower case, as the command line prints it."""
        return self.name.lower()


class Code(Enum):
    """Every finding: its name on the command line, its severity and its sentence."""

    # The wrap around the values.
    WRAP_CLOSED = ("wrap-closed", 2, "{reason}")
    WRAP_NOTE = ("wrap-note", 0, "{sentence}")
    WRAP_DAMAGED = ("wrap-damaged", 2, "{wrap} is damaged. {damage}")
    # The text that the values were read from.
    TEXT_BROKEN = ("text-broken", 2, "{sentence}")
    TEXT_CANNOT = ("text-cannot", 2, "{sentence}")
    TEXT_SLIP = ("text-slip", 1, "{sentence}")
    TEXT_NOTE = ("text-note", 0, "{sentence}")
    # A packet does not follow its protocol.
    PACKET_REFUSED = ("packet-refused", 2, "{sentence}")
    PACKET_ODD = ("packet-odd", 1, "{sentence}")
    # The value cannot be read any further.
    HEADER_MISSING = (
        "header-missing",
        2,
        "A value should begin here with its 4-byte header, but only {available} are left.",
    )
    CHILD_MISSING = (
        "child-missing",
        2,
        "The {parent} promises {promised}, but only {present} there, and only {left} are left for more.",
    )
    UNKNOWN_TYPE = (
        "unknown-type",
        2,
        "Type number {number} does not exist in {dialect}; its numbers end at {highest}.",
    )
    FLAGS_REFUSED = (
        "flags-refused",
        2,
        "The header {header} has flags; {dialect} compares the whole word with its type numbers and refuses it.",
    )
    PAYLOAD_TRUNCATED = ("payload-truncated", 2, "{subject} needs {expected} here, but only {available} are left.")
    LENGTH_TOO_LONG = ("length-too-long", 2, "This text says it is {length} long, but only {available} are left.")
    PADDING_MISSING = (
        "padding-missing",
        2,
        "This text must be followed by {expected} of padding, but only {available} are left.",
    )
    LENGTH_NEGATIVE = ("length-negative", 2, "The length here says {length} bytes; a length cannot be negative.")
    COUNT_TOO_LARGE = (
        "count-too-large",
        2,
        "This {type} says it holds {count} elements, which take {expected}, but only {available} are left.",
    )
    VALUE_TOO_LONG = ("value-too-long", 2, "This value is broken, or extends beyond the 4 GiB that can be read of one.")
    TOO_MANY_NULLS = (
        "too-many-nulls",
        2,
        "The {parent} promises {promised}, of which the first {present} are null; the others are not read.",
    )
    COUNT_NEGATIVE = ("count-negative", 2, "The count here says {count}; a count cannot be negative.")
    OLD_NODE_PATH = (
        "old-node-path",
        2,
        "Bit 31 of the name count is not set: a node path in the old form, which {dialect} refuses.",
    )
    IMAGE_FORMAT = ("image-format", 2, "Image format {format} does not exist; the formats are 0 to {highest}.")
    CLASS_NAME_EXPECTED = (
        "class-name-expected",
        2,
        "A StringName with the elements' class should follow, but a value of type number {number} is here.",
    )
    # Refused, but what follows can still be read.
    BAD_UTF8 = ("bad-utf8", 2, "The byte {byte} does not belong here: this text is not UTF-8 ({reason}).")
    ELEMENT_TYPE = (
        "element-type",
        2,
        "The element type {number} does not exist in {dialect}; its numbers end at {highest}.",
    )
    # A binary resource cannot be read any further, or an engine cannot.
    RESOURCE_CUT = ("resource-cut", 2, "The {what} of this resource should continue here, but the file ends.")
    RESOURCE_COUNT = ("resource-count", 2, "The file says that it has {count} {what}, but only {available} are left.")
    RESOURCE_REFUSED = ("resource-refused", 2, "{sentence}")
    RESOURCE_OFFSET = (
        "resource-offset",
        2,
        "The resource {name} should begin at {offset}, where no resource can be.",
    )
    LAYOUT_ENDS = (
        "layout-ends",
        2,
        "According to the layout of {name}, the field {field} should be here, but the bytes differ or end.",
    )
    LAYOUT_STOPS = (
        "layout-stops",
        1,
        "The layout of {name} was followed up to here, for {count} fields; the rest is shown as bytes.",
    )
    LAYOUT_OFFSET = (
        "layout-offset",
        2,
        "The field {field} should be at offset {offset}, which this file does not have.",
    )
    LAYOUT_VALUE = (
        "layout-value",
        1,
        "The field {field} says {found}; by the layout of {name} it should say {wanted}.",
    )
    LAYOUT_CHECKSUM = (
        "layout-checksum",
        1,
        "The {kind} in {field} is {stands}, but the bytes that it covers give {wanted}.",
    )
    UNKNOWN_RESOURCE_TYPE = ("unknown-resource-type", 2, "Type number {number} does not exist in a {dialect}.")
    NAME_INDEX = (
        "name-index",
        2,
        "This name is number {number} of the file's strings, of which there are only {count}: engines crash here.",
    )
    REFERENCE_KIND = ("reference-kind", 2, "A reference is of kind 0 to 3; engines refuse {number}.")
    REFERENCE_REFUSED = (
        "reference-refused",
        2,
        "There is no resource {number} in this file, which has {count}: Godot 4 refuses it.",
    )
    REFERENCE_LOST = ("reference-lost", 1, "{sentence}")
    NAME_EMPTY = ("name-empty", 2, "The name is empty: engines refuse the file.")
    RESOURCE_TEXT = (
        "resource-text",
        1,
        "This text is not UTF-8: engines read � for what is wrong, and the bytes are lost when the game saves.",
    )
    RESOURCE_TAIL = (
        "resource-tail",
        1,
        "The file ends inside this value: engines load it silently, with zeros for what is missing.",
    )
    RESOURCE_PATH = ("resource-path", 2, "This path is damaged: engines find no file at “{path}” and refuse this one.")
    CLASS_DAMAGED = ("class-damaged", 2, "{dialect} has no class “{name}”, whose name is damaged: it refuses the file.")
    RESOURCE_CLASS = (
        "resource-class",
        1,
        "{dialect} has no class {name}: it refuses the file, unless an extension of the game brings the class.",
    )
    RESOURCE_SCRIPT = (
        "resource-script",
        1,
        "This save carries a script that the game runs when it loads it. Open it only if you trust its source.",
    )
    RESOURCE_END = ("resource-end", 1, "The mark RSRC at the end of the file is missing; engines do not look for it.")
    TOO_DEEP = (
        "too-deep",
        2,
        "This value is nested {depth} levels deep; {dialect} refuses everything below level {limit}.",
    )
    ENGINE_REFUSES = (
        "engine-refuses",
        2,
        "{dialect} itself refuses this {type}: it asks for {expected} after the header, and only {available} follow.",
    )
    SCRIPT_PATH = ("script-path", 2, "A script must be a path that begins with res://; {dialect} refuses {found}.")
    # Behind an error.
    SKIPPED_BYTES = ("skipped-bytes", 0, "{count} skipped. What follows makes sense again and is shown as a guess.")
    VALUE_DAMAGED = (
        "value-damaged",
        1,
        "This value seems to be damaged: what follows makes sense only if it ends here.",
    )
    PREFIX_TOO_LONG = (
        "prefix-too-long",
        2,
        "The length before this value says {length}, but only {available} follow.",
    )
    PREFIX_TOO_SHORT = (
        "prefix-too-short",
        2,
        "The length before this value says {length}, but {available} come before the next one.",
    )
    EMPTY_FILE = ("empty-file", 2, "The file is empty: there is no value in it.")
    NO_VALUE = ("no-value", 2, "No value of {dialect} begins here: {reason}.")
    # Accepted silently, but not what an engine would write.
    BOOL_NOT_0_OR_1 = (
        "bool-not-0-or-1",
        1,
        "This bool is {value}; engines write 0 or 1 and read any other word as true.",
    )
    IGNORED_FLAGS = (
        "ignored-flags",
        1,
        "The header bits {bits} mean nothing for {type}; engines ignore and never write them.",
    )
    PADDING_NOT_ZERO = (
        "padding-not-zero",
        1,
        "The padding is not zero; {dialect} writes zeros here and ignores the rest.",
    )
    PADDING_CUT = (
        "padding-cut",
        1,
        "The data ends {missing} before this padding does; engines accept that there.",
    )
    NAME_COUNT_WRAPS = (
        "name-count-wraps",
        1,
        "The name counts add up beyond 32 bits; engines wrap them around and read {count}.",
    )
    DUPLICATE_KEY = ("duplicate-key", 1, "This key occurred before; an engine keeps only the last value.")
    TRAILING_BYTES = ("trailing-bytes", 1, "{count} follow the value inside its frame, which engines skip.")
    FOREIGN_BYTES = ("foreign-bytes", 0, "{count} here belong to no value.")
    WRONG_ELEMENT_TYPE = (
        "wrong-element-type",
        1,
        "This {found} is in a collection of {expected}; {does}.",
    )
    NUL_IN_TEXT = ("nul-in-text", 1, "This text holds a NUL: engines read it only up to there.")
    BYTE_ORDER_MARK = ("byte-order-mark", 1, "This text begins with a byte order mark, which engines drop.")
    LENIENT_UTF8 = (
        "lenient-utf8",
        1,
        "This text is not proper UTF-8: {dialect} reads it anyway, Godot 4 and Pandemonium refuse it.",
    )
    LOST_TEXT = ("lost-text", 1, "This text is not UTF-8: {dialect} reads it as an empty text.")
    NUL_MISSING = ("nul-missing", 1, "The text's closing NUL is missing; engines write one in string arrays.")
    MORE_ODD_TEXTS = ("more-odd-texts", 1, "{odd} texts of this array have something odd; the rest are not checked.")
    NEGATIVE_STRING_COUNT = (
        "negative-string-count",
        1,
        "The count {count} is negative; engines read it as an empty array.",
    )
    NEGATIVE_PROPERTY_COUNT = (
        "negative-property-count",
        1,
        "The property count {count} is negative; engines read it as none.",
    )
    SHARED_BIT = ("shared-bit", 1, "Bit 31 of the {word} is set; {dialect} ignores and never writes it.")
    PATH_FLAGS = ("path-flags", 1, "The path flags {bits} mean nothing; engines ignore and never write them.")
    PATH_PROPERTY = (
        "path-property",
        1,
        "Flag bit 1 announces one more sub-name than is counted; {dialect} reads it, but would count it when writing.",
    )
    OLD_PATH_FORM = (
        "old-path-form",
        1,
        "A node path in the old form, as one text; {dialect} reads it, but writes names.",
    )
    UNTYPED = ("untyped", 1, "The type given here is Nil, which means any; engines then write no type at all.")
    EMPTY_CLASS = ("empty-class", 1, "The class name is empty: engines read it as any Object, and would write that.")
    EVENT_LENGTH = (
        "event-length",
        1,
        "This event takes {expected}, but its length says {length}; engines ignore that.",
    )
    ENGINE_CANNOT_READ_BACK = (
        "engine-cannot-read-back",
        1,
        "{dialect} itself misreads what follows a {type}: it counts too few bytes for it.",
    )
    LOST_W = ("lost-w", 1, "{dialect} itself loses the w of every element of a {type}: it puts z in its place.")
    IMAGE_SIZE = (
        "image-size",
        1,
        "{size} of pixels do not fit {image}: the engine reads an empty image.",
    )
    EMBEDDED_OBJECT = (
        "embedded-object",
        1,
        "An embedded {type}: an engine {rule}, and then may run its script.",
    )
    EMBEDDED_SCRIPT = (
        "embedded-script",
        1,
        "The source of this object's script is here: with objects allowed, {dialect} compiles and runs it.{fate}",
    )
    NAME_KEY = (
        "name-key",
        1,
        "This key is a StringName, which {dialect} reads as the String with its text: the two are one key.",
    )
    # Worth knowing.
    NARROWED = (
        "narrowed",
        0,
        "These are 64-bit numbers: a build with single precision rounds them to 32 bits when it reads them.",
    )
    WIDE_NUMBER = ("wide-number", 0, "This {type} would fit in 32 bits; the engine would write it shorter.")
    NARROW_NAN = ("narrow-nan", 0, "A 32-bit NaN; engines write NaN in 64 bits.")
    NAN_BITS = ("nan-bits", 0, "This is a signalling NaN; engines change one of its bits when they read it.")
    NULL_OBJECT = ("null-object", 0, "An object without an id or a class: engines read null, and write null as Nil.")
    EMPTY_PATH = ("empty-path", 0, "This path is absolute but has no names; engines read an empty path.")
    UNWRITTEN_PADDING = ("unwritten-padding", 0, "The padding is whatever was in memory: {dialect} does not write it.")

    def __init__(self, slug: str, severity: int, template: str) -> None:
        self.slug = slug
        self.severity = Severity(severity)
        self.template = template


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding.

    Args:
        code: what was found.
        span: the bytes it speaks of; in the frame as the scanner gives it, in the layer once :meth:`located`.
        node: the node it belongs to, -1 for none.
        part: the node's part, empty for the whole node.
        facts: the numbers and names that the sentence needs.
        frame: the frame's index, -1 for none.
    """

    code: Code
    span: Span
    node: int = -1
    part: str = ""
    facts: Mapping[str, object] = field(default_factory=dict, hash=False)
    frame: int = -1

    @property
    def severity(self) -> Severity:
        """How grave it is."""
        return self.code.severity

    @property
    def message(self) -> str:
        """One sentence in words."""
        text = _ONE.sub(_agreeing, self.code.template.format_map({**self.facts, "left": count_bytes(len(self.span))}))
        for wrong, right in _WORDING:
            text = wrong.sub(right, text)
        return text

    def located(self, frame: int, start: int) -> Diagnostic:
        """The same finding in a layer where frame number *frame* starts at byte *start*."""
        return replace(self, frame=frame, span=self.span.shifted(start))


_VERBS = {"are": "is", "follow": "follows", "belong": "belongs", "come": "comes"}
_ONE = late_pattern(r"\b1 byte( here)? (are|follow|belong|come)\b")
_WORDING = (
    (late_pattern(r"\bonly 0 bytes(?= (?:are left|follow)\b)"), "no bytes"),
    (late_pattern(r"\bbut only 0 are there\b"), "but none is there"),
    (late_pattern(r"^(The Object promises 1) pair\b"), r"\1 property"),
    (late_pattern(r"^(The Object promises \d+) pairs\b"), r"\1 properties"),
    (late_pattern(r"\bholds 1 elements, which take\b"), "holds 1 element, which takes"),
    (late_pattern(r"^0 bytes of pixels do not fit\b"), "No pixels are here for"),
    (late_pattern(r"^1 byte of pixels do not fit\b"), "1 byte of pixels does not fit"),
)


def _agreeing(found: re.Match[str]) -> str:
    """The verb that goes with a single byte; the sentences have the one for several."""
    return f"1 byte{found[1] or ''} {_VERBS[found[2]]}"


def count_bytes(number: int) -> str:
    """A number of bytes in words: ``1 byte``, ``12 bytes``."""
    return f"{number} byte" if number == 1 else f"{number} bytes"
