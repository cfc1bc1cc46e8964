"""What is plainly a text of one of the notations, though so much of it is broken that no probe knows it.

And what is none of them though it looks so: settings and tables of other programs.
"""

from __future__ import annotations

import re

from viewer.base.buffer import Buffer
from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.container.layer import MOST_INSIDE, Secret, Unwrapped
from viewer.text.bare_settings import are_settings
from viewer.text.engine_codec import CONFIGS, EngineTextCodec
from viewer.text.json_codec import JSON, JsonCodec
from viewer.text.text_wrap import SAMPLE
from viewer.text.utf8 import bad_utf8

TextCodec = JsonCodec | EngineTextCodec
LEAST_BARE = 2
MOST_TOML = 1 << 20
"""Longer texts are not read as TOML."""
FEW = 50
"""Of so many bytes one may be no sign of a text."""
ENTRY = re.compile(rb"^(?P<key>[^\n;#\[=:]*[^\n;#\[=:\t ])(?P<blank>[\t ]*)=[\t ]*(?P<value>[^\n]*)$", re.MULTILINE)
_OWN_VALUE = re.compile(rb"(?:3D)?[&^]?\"|[\[{]|[A-Z]\w*\(")
_PLAIN_VALUE = re.compile(rb"(?:[-+]?\.?\d[\w.+-]*|true|false|null|nil|[-+]?inf|nan)?\s*$", re.IGNORECASE)
_OTHER_COMMENT = re.compile(rb"^[\t ]*#", re.MULTILINE)
_TOML_SIGN = re.compile(
    rb"^\[\[|[={,][\t ]*\{[\t ]*[\w\"-]+[\t ]*=|^\w+-[\w-]+[\t ]*=|=[\t ]*(?:\"{3}|'{3})", re.MULTILINE
)
_CONTROL = late_pattern(rb"\x00++|[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_OBJECT = late_pattern(
    rb"(?:\xef\xbb\xbf)?\s*+(?:\{\s*+(?:[\"'][^\"'\n]*[\"']\s*+[:=]|[A-Za-z_]\w*\s*+:\s*+[\"'\d\[{tfn-]|\"\w+\s*+:)|"
    rb"\[\s*+\{\s*+[\"']\w+[\"']\s*:)"
)
"""How JSON begins, with its quotes or others, or without them."""
_SECTION = late_pattern(rb"(?:\xef\xbb\xbf)?(?:\s*+;[^\n]*+\n)*+\s*+\[[\t ]*[A-Za-z_][\w ./:-]*+\]?[\t ]*\r?(?:\n|\Z)")
"""How settings begin: the name of a section, of which the bracket at the end may be missing."""


@dataclass(frozen=True, slots=True)
class BrokenTextCodec:
    """Knows a text by how it begins and by its signs, where nothing else does.

    Args:
        codec: what reads it.
        is_bare: whether it is settings without a section.
    """

    codec: TextCodec
    is_bare: bool = False

    @property
    def name(self) -> str:
        """That of the notation."""
        return self.codec.name

    def probe(self, outside: Buffer) -> bool:
        """Whether these bytes are plainly such a text."""
        start = bytes(outside[:SAMPLE]).rstrip(b"\0")
        if self.is_bare:
            return len(outside) <= SAMPLE and are_settings(start)
        pattern = _OBJECT if self.codec is JSON else _SECTION
        if pattern.match(start) is None:
            return False
        if FEW * (len(_CONTROL.findall(start)) - 1) > len(start) or FEW * (len(bad_utf8(start)) - 1) > len(start):
            return False
        if self.codec is JSON:
            return True
        return ENTRY.search(start) is not None and not (is_of_others(start) or is_toml(start))

    def unwrap(
        self, outside: Buffer, secret: Secret | None = None, limit: int = MOST_INSIDE, expected: bytes | None = None
    ) -> Unwrapped:
        """Read the text; errors as :meth:`viewer.container.layer.Codec.unwrap` says."""
        return self.codec.unwrap(outside, secret, limit, expected)

    def begun(self, text: bytes) -> Unwrapped | None:
        """Read the beginning; None where no value begins there."""
        return self.codec.begun(text)


def is_of_others(raw: bytes) -> bool:
    """Whether a text of sections and keys is one of the many that other programs read, and no ConfigFile.

    It has values without quotes or keys with dashes, and no value that only the engines spell so: a text in quotes, a
    collection, a call, also behind the sign that mails put there; or nothing but sections and comments of theirs.
    """
    bare, all_of_them, has_blanks = 0, 0, False
    for entry in ENTRY.finditer(raw):
        if _OWN_VALUE.match(entry["value"]):
            return False
        all_of_them += 1
        has_blanks |= bool(entry["blank"])
        bare += (not _PLAIN_VALUE.match(entry["value"])) + (b"-" in entry["key"])
    has_comment = _OTHER_COMMENT.search(raw) is not None
    if not all_of_them:
        return has_comment
    return bare >= LEAST_BARE and (has_blanks or 2 * bare >= all_of_them or has_comment)


def is_toml(raw: bytes) -> bool:
    """Whether a text reads as TOML to its end, with what no ConfigFile has."""
    if len(raw) > MOST_TOML or _TOML_SIGN.search(raw) is None:
        return False
    import tomllib

    try:
        tomllib.loads(raw.decode())
    except (ValueError, RecursionError):
        return False
    return True


BROKEN_JSON = BrokenTextCodec(JSON)
BROKEN_CONFIG = BrokenTextCodec(CONFIGS)
BARE_CONFIG = BrokenTextCodec(CONFIGS, is_bare=True)
