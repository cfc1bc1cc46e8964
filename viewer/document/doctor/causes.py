"""Causes: every mistake that the doctor knows, in the words of the person who made it."""

from __future__ import annotations

from enum import Enum


class Cause(Enum):
    """A mistake: its name on the command line, its sentence, and how common it is beside the others."""

    # Frames.
    PREFIX_MISSING = ("prefix-missing", "The length before the value was left out", 0.5)
    PREFIX_EXTRA = ("prefix-extra", "A length was written before a value that should have none", 0.6)
    PREFIX_DOUBLED = ("prefix-doubled", "The length was written twice", 0.7)
    PREFIX_SWAPPED = ("prefix-swapped", "The length was written with its bytes swapped", 0.9)
    PREFIX_COUNTS_ITSELF = ("prefix-counts-itself", "The length counts its own four bytes", 0.9)
    PREFIX_OFF = ("prefix-off", "The length before the value is off", 0.6)
    SEVERAL_VALUES = ("several-values", "Several values were written one after another without lengths", 0.5)
    VALUE_CUT = ("value-cut", "One value was cut into several packets", 0.8)
    # Engine lines.
    OTHER_ENGINE = ("other-engine", "The bytes were written by another engine line", 0.6)
    SEVERAL_ENGINES = ("several-engines", "The values were written by two engine lines, one after the other", 0.3)
    OTHER_PRECISION = (
        "other-precision",
        "The numbers of vectors were written as doubles where an engine reads floats, or the other way round",
        0.8,
    )
    FLAG_MISSING = ("flag-missing", "A 64-bit number was written without the 64-bit flag (0x10000) in its header", 0.5)
    FLAG_EXTRA = ("flag-extra", "The 64-bit flag (0x10000) was set in the header of a 32-bit number", 0.5)
    ENCODER_RULE = ("encoder-rule", "The encoder writes something differently from an engine", 0.5)
    # Texts.
    PADDING_MISSING = ("padding-missing", "The padding after a text or byte array was left out", 0.6)
    PADDING_EXTRA = ("padding-extra", "A text that needs no padding was given some", 0.9)
    PADDING_WRONG = ("padding-wrong", "A text was padded with the wrong number of bytes", 0.3)
    LENGTH_OFF = ("length-off", "The length of a text is off", 0.2)
    LENGTH_SWAPPED = ("length-swapped", "The length of a text was written with its bytes swapped", 0.9)
    LENGTH_COUNTS_NUL = ("length-counts-nul", "The length of a text counts a closing NUL", 0.6)
    LENGTH_COUNTS_CHARACTERS = ("length-counts-characters", "The length of a text counts characters, not bytes", 0.8)
    TEXT_UTF16 = ("text-utf16", "A text was written as UTF-16", 0.9)
    TEXT_LATIN1 = ("text-latin1", "A text was written as Latin-1, not as UTF-8", 0.8)
    NUL_MISSING = ("nul-missing", "The texts of a string array were written without their closing NUL", 0.9)
    # Collections.
    COUNT_TOO_LARGE = (
        "count-too-large",
        "A count is too large, or a child was removed without updating the count",
        0.3,
    )
    COUNT_TOO_SMALL = ("count-too-small", "A count is too small, or a child was added without updating the count", 0.3)
    CHILD_DUPLICATED = ("child-duplicated", "A child was written twice but counted once", 1.5)
    KEY_WITHOUT_VALUE = ("key-without-value", "A key was written without its value", 0.2)
    # Around the value.
    OWN_FIELDS = ("own-fields", "There are sound values among fields that a game stored in its own way", 0.9)
    PACKET_HEADER = ("packet-header", "The header of a packet precedes the value", 0.5)
    WRAPPED = ("wrapped", "The values are wrapped in something else", 0.9)
    WRAP_DAMAGED = ("wrap-damaged", "The text or file that the values came in is damaged", 0.9)
    NO_VARIANT = ("no-variant", "These bytes are something other than stored values", 0.9)
    # Bytes.
    BYTE_ORDER = ("byte-order", "Everything was written with its bytes swapped", 0.7)
    REPLACED = ("replacement-chars", "The bytes were treated as text: those that are not UTF-8 became U+FFFD", 0.9)
    ZEROS_STRIPPED = ("zeros-stripped", "The bytes were treated as text: all zeros were removed", 0.9)
    SEVEN_BIT = ("seven-bit", "The highest bit of each byte was cleared, as by something that carries ASCII only", 0.5)
    SECTOR_ZEROS = ("sector-of-zeros", "A block of the file holds nothing but zeros", 0.5)
    SECTOR_ONES = ("sector-of-ff", "A block of the file holds nothing but 0xFF", 0.5)
    OVERWRITTEN = ("overwritten", "A stretch of the bytes was overwritten with something of another kind", 0.5)
    BLOCK_REPEATED = ("block-repeated", "A block of the file occurs in two places", 0.5)
    BIT_FLIPPED = ("bit-flip", "One bit was flipped", 0.1)
    BYTE_LOST = ("byte-lost", "A byte was lost", 0.02)
    BYTE_INSERTED = ("byte-inserted", "There is a byte too many here", 0.02)
    ESCAPED = ("escaped", "Bytes were escaped, as for a line or a text in which some of them mean something else", 0.5)
    IN_PIECES = ("in-pieces", "The bytes were cut into pieces, and something precedes each", 0.5)
    PIECES_SHORT = (
        "pieces-cut-short",
        "The bytes were cut into pieces of one size, and the end of each was left out",
        0.3,
    )
    OTHER_ORDER = ("other-order", "The bytes were put into another order, by what looks like a fixed step", 0.2)
    BITS_MOVED = ("bits-moved", "All bits were shifted by less than a byte", 0.2)
    PARTS_SWAPPED = ("parts-swapped-places", "The beginning of the bytes comes after their end", 0.3)
    ZEROS_REPLACED = ("zeros-replaced", "The bytes were treated as text: zeros became another character", 0.5)
    WORD_OVERWRITTEN = ("word-overwritten", "A header, count or length was overwritten with something else", 0.02)
    WORD_SWAPPED = ("word-swapped", "A header or count was written with its bytes swapped", 0.3)
    WORD_DOUBLED = ("word-doubled", "A header, count or length was written twice", 0.5)
    MADE_UTF8 = ("made-utf8", "The bytes were treated as text: those above 127 became UTF-8", 0.9)
    MADE_CRLF = ("made-crlf", "The bytes were treated as text: each line feed became two bytes", 0.9)
    CR_STRIPPED = ("cr-stripped", "The bytes were treated as text: carriage returns were removed", 0.5)
    CUT_AT_NUL = ("cut-at-nul", "The bytes were treated as text: they were cut at the first zero", 0.9)
    ZEROS_TRIMMED = ("zeros-trimmed", "The zeros at the end were stripped", 0.9)
    BITS_BACKWARDS = ("bits-backwards", "The bits of each byte were written in reverse order", 0.2)
    BYTES_BACKWARDS = ("bytes-backwards", "All bytes were written in reverse order, the last one first", 0.2)
    BYTES_SHIFTED = ("number-added", "A number was added to each byte", 0.2)
    MASKED = ("xor-key", "Every byte was XORed with another one, such as one of a WebSocket mask", 0.3)
    NULS_AS_PAIRS = ("nuls-as-c080", "The bytes were treated as text: zeros became C0 80, as Java writes them", 0.5)
    LINES_DOUBLED = ("line-ends-twice", "The bytes were treated as text twice: line feeds grew twice", 0.3)
    TABS_SPACED = ("tabs-as-spaces", "The bytes were treated as text: tabs became spaces", 0.4)
    MARK_BEFORE = ("mark-before", "A byte order mark precedes the values", 0.6)
    SEPARATED = ("separators", "There are separator bytes between the values", 0.5)
    BLOCKS_SWAPPED = ("blocks-swapped", "Two blocks of the file changed places", 0.3)
    SEGMENT_DOUBLED = ("segment-doubled", "A run of bytes occurs twice", 0.4)
    BYTES_BEHIND = ("trailing-bytes", "Bytes that are not part of the value follow it", 0.3)
    TEXT_INSIDE = (
        "text-inside",
        "Lines of readable text, such as those of a log, stand in the midst of the bytes",
        0.4,
    )
    FILL_INSIDE = (
        "fill-inside",
        "A run of one byte, such as the unused part of a buffer, stands in the midst of the values",
        0.3,
    )
    MERGE_MARKERS = (
        "merge-markers",
        "A version control tool wrote two versions of a stretch into the bytes, between lines of its own",
        0.9,
    )
    PART_WRAPPED = (
        "part-wrapped",
        "Some of the values are compressed or otherwise wrapped, and the others are not",
        0.4,
    )
    REST_CHANGED = ("rest-changed", "From some offset on all bytes were changed by one rule", 0.2)
    STALE_TAIL = ("stale-tail", "A shorter save was written over a longer one, whose rest still follows", 0.8)
    FRAME_CUT = ("frame-cut", "A value was cut off, and the next one begins where it breaks", 0.5)
    PACKETS_MIXED = ("packets-mixed", "Two packets got mixed into each other", 0.3)
    END_MISSING = ("end-missing", "The end of the value is missing", 0.05)
    DAMAGED = ("damaged", "Bytes were overwritten or lost, and nothing tells what they were", 0.0)
    TEXT_MISTAKE = ("text-mistake", "The text was written by hand, and has a mistake", 0.9)
    # What the bytes cannot help.
    OBJECTS_NOT_ALLOWED = ("objects-not-allowed", "There are objects in it, which an engine refuses by default", 0.6)
    TOO_DEEP = ("too-deep", "The values are nested deeper than the engine goes", 0.9)
    TOO_LARGE = ("too-large", "The value is larger than an engine's packets", 0.3)
    NEWER_FEATURE = ("newer-feature", "It uses what earlier versions of the engine do not know", 0.3)

    def __init__(self, slug: str, sentence: str, prior: float) -> None:
        self.slug = slug
        self.sentence = f"{sentence}."
        self.prior = prior


LIMITS = frozenset({Cause.OBJECTS_NOT_ALLOWED, Cause.TOO_DEEP, Cause.TOO_LARGE, Cause.NEWER_FEATURE})
"""What is no damage: the findings say all of it."""
_NO_TEXT = "Pass these bytes on as bytes, never as a text: in binary mode, with no string between."
_NO_LINES = "Write and copy them in binary mode: let nothing convert the ends of lines, such as git or FTP."
_NO_FILL = "Look for what changed the text and not its fill, such as an editor, or a tool that cheats."
ADVICE = {
    **dict.fromkeys((Cause.MADE_UTF8, Cause.ZEROS_REPLACED, Cause.NULS_AS_PAIRS, Cause.TABS_SPACED), _NO_TEXT),
    **dict.fromkeys((Cause.MADE_CRLF, Cause.LINES_DOUBLED, Cause.CR_STRIPPED), _NO_LINES),
    Cause.ESCAPED: "Undo on arrival what was done for the line, the text or the database that carried them.",
    Cause.PACKETS_MIXED: "Look for a buffer that is used again: send what was filled, and fill it after it was sent.",
    Cause.FILL_INSIDE: "Send or store only the part of a buffer that was filled.",
    Cause.BYTE_LOST: "What is put in stands in for it: compare with another copy, and look for what drops bytes.",
    Cause.BYTE_INSERTED: "Compare with another copy, and look for what puts bytes in, such as an escape or an editor.",
    Cause.BIT_FLIPPED: (
        "Compare with another copy: where that has the same byte, a program wrote it so; if not, it was damaged later."
    ),
    Cause.LENGTH_OFF: "Look for what changed the text and not its length, such as an editor, or a tool that cheats.",
    **dict.fromkeys((Cause.PADDING_MISSING, Cause.PADDING_WRONG), _NO_FILL),
    Cause.OTHER_ORDER: "Look for what cuts bytes into columns or channels, such as a codec, and puts them together.",
    Cause.STALE_TAIL: "Truncate the file when it is opened for writing, or write another one and rename it.",
    Cause.SEGMENT_DOUBLED: (
        "Look for what writes a part again: a retry that begins too early, or a buffer that is appended whole though "
        "only its begin was filled."
    ),
    Cause.TEXT_INSIDE: "Look for what prints into the same file or stream, such as a log on standard output.",
    Cause.MARK_BEFORE: "Write no byte order mark: this is no text.",
    Cause.PIECES_SHORT: "Look at where the pieces are cut: the end of a slice is the begin of the next one.",
    Cause.BLOCKS_SWAPPED: "Look for an older copy; then at what puts pieces together, such as a download in parts.",
}
"""What else to do, in the program that wrote or carried the bytes."""
