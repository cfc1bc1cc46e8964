"""All codecs, in the order in which they are tried. Each is loaded when a file first looks as if it needed it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.layer import MOST_INSIDE, BegunCodec, Codec, Secret, Unwrapped, WrapError

START = 32
"""So many bytes say whether a codec is worth loading."""
SHORTEST_GUESS = 24
"""In fewer bytes anything may look like values by accident."""
TEXT = late_pattern(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|[\t\n\r\x20-\x7e\x80-\xff])[^\x01-\x08\x0b\x0e-\x1f]*")
"""How a text may begin, in UTF-8 or UTF-16."""
_CONTROLS = late_pattern(rb"[\x01-\x08\x0e-\x1f]")
_KEY = late_pattern(rb"\s*+(?:[A-Za-z_][\w./-]*+=|;)")
_DIGITS = late_pattern(rb"[0-9a-f]{32}|[0-9A-F]{32}")
TOO_MANY = 2
"""So many control signs do not stand at the beginning of a text, unless it is none."""
ARMOR = "viewer.container.armor.text_codecs"


def _is_zlib(start: bytes) -> bool:
    """Whether the two bytes of a zlib header stand here."""
    return len(start) >= 2 and start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0


def _is_deflate(start: bytes) -> bool:
    """Whether a block begins here that is compressed, by codes that are usual or told, and nothing is wrong so far."""
    if len(start) < START or start[0] >> 1 & 3 not in (1, 2):
        return False
    import zlib

    try:
        zlib.decompressobj(-zlib.MAX_WBITS).decompress(start, START)
    except zlib.error:
        return False
    return True


def _has_key(start: bytes) -> bool:
    """Whether a byte comes often enough to be a zero under a key."""
    return len(start) >= SHORTEST_GUESS and any(
        start.count(start[at]) * 4 >= len(start) for at in (3, 0, 7) if start[at]
    )


def _is_big_resource(start: bytes) -> bool:
    """Whether the first word of a resource's header says big-endian, behind the mark or without it."""
    return (start.startswith(b"RSRC") and start[4:5] not in (b"", b"\0")) or start.startswith(b"\1" + bytes(7))


def _is_checksum(start: bytes) -> bool:
    """Whether the hex digits of a checksum may begin here."""
    return _DIGITS.fullmatch(start) is not None


def _is_json(start: bytes) -> bool:
    """Whether an object or an array may begin here."""
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[", b"") and _is_nearly_text(start)


def _is_broken_text(start: bytes) -> bool:
    """Whether JSON or settings may begin here, of which much is broken."""
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[", b";") and (
        len(_CONTROLS.findall(start)) < TOO_MANY and start.rstrip(b"\0").count(b"\0") < TOO_MANY
    )


def _is_nearly_text(start: bytes) -> bool:
    """Whether a text begins here in which a sign may be damaged."""
    return _is_text(start) or (b"\0" not in start and len(_CONTROLS.findall(start)) < TOO_MANY)


def _is_text(start: bytes) -> bool:
    return TEXT.fullmatch(start) is not None


def _is_bare_text(start: bytes) -> bool:
    """Whether settings without a section may begin here: a key, or a comment."""
    return _KEY.match(start) is not None and _is_nearly_text(start)


@dataclass(frozen=True, slots=True)
class LateCodec:
    """A codec that is loaded when it is needed.

    Args:
        name: its name.
        module, attribute: where it is.
        looks: whether the first bytes of a file may be its wrap.
        is_text: whether it is a text of values.
        mark: how it begins, where nothing else begins so; it is then looked for inside of values, too.
        is_doubtful: whether other bytes may look like it: it is believed only where what is inside makes sense.
    """

    name: str
    module: str
    attribute: str
    looks: Callable[[bytes], bool]
    is_text: bool = False
    mark: bytes = b""
    is_doubtful: bool = False

    @property
    def codec(self) -> Codec:
        """The codec itself."""
        found: Codec = getattr(import_module(self.module), self.attribute)
        return found

    def probe(self, outside: Buffer) -> bool:
        """Whether *outside* is wrapped this way."""
        return self.looks(bytes(outside[:START])) and self.codec.probe(outside)

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Take the wrap off; errors as :meth:`viewer.container.layer.Codec.unwrap` says."""
        return self.codec.unwrap(outside, secret, limit, expected)

    def begun(self, text: bytes) -> Unwrapped | None:
        """What the beginning of a long text of values holds, see :class:`viewer.container.layer.BegunCodec`."""
        codec: BegunCodec | None = getattr(import_module(self.module), self.attribute) if self.is_text else None
        return codec.begun(text) if codec is not None else None


def _marked(name: str, module: str, attribute: str, mark: bytes) -> LateCodec:
    return LateCodec(name, module, attribute, lambda start: start.startswith(mark), mark=mark)


def _doubtful(name: str, module: str, attribute: str, looks: Callable[[bytes], bool]) -> LateCodec:
    return LateCodec(name, module, attribute, looks, is_doubtful=True)


CODECS: tuple[LateCodec, ...] = (
    _marked("gcpf", "viewer.container.blocks", "GCPF", b"GCPF"),
    _marked("gdec", "viewer.container.gdec", "GDEC", b"GDEC"),
    _marked("gcmp", "viewer.container.blocks", "GCMP", b"GCMP"),
    _marked("rscc", "viewer.container.blocks", "RSCC", b"RSCC"),
    LateCodec("big-endian", "viewer.container.resource_order", "BIG_ENDIAN", _is_big_resource),
    _marked("gzip", "viewer.container.streams", "GZIP_STREAM", b"\x1f\x8b\x08"),
    _marked("zstd", "viewer.container.streams", "ZSTD_STREAM", b"\x28\xb5\x2f\xfd"),
    _marked("xz", "viewer.container.streams", "XZ_STREAM", b"\xfd7zXZ\0"),
    _marked("bzip2", "viewer.container.streams", "BZIP2_STREAM", b"BZh"),
    _doubtful("lzma", "viewer.container.streams", "LZMA_STREAM", lambda start: start.startswith(b"\x5d\0\0")),
    _doubtful("zlib", "viewer.container.streams", "ZLIB_STREAM", _is_zlib),
    LateCodec("text-resource", "viewer.text.engine_codec", "RESOURCES", _is_nearly_text, True),
    LateCodec("python-bytes", ARMOR, "PYTHON", _is_text),
    LateCodec("c-array", ARMOR, "C_ARRAY", _is_text),
    LateCodec("memory-dump", ARMOR, "MEMORY", _is_text),
    _doubtful("list", ARMOR, "LIST", _is_text),
    _doubtful("word-dump", ARMOR, "WORD_DUMP", _is_text),
    LateCodec("hexdump", ARMOR, "HEXDUMP", _is_text),
    _doubtful("hex", ARMOR, "HEX", _is_text),
    _doubtful("in-text", ARMOR, "IN_TEXT", _is_text),
    _doubtful("escaped", ARMOR, "ESCAPED", _is_text),
    _doubtful("caret", ARMOR, "CARET", _is_text),
    _doubtful("base64", ARMOR, "BASE64", _is_text),
    _doubtful("percent", ARMOR, "PERCENT", _is_text),
    _doubtful("json-string", ARMOR, "JSON_STRING", _is_text),
    _doubtful("checksum-line", "viewer.container.checksum_line", "CHECKSUM_LINE", _is_checksum),
    LateCodec("json", "viewer.text.json_codec", "JSON", _is_json, True),
    LateCodec("config", "viewer.text.engine_codec", "CONFIGS", _is_nearly_text, True),
    LateCodec("engine-value", "viewer.text.engine_codec", "VALUES", _is_nearly_text),
)
MARKED = tuple(codec for codec in CODECS if codec.mark)
"""Wraps that nothing else begins like."""
GUESSES: tuple[LateCodec, ...] = (
    LateCodec("raw-deflate", "viewer.container.streams", "RAW_STREAM", _is_deflate),
    LateCodec("xor", "viewer.container.xor", "XOR", _has_key),
)
"""Wraps that nothing tells but what is inside: they are tried last, and believed only where that is sound values."""


BROKEN: tuple[LateCodec, ...] = (
    LateCodec("json", "viewer.text.broken_text", "BROKEN_JSON", _is_broken_text, True),
    LateCodec("config", "viewer.text.broken_text", "BROKEN_CONFIG", _is_broken_text, True),
    LateCodec("config", "viewer.text.broken_text", "BARE_CONFIG", _is_bare_text, True),
)
"""Texts that are known by how they begin only: they are tried where nothing else is found."""


def looks_wrapped(start: bytes) -> bool:
    """Whether a file that begins so may be wrapped; *start* are its first :data:`START` bytes."""
    return any(codec.looks(start) for codec in (*CODECS, *BROKEN))


NAMES = tuple(codec.name for codec in (*CODECS, *GUESSES))


def find(name: str) -> Codec:
    """The codec with a name.

    Raises:
        WrapError: there is none.
    """
    for codec in (*CODECS, *GUESSES):
        if codec.name == name:
            return codec
    raise WrapError(f"There is no wrap called “{name}”; there are {', '.join(NAMES)}.")
