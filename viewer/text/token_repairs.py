"""One token put in, taken out, exchanged or spelled otherwise: what mends mistakes that nobody described beforehand.

Around the place where reading stopped the text is cut into tokens by rules that know no language in particular. What a
token may stand for is tried, the likeliest first, and whoever reads the text says what of it is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.text.phrase_meanings import is_near, nearest_word
from viewer.variant.dialect import load
from viewer.variant.literal.names import also_called

Patch = tuple[Span, bytes]
LINES = ("godot4", "godot3")
TYPED = ("Array", "Dictionary")
BEFORE, BEHIND = 5, 7
"""So many tokens are looked at in front of the place and behind it."""
CLOSE = 3
"""Brackets are put in so many tokens away at most."""
AROUND, LONGEST_LINE = 120, 200
_ODD = rb"(?:[`'~^*|]|[\xc2\xc3][\x80-\xbf](?<![\xc3][\x80-\xbf])|\xe2[\x80-\x81][\x80-\xbf]|\xe3\x80[\x80-\xbf])"
"""A sign that is no letter and means nothing in these texts."""
_OTHER_QUOTES = re.compile(_ODD + rb"{1,3}([^\n]*?)" + _ODD + rb"{1,3}(?=\s*(?:[,:=;\]})]|$))", re.MULTILINE)
_TWICE = re.compile(rb'(?<=[\s:=,\[({])(?:""+(\w[^"\n]*)"+|"(\w[^"\n]*)""+)(?=\s*[,:=\])}\n])')
_BARE = re.compile(
    rb"(?<=[\s:=,\[({])(?!(?:true|false|null|yes|no|on|off)\b)([A-Za-z_][\w./-]*)(?=[\t ]*(?:[,\]}\r\n]|\Z))"
)
_TOKEN = re.compile(
    rb'"(?:[^"\\\n]|\\.)*+"|-?\d[\w.]*+|(?:[A-Za-z_]|[\xc3-\xdf][\x80-\xbf])(?:\w|[\x80-\xff])*+|'
    rb"[()\[\]{}]|[^\w\s\"()\[\]{}]++|\""
)
_NUMBER = re.compile(rb"(?<![\w\"])[-+]?[\dOo][^\n,:=;\[\]{}()\"]*")
_PLAIN = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_UNPAIRED = re.compile(rb'^(?:[^"\n]|"(?:[^"\\\n]|\\.)*+")*+("?)', re.MULTILINE)
_LEADING = re.compile(rb"([-+]?\d+(?:\.\d+)?)[ \t]*(?:[A-Za-z%]|[\x80-\xff])+")
_BETWEEN = re.compile(rb"(?<=\d)(?:[ _'\t]|\xc2\xa0|\xe2\x80[\x89\xaf])(?=\d)")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TYPE = re.compile(rb"(?<![\w\"])[A-Za-z]\w*(?=[\t ]*[(\[{<])")
_MEANT = {
    b"true": b"true yes on ja oui si wahr vrai",
    b"false": b"false no off nein non falsch faux",
    b"null": b"null none nil undefined nan na empty",
}
_UNOPENED = re.compile(
    rb"(?<![\w\"])(Vector[234]i?|Rect2i?|Color|Plane|Quat(?:ernion)?|AABB|Basis|Transform(?:2D|3D)?|NodePath|"
    rb"(?:Ext|Sub)Resource|P(?:acked|ool)\w+?Array)(?=[\"\d-][^()\n]*\))"
)
_LOOK_ALIKE = bytes.maketrans(b"OoIl", b"0011")
_CONSTANT = re.compile(rb"\b(Vector[234]i?|Color)\.([A-Z]+)\b")
_CONSTANTS = {
    "Vector2": {"ZERO": "0, 0", "ONE": "1, 1", "LEFT": "-1, 0", "RIGHT": "1, 0", "UP": "0, -1", "DOWN": "0, 1"},
    "Vector3": {"ZERO": "0, 0, 0", "ONE": "1, 1, 1", "UP": "0, 1, 0", "DOWN": "0, -1, 0"},
    "Vector4": {"ZERO": "0, 0, 0, 0", "ONE": "1, 1, 1, 1"},
    "Color": {"WHITE": "1, 1, 1, 1", "BLACK": "0, 0, 0, 1", "RED": "1, 0, 0, 1", "GREEN": "0, 1, 0, 1"},
}
_CONSTANTS["Color"] |= {"BLUE": "0, 0, 1, 1", "YELLOW": "1, 1, 0, 1", "TRANSPARENT": "1, 1, 1, 0"}
_COMMENT_SIGNS = (b"//", b"/*", b"#", b"--", b"<!--", b";", b"%", b"'")
MERGE_MARKS = tuple(sign * 7 for sign in (b"<", b"|", b"=", b">"))
_SWAPPED = re.compile(rb'[",:=\[\]{}()]{2}')
_WORDS = {word: meant for meant, words in _MEANT.items() for word in words.split()}
_SENTENCE = re.compile(
    rb'(?<=[=:])[\t ]*((?!--|//|(?:true|false|null|yes|no|on|off)\b)[^\s"\[\](){}\d#;=:,<>-][^\n"\[\](){}#;=:<>]*?)'
    rb"[\t ]*(?=,?[\t ]*\r?$)",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(rb"(?<==)([A-Za-z_][\w./:-]*)(?=[\s\]])")
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSERS = {closer: opener for opener, closer in _PAIRS.items()}
_SEPARATORS = {b":": "colon", b",": "comma", b"=": "equals sign"}


@dataclass(frozen=True, slots=True)
class TokenRepair:
    """One thing to try.

    Args:
        name, sentence: what the mistake is called, and what happened.
        patches: what to write where.
        cost: how unlikely it is.
        is_free: whether nothing is lost by what it takes out.
    """

    name: str
    sentence: str
    patches: tuple[Patch, ...]
    cost: float
    is_free: bool = True


def token_repairs(text: bytes, start: int) -> Iterator[TokenRepair]:
    """What may be meant around a place, the likeliest first.

    Args:
        text: all of it.
        start: where reading stopped.
    """
    low, high = _window(text, start)
    yield from _spellings(text, low, high)
    tokens = [found.span() for found in _TOKEN.finditer(text, low, high)]
    here = next((k for k, (_, end) in enumerate(tokens) if end > start), len(tokens))
    near = range(max(0, here - BEFORE), min(len(tokens), here + BEHIND))
    yield from _comments(text, tokens, near)
    yield from _separators(text, tokens, near)
    yield from _exchanged(text, tokens, near)
    yield from _brackets(text, tokens, near)
    yield from _unopened(text, low, high)
    yield from _put_in(text, tokens, near, here)
    yield from _taken_out(text, tokens, near)


def odd_line(text: bytes) -> int | None:
    """Where the first line begins in which a quote has no other; None where there is none."""
    for found in _UNPAIRED.finditer(text):
        if found[1]:
            return found.start()
    return None


def _window(text: bytes, start: int) -> tuple[int, int]:
    """The line of a place and the one before it with something in it."""
    front = len(text[max(0, start - AROUND) : start].rstrip()) + max(0, start - AROUND)
    low = max(text.rfind(b"\n", 0, front) + 1, start - AROUND)
    high = text.find(b"\n", start)
    return low, min(len(text) if high < 0 else high, start + LONGEST_LINE)


# Words, numbers and texts


def _spellings(text: bytes, low: int, high: int) -> Iterator[TokenRepair]:
    """Tokens that are spelled as elsewhere."""
    some = tuple(
        (Span(*found.span()), _quoted(found[1])) for found in _OTHER_QUOTES.finditer(text, low, high) if found[1]
    )
    if some:
        yield TokenRepair("text-quotes", "Texts are in something other than straight double quotes", some, 0.5)
    for found in _TWICE.finditer(text, low, high):
        patch = Span(*found.span()), _quoted((found[1] or found[2]).strip())
        yield TokenRepair("text-quote-twice", "A quote occurs twice", (patch,), 1.0)
    for found in _NUMBER.finditer(text, low, high):
        raw = found[0].rstrip()
        meant = number_meant(raw)
        if meant is not None and meant != raw:
            patch = Span(found.start(), found.start() + len(raw)), meant
            what = (
                "A number has blanks or other characters between its digits"
                if _BETWEEN.search(raw)
                else "A number has letters in it or after it"
            )
            yield TokenRepair("text-number", what, (patch,), 1.0)
    for found in _WORD.finditer(text, low, high):
        meant = _WORDS.get(found[0].lower()) or _near(found[0])
        if meant is not None and meant != found[0]:
            patch = Span(*found.span()), meant
            yield TokenRepair("text-word", "A word is spelled as in another language", (patch,), 1.0)
    for found in _TYPE.finditer(text, low, high):
        for name in names_near(found[0].decode()):
            patch = Span(*found.span()), name.encode()
            yield TokenRepair("text-type", "The name of a type is spelled as elsewhere", (patch,), 1.0)
    for found in _CONSTANT.finditer(text, low, high):
        name = found[1].decode()
        numbers = _CONSTANTS.get(name.removesuffix("i"), {}).get(found[2].decode())
        if numbers is not None:
            patch = Span(*found.span()), f"{name}({numbers})".encode()
            yield TokenRepair("text-constant", "A constant of a script is used instead of its value", (patch,), 0.5)
    for found in _SENTENCE.finditer(text, low, high):
        patch = Span(found.start(1), found.end(1)), _quoted(found[1])
        yield TokenRepair("text-quotes", "A text lacks its quotes", (patch,), 2.5)
    for found in _BARE.finditer(text, low, high):
        patch = Span(*found.span()), _quoted(found[1])
        yield TokenRepair("text-quotes", "A text lacks its quotes", (patch,), 1.5)
    some = tuple((Span(*found.span()), _quoted(found[1])) for found in _ATTRIBUTE.finditer(text, low, high))
    if some:
        yield TokenRepair("text-quotes", "Words lack their quotes", some, 2.0)


def number_meant(raw: bytes) -> bytes | None:
    """The number that some signs stand for which are none by themselves; None where there is no telling."""
    plain = _BETWEEN.sub(b"", raw).removeprefix(b"+")
    if _PLAIN.fullmatch(plain):
        return plain
    alike = plain.translate(_LOOK_ALIKE)
    if _PLAIN.fullmatch(alike):
        return alike
    found = _LEADING.fullmatch(plain)
    return found[1].removeprefix(b"+") if found is not None else None


def _near(word: bytes) -> bytes | None:
    found = nearest_word(word.decode())
    return None if found is None else found.encode()


def names_near(name: str) -> list[str]:
    """Types of any engine line that may be meant: the same in other letters, elsewhere, or a sign away."""
    if name in TYPED:
        return []
    low = name.lower()
    known = {each for line in LINES for each in load(line).by_name} - {*TYPED}
    alike = [each for each in sorted(known) if each != name and _is_near_name(each.lower(), low)]
    return [*(each for each in also_called(name) if each in known), *alike]


def _is_near_name(one: str, other: str) -> bool:
    return one == other or (len(other) > 3 and abs(len(one) - len(other)) < 2 and is_near(one, other))


def _quoted(content: bytes) -> bytes:
    inner = content.replace(b'\\"', b'"').replace(b'"', b'\\"')
    return b'"' + inner + b'"'


# Signs between them

Tokens = list[tuple[int, int]]


def _comments(text: bytes, tokens: Tokens, near: range) -> Iterator[TokenRepair]:
    """The rest of a line is a comment, whatever sign it begins with."""
    for k in near:
        at = tokens[k][0]
        if text[at : at + 1] in b'"-' and text[at : at + 2] != b"--":
            continue
        if (
            text[at : at + 7] in MERGE_MARKS
            or text[at : at + 1].isalnum()
            or text[at : at + 1] in b"()[]{}"
            or not text[at - 1 : at].isspace()
        ):
            continue
        end = text.find(b"\n", at)
        end = len(text) if end < 0 else end
        begin = len(text[:at].rstrip(b" \t"))
        if begin < end and re.search(rb"[A-Za-z]", text[at:end]):
            is_comment = text.startswith(_COMMENT_SIGNS, at)
            name = "text-comment" if is_comment else "text-line"
            what = (
                "There is a comment where none may be"
                if is_comment
                else "A line has something in it that is not a value"
            )
            yield TokenRepair(name, what, ((Span(begin, end), b""),), 2.0)
        elif not text[at:end].strip(b"\\<>/|~ \t\r"):
            sentence = "A character at the end of a line means nothing here, such as a backslash"
            yield TokenRepair("text-sign", sentence, ((Span(begin, end), b""),), 1.0)


def _separators(text: bytes, tokens: Tokens, near: range) -> Iterator[TokenRepair]:
    """A sign, or several, in the place of a colon, a comma or an equals sign."""
    for k in near:
        start, end = tokens[k]
        raw = text[start:end]
        if raw[:1].isalnum() or raw[:1] in (b'"', b"_", b"-", b"&", *_PAIRS, *_CLOSERS):
            continue
        for sign, name in _SEPARATORS.items():
            if raw != sign:
                sentence = f"Something else is used instead of {'an' if name[0] == 'e' else 'a'} {name}"
                cost = 3.0 if raw in (b":", b"=") else 1.5
                yield TokenRepair(f"text-{name.split()[0]}", sentence, ((Span(start, end), sign),), cost)


def _exchanged(text: bytes, tokens: Tokens, near: range) -> Iterator[TokenRepair]:
    """Two signs side by side have changed places."""
    for k in near:
        for at in {tokens[k][0], tokens[k][1] - 1}:
            for left in (at - 1, at):
                pair = text[left : left + 2]
                around = (text[left - 1 : left], pair[:1]), (text[left + 2 : left + 3], pair[1:])
                is_doubled = any(sign == beside and sign != b'"' for beside, sign in around)  # one of them too many
                if _SWAPPED.fullmatch(pair) and pair[:1] != pair[1:] and not is_doubled:
                    patch = Span(left, left + 2), pair[::-1]
                    cost = -3.0 if pair in (b',"', b':"') else 2.0  # hardly any text ends so
                    sentence = "Two characters have changed places, such as a quote and a comma"
                    yield TokenRepair("text-swapped", sentence, (patch,), cost)


def _unopened(text: bytes, low: int, high: int) -> Iterator[TokenRepair]:
    """Behind the name of a type its bracket is missing, while it closes."""
    for found in _UNOPENED.finditer(text, low, high):
        at = found.end()
        sentence = f"The bracket after {found[1].decode()} is missing"
        yield TokenRepair("text-bracket", sentence, ((Span(at, at), b"("),), -2.0)


def _brackets(text: bytes, tokens: Tokens, near: range) -> Iterator[TokenRepair]:
    """Both brackets are of another kind than they should be, or one of them is."""
    for k in near:
        start, end = tokens[k]
        opener = text[start:end]
        if opener not in _PAIRS:
            continue
        close = _partner(text, start)
        for other in _PAIRS:
            if other == opener or close is None:
                continue
            patches = (Span(start, end), other), (Span(close, close + 1), _PAIRS[other])
            is_list = opener == b"{" and other == b"[" and not re.search(rb"[:=]", text[start:close])
            yield TokenRepair(
                "text-bracket", "The brackets are of another kind than they should be", patches, 0.0 if is_list else 3.5
            )


def _partner(text: bytes, start: int) -> int | None:
    """Where the bracket that opens at a byte closes, not far behind."""
    depth = 0
    for found in re.finditer(rb'"(?:[^"\\\n]|\\.)*+"|[()\[\]{}]', text[start : start + 4 * AROUND]):
        depth += (found[0] in _PAIRS) - (found[0] in _CLOSERS)
        if not depth:
            return start + found.start()
    return None


def _put_in(text: bytes, tokens: Tokens, near: range, here: int) -> Iterator[TokenRepair]:
    """A sign is missing."""
    for k in near:
        start, end = tokens[k]
        ends = (Span(end, end),) if not text[end : end + 1].strip() else ()
        for sign, name in _SEPARATORS.items():
            before = tokens[k - 1][1] if k else start
            gap = before if not text[before:start].strip(b" \t") else start
            for place in (Span(gap if sign == b"=" else start, start), *ends):
                sentence = f"{'An' if name[0] == 'e' else 'A'} {name} is missing"
                yield TokenRepair(f"text-{name.split()[0]}", sentence, ((place, sign),), 4.0)
        for sign in (*_PAIRS, *_CLOSERS) if abs(k - here) <= CLOSE else ():
            for place in (Span(start, start), *ends):
                yield TokenRepair("text-bracket", "A bracket is missing", ((place, sign),), 9.0)
        if text[start:end] in (b":", b"=", b":,"):
            patch = Span(start + 1, start + 1), b" null"
            yield TokenRepair("text-value", "A value is missing: null replaces it", (patch,), 4.0)


def _taken_out(text: bytes, tokens: Tokens, near: range) -> Iterator[TokenRepair]:
    """A sign or a word too many."""
    for k in near:
        start, end = tokens[k]
        raw = text[start:end]
        is_sign = not raw[:1].isalnum() and raw[:1] not in b'"_'
        name, what = ("text-sign", "a character") if is_sign else ("text-rest", "a word")
        if raw in _PAIRS or raw in _CLOSERS:
            name, what = "text-bracket", "A bracket"
        patch = Span(start, end), b""
        yield TokenRepair(name, f"There is {what} too many", (patch,), 3.0 + (0 if is_sign else 4), is_sign)
