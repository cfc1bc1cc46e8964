"""What a text goes through on its way, and what takes that off again: chats, mails, web pages, line numbers."""

from __future__ import annotations

import codecs
import html
import quopri
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from urllib.parse import unquote_to_bytes

from viewer.text.utf8 import bad_utf8

_FENCE = re.compile(rb"(?:\A|\n)[\t ]*```[^\n`]*\n(.*?)\n?[\t ]*```[\t ]*(?:\r?\n|\Z)", re.DOTALL)
_ZEROS = re.compile(rb"[\x00\x1a]+\Z")
_QUOTED_LINE = re.compile(rb"[\t ]*>[ ]?")
_NUMBERED = re.compile(rb"[\t ]*(\d+)([:.|)\t]?(?:\t|  ?)?)")
_SOFT = re.compile(rb"=(?:3D|[0-9A-F]{2}|\r?\n)")
_ENTITY = re.compile(rb"&(?:quot|nbsp|#34|#x22|#160);")
_PERCENT = re.compile(rb"(?:[\w.~!*'()+,:;/?@&=$-]|%[0-9A-Fa-f]{2})+\s*")
_MARKDOWN = re.compile(rb"\\(?=[\[\]{}_*#~>().!+|`-])")
_SECTION_LINE = re.compile(rb"^\[[A-Za-z_][^\]\n]*\][\t ]*\r?$", re.MULTILINE)
_LITERAL_LINE = re.compile(rb'\s*(?:[A-Za-z_]\w*\s*\+?=\s*|[bfru@$]{0,2})"((?:[^"\\\n]|\\.)*+)"\s*[-+;,.)\\&]*\s*')
_LITERAL_ESCAPE = re.compile(rb'\\([nrt"\\\'])')
_LITERALS = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_PIECE = re.compile(rb"[^\W_]+|[ \t]+|[^\w\s]|_")
_FULL = {chr(0xFEE0 + sign).encode(): bytes((sign,)) for sign in b',:;[]{}()="'}
_FULL_OUTSIDE = re.compile(rb'"(?:[^"\\\n]|\\.)*+"|(' + b"|".join(_FULL) + rb")", re.DOTALL)
_OURS, _BASE, _THEIRS, _MERGED = (sign * 7 for sign in (b"<", b"|", b"=", b">"))
_WIDE = (b"\xc2\xa0", b"\xe2\x80\xaf", b"\xe3\x80\x80")
_UNSEEN = re.compile(
    rb'"(?:[^"\\\n]|\\.)*+"|(\xc2\xa0|\xe2\x80\xaf|\xe3\x80\x80|\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf)',
    re.DOTALL,
)
_UTF8_OR_BYTE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|([\x80-\xff])", re.DOTALL
)
_ASSIGNED = re.compile(
    rb"\A(?:export\s+default\s+|module\.exports\s*=\s*|(?:(?:const|let|var)\s+)?[A-Za-z_]\w*\s*=\s*)"
)
_PROGRAM = re.compile(
    rb"(\"(?:[^\"\\]|\\.)*+\")|'((?:[^'\\]|\\.)*+)'|\b(True|False|None|undefined|NaN)\b|\b([A-Za-z_]\w*)(?=\s*:)",
    re.DOTALL,
)
_SINGLE = re.compile(rb"=\s*'")
_OBJECT = re.compile(rb"\{|\[\s*[\[{'\"\d-]")
_FIRST_KEY = re.compile(rb"\s*\"(?:[^\"\\\n]|\\.)++\"\s*:")
_PROGRAM_WORDS = {b"True": b"true", b"False": b"false", b"None": b"null", b"undefined": b"null", b"NaN": b"null"}
_COLON = re.compile(rb"^([A-Za-z_][\w/]*+)[\t ]*:[\t ]*", re.MULTILINE)
_CONTROL_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9])")
_DIGIT = re.compile(rb"\d")
_HOLDS = re.compile(rb'"[^"\n]|^\s*(?:[\[{(\]})]|[\w/]+\s*[=:])')
"""What a line has in it that may hold something of a text."""
LONGEST_END, LONGEST_BEGIN, MOST_AROUND = 12, 60, 3
MOST_STEPS, MOST_TEXTS = 3, 64
"""So many things after each other are undone, and so many texts are tried."""
WIDE_SAMPLE = 32
FEWEST_LINES, FEWEST_SIGNS = 3, 2
"""Of fewer lines their beginnings say nothing."""

PLAIN_SIGNS = ("text-line-begins", "text-fence", "text-zeros", "text-mail", "text-line-numbers", "text-diff")
"""What no sound text looks like, though engines may take it."""
GUESSED = ("text-around", "text-markdown", "text-address", "text-program", "text-entities")
"""What may stand in a sound text."""
Whole = tuple[str, str, bytes]
"""What the mistake is called, what happened, and the text without it."""


def steps_back(text: bytes) -> Iterator[Whole]:
    """What a text was before one or several things that it went through, the fewest first."""
    seen, front = {text}, [("", "", text)]
    for _ in range(MOST_STEPS):
        fresh: list[Whole] = []
        for name, sentence, before in front:
            for step in whole_mends(before):
                if step[2] in seen or len(seen) > MOST_TEXTS:
                    continue
                seen.add(step[2])
                words = f"{sentence}. {step[1]}" if sentence and step[1] != sentence else step[1]
                fresh.append((name or step[0], words, step[2]))
        yield from fresh
        front = fresh


def whole_mends(text: bytes) -> Iterator[Whole]:
    """What all of a text may have gone through, and what it was before; nothing where there is no sign of it."""
    for name, sentence, undo in _UNDOS:
        before = undo(text)
        if before is not None and before != text:
            yield name, sentence, before
    for before in _around(text):
        yield (
            "text-around",
            "There are lines around the text that are not part of it, as from a terminal, a letter or a program",
            before,
        )


def is_wide(start: bytes) -> bool:
    """Whether a text in UTF-16 begins so: with its mark, or with plain letters of two bytes each."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    start = start[: WIDE_SAMPLE & ~1]
    halves = start[::2], start[1::2]
    return len(start) >= WIDE_SAMPLE and any(not any(one) and all(two) for one, two in (halves, halves[::-1]))


def _wide(text: bytes) -> bytes | None:
    """A text in UTF-16 as UTF-8."""
    if not is_wide(text):
        return None
    is_marked = text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    name = "utf-16" if is_marked else "utf-16-be" if not text[0] else "utf-16-le"
    try:
        return text[: len(text) & ~1].decode(name).encode()
    except UnicodeError:
        return None


def _common_end(text: bytes) -> bytes | None:
    """Lines without what nearly all of them end with, which no line of these texts does."""
    lines = [line.rstrip(b"\r\n\t ") for line in _lines(text) if line.strip()]
    if len(lines) < FEWEST_LINES:
        return None
    for size in range(LONGEST_END, 0, -1):
        ends = Counter(line[-size:] for line in lines if len(line) >= size).most_common(1)
        end, count = ends[0] if ends else (b"", 0)
        if count * 3 >= len(lines) * 2 and end[-1:] not in b",\"']})0123456789":
            return re.sub(re.escape(end) + rb"(?=[\t ]*\r?$)", b"", text, flags=re.MULTILINE)
    return None


def _common_begin(text: bytes) -> bytes | None:
    """Lines without what stands in front of each of them, the same but for its digits."""
    lines = [line for line in _lines(text) if line.strip()]
    if len(lines) < FEWEST_LINES:
        return None
    without = _common_pieces(text, lines)
    if without is not None:
        return without
    shapes = [_DIGIT.sub(b"0", line[:LONGEST_BEGIN]) for line in lines]
    low, high = min(shapes), max(shapes)
    size = next(
        (k for k, (one, two) in enumerate(zip(low, high, strict=False)) if one != two), min(len(low), len(high))
    )
    front = shapes[0][:size].rstrip(b'\t "')
    begin = size if not shapes[0][:size].endswith((b" ", b"\t")) else len(front) + 1
    if len(front) < len("> ") or (front[:1] in b"{[" and not re.search(rb"\d", front)):
        return None
    return b"".join(line[begin:] if line.strip() else line for line in _lines(text))


def _common_pieces(text: bytes, lines: list[bytes]) -> bytes | None:
    """Lines without signs that all of them begin with, between which words and numbers may differ."""
    begins = [[(found[0], found.end()) for found in _PIECE.finditer(line[: 2 * LONGEST_BEGIN])] for line in lines]
    size = 0
    for pieces in zip(*begins, strict=False):
        kinds = {
            piece[0] if not piece[0][:1].isalnum() and not piece[0].isspace() else piece[0][:1].isspace()
            for piece in pieces
        }
        if len(kinds) > 1:
            break
        size += 1
    while size and begins[0][size - 1][0][:1].isalnum():
        size -= 1
    signs = sum(not piece[0][:1].isalnum() and not piece[0].isspace() for piece in begins[0][:size])
    if signs < FEWEST_SIGNS:
        return None
    ends = [each[size - 1][1] for each in begins]
    if begins[0][size - 1][0].isspace():  # how far a line is indented may be a part of it
        width = min(len(each[size - 1][0]) for each in begins)
        ends = [end - len(each[size - 1][0]) + width for end, each in zip(ends, begins, strict=True)]
    cuts = iter(ends)
    return b"".join(line[next(cuts) :] if line.strip() else line for line in _lines(text))


def _terminal(text: bytes) -> bytes | None:
    return _CONTROL_SEQUENCE.sub(b"", text)


def _around(text: bytes) -> Iterator[bytes]:
    """The text without some lines at its beginning and its end that hold nothing of it."""
    lines = _lines(text)
    for front in range(MOST_AROUND + 1):
        if front and _HOLDS.search(lines[front - 1] if front <= len(lines) else b"="):
            return
        for back in range(MOST_AROUND + 1):
            if back and (back + front >= len(lines) or _HOLDS.search(lines[-back])):
                break
            if front or back:
                yield b"".join(lines[front : len(lines) - back])


def _fence(text: bytes) -> bytes | None:
    found = _FENCE.search(text)
    return None if found is None else found[1] + b"\n"


def _zeros(text: bytes) -> bytes | None:
    found = _ZEROS.search(text)
    return None if found is None else text[: found.start()]


def _lines(text: bytes) -> list[bytes]:
    return text.splitlines(keepends=True)


def _quoted(text: bytes) -> bytes | None:
    lines = _lines(text)
    if len(lines) < FEWEST_LINES or not all(_QUOTED_LINE.match(line) or not line.strip() for line in lines):
        return None
    return b"".join(_QUOTED_LINE.sub(b"", line, count=1) for line in lines)


def _numbered(text: bytes) -> bytes | None:
    """Lines without their numbers, which count up."""
    lines = _lines(text)
    heads = [_NUMBERED.match(line) for line in lines]
    if len(lines) < FEWEST_LINES:
        return None
    numbers, behind = [], []
    for head in heads:
        if head is None:
            return None
        numbers.append(int(head[1][:9]))
        behind.append(head[2])
    if any(two != one + 1 for one, two in pairwise(numbers)):
        return None
    width = min(map(len, (head for head, line in zip(behind, lines, strict=True) if line.strip())))
    return b"".join(
        line[head.end(1) + min(width, len(head[2])) :]
        for head, line in zip(heads, lines, strict=True)
        if head is not None
    )


def _diff(text: bytes) -> bytes | None:
    """The lines of a diff as they are after it."""
    lines = [line for line in _lines(text) if not line.startswith((b"+++ ", b"--- ", b"@@ ", b"\\ No newline"))]
    if not any(line.startswith(b"+") for line in lines):
        return None
    if not all(line[:1] in (b" ", b"+", b"-") or not line.strip() for line in lines):
        return None
    return b"".join(line[1:] if line[:1] in b" +" else line for line in lines if line[:1] != b"-" or len(line) < 2)


def _printable(text: bytes) -> bytes | None:
    if b"=" not in text or len(_SOFT.findall(text)) < text.count(b"="):
        return None
    before = quopri.decodestring(text)
    return before if not bad_utf8(before) and (b"=3D" in text or not before.isascii()) else None


def _entities(text: bytes) -> bytes | None:
    if not _ENTITY.search(text):
        return None
    return html.unescape(text.decode(errors="surrogateescape")).encode(errors="surrogateescape")


def _percent(text: bytes) -> bytes | None:
    """What stood in an address."""
    if b"%" not in text or not _PERCENT.fullmatch(text):
        return None
    return unquote_to_bytes(text if b"%20" in text or b"+" not in text else text.replace(b"+", b" "))


def _markdown(text: bytes) -> bytes | None:
    return _MARKDOWN.sub(b"", text)


def _literal(text: bytes) -> bytes | None:
    """What lines say that are texts of a program, put together there."""
    found = [_LITERAL_LINE.fullmatch(line) for line in _lines(text) if line.strip()]
    if len(found) < FEWEST_LINES:
        return None
    out = []
    for each in found:
        if each is None:
            return None
        line = _LITERAL_ESCAPE.sub(lambda sign: _LITERALS.get(sign[1], sign[1]), each[1])
        out.append(line if line.endswith(b"\n") else line + b"\n")
    return b"".join(out)


def _core(text: bytes) -> bytes | None:
    """JSON without what stands around it on its own lines, such as a call."""
    if _SECTION_LINE.search(text):
        return None
    bare = text.strip()
    start, end = (min((at for at in map(bare.find, b"{[") if at >= 0), default=-1), max(map(bare.rfind, b"}]")) + 1)
    if (
        start < 0
        or end <= start
        or (not start and end == len(bare))
        or start > LONGEST_BEGIN
        or len(bare) - end > LONGEST_BEGIN
    ):
        return None
    pair = bare[start : start + 1] + bare[end - 1 : end]
    return bare[start:end] + b"\n" if pair in (b"{}", b"[]") else None


def _escaped(text: bytes) -> bytes | None:
    if b'\\"' not in text or re.search(rb'(?<!\\)"', text.strip().removeprefix(b'"').removesuffix(b'"')):
        return None
    bare = text.strip()
    if bare[:1] == b'"' == bare[-1:] and len(bare) > 1 and bare[-2:-1] != b"\\":
        bare = bare[1:-1].replace(b"\\n", b"\n").replace(b"\\t", b"\t")
        return bare.replace(b'\\"', b'"').replace(b"\\\\", b"\\")
    return text.replace(b'\\"', b'"')


def _spreadsheet(text: bytes) -> bytes | None:
    """What stands in one cell of a table, in which quotes are doubled."""
    bare = text.strip()
    if bare[:2] == b'"{' or bare[:2] == b'"[' or b'""' in bare[:4]:
        inner = bare.removeprefix(b'"').removesuffix(b'"')
        return None if re.search(rb'(?<!")"(?!")', inner) else inner.replace(b'""', b'"') + b"\n"
    return None


def _full(text: bytes) -> bytes | None:
    return _FULL_OUTSIDE.sub(lambda found: _FULL[found[1]] if found[1] else found[0], text)


def _conflict(text: bytes) -> bytes | None:
    """The side of this branch, where two were to be merged; None where no merge stands there whole."""
    out: list[bytes] = []
    begun = ours = merged = 0
    mark = b""
    for line in text.splitlines(keepends=True):
        sign = line[:7]
        if not mark and sign == _OURS:
            mark, begun, ours = _OURS, len(out), 0
        elif mark == _OURS and sign in (_BASE, _THEIRS):
            mark, ours = sign, len(out)
        elif mark == _BASE and sign == _THEIRS:
            mark = _THEIRS
        elif mark == _THEIRS and sign == _MERGED:
            out[begun:] = out[begun + 1 : ours]
            mark, merged = b"", merged + 1
            continue
        out.append(line)
    return b"".join(out) if merged else None


def _unseen(text: bytes) -> bytes | None:
    """Plain blanks in the place of others, and none without width, outside of texts in quotes."""
    return _UNSEEN.sub(lambda found: found[0] if found[1] is None else b" " if found[1] in _WIDE else b"", text)


def _western(text: bytes) -> bytes | None:
    """In UTF-8 what was saved in the code page of Windows, letter by letter."""
    if not bad_utf8(text):
        return None
    return _UTF8_OR_BYTE.sub(lambda found: found[0] if found[1] is None else _of_code_page(found[1]), text)


def _of_code_page(sign: bytes) -> bytes:
    return sign.decode("cp1252", errors="replace").encode()


def _program(text: bytes) -> bytes | None:
    """JSON from an object of Python or JavaScript."""
    start = _ASSIGNED.sub(b"", text.strip()).rstrip(b"; \n")
    if not _OBJECT.match(start) or start[-1:] not in (b"}", b"]"):
        if not _SINGLE.search(text):
            return None
        return _PROGRAM.sub(lambda found: found[0] if found[4] else _as_json(found), text)
    return _PROGRAM.sub(_as_json, start) + b"\n"


def _unopened(text: bytes) -> bytes | None:
    """With the bracket of an object that begins with its first key."""
    bare = text.rstrip()
    if not bare.endswith(b"}") or _FIRST_KEY.match(text) is None:
        return None
    return (b"{\n" if text[:1] in (b" ", b"\t") else b"{") + text


def _as_json(found: re.Match[bytes]) -> bytes:
    double, single, word, key = found.groups()
    if single is not None:
        return b'"' + single.replace(b"\\'", b"'").replace(b'"', b'\\"') + b'"'
    if word is not None:
        return _PROGRAM_WORDS[word]
    return b'"' + key + b'"' if key is not None else double


def _colons(text: bytes) -> bytes | None:
    """Keys with “=” in the place of a colon."""
    if text.lstrip()[:1] in (b"{", b""):
        return None
    return _COLON.sub(lambda found: found[1] + (b" = " if b" = " in text else b"="), text)


_UNDOS: tuple[tuple[str, str, Callable[[bytes], bytes | None]], ...] = (
    ("text-fence", "The text is between the Markdown fences of a chat, maybe with prose around it", _fence),
    ("text-encoding", "The text was saved as UTF-16, which no engine reads, and not as UTF-8", _wide),
    ("text-zeros", "Zero bytes or a control character follow the end of the text", _zeros),
    ("text-mail", "The lines are quoted with “>” as in an email", _quoted),
    ("text-mail", "A mail program encoded the text (quoted-printable)", _printable),
    ("text-line-numbers", "There are line numbers in front of the lines", _numbered),
    ("text-diff", "The lines are those of a diff, with a plus sign or a blank in front", _diff),
    ("text-terminal", "There are a terminal's colour codes in the text", _terminal),
    (
        "text-line-ends",
        "Nearly all lines end with something that does not belong there, as from a web page",
        _common_end,
    ),
    ("text-line-begins", "All lines begin with something that does not belong there, as from a log", _common_begin),
    ("text-entities", "A web page escaped the text: HTML entities are used instead of quotes", _entities),
    ("text-program", "The lines are texts of a program, with their quotes and escapes", _literal),
    ("text-address", "The text was encoded for a web address (URL), with percent signs", _percent),
    ("text-markdown", "There are backslashes in front of characters, as in Markdown", _markdown),
    ("text-escaped", "The quotes are escaped with backslashes, as in the text of a program", _escaped),
    ("text-spreadsheet", "A spreadsheet or a CSV file doubled the quotes of the text", _spreadsheet),
    ("text-conflict", "A merge left both versions between conflict marks; this keeps the first", _conflict),
    ("text-unseen", "There are blanks from a web page, or zero-width characters", _unseen),
    ("text-encoding", "The text is not in UTF-8, but in a Western code page such as Latin-1", _western),
    ("text-program", "The text is an object of Python or JavaScript: other quotes, words or keys", _program),
    ("text-colon", "Colons are used instead of “=” after keys", _colons),
    (
        "text-around",
        "Something around the text is not part of it, such as a call or quotes of a program",
        _core,
    ),
    (
        "text-full-width",
        "Full-width characters of a Chinese or Japanese keyboard are used instead of plain ones",
        _full,
    ),
    ("text-bracket", "The bracket at the beginning of the text is missing", _unopened),
)
