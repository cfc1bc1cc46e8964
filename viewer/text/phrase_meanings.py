"""What a phrase may mean that stands in the place of a value and is none: a number, a word, a text without quotes.

What is taken away from a phrase costs as much as it says, so that the value that explains most of it comes first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from viewer.base.record import dataclass

MOST_LETTERS = 200
"""A longer phrase means nothing that is looked for here."""
WITHOUT_QUOTES = "A text lacks its quotes"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
_PIECES = re.compile(r"<[^<>]*>|&#?\w+;|\d+|[^\W\d_][^\W_]*|\s+|(\W|_)\1*")
_APART = re.compile(r"(?<![^\W_])\d+(?:\.\d+)?")
_TAGS = re.compile(r"<[^<>]*>|&#?\w+;|\s+")
_SUM = re.compile(r"(-?\d+(?:\.\d+)?)\s*([-+*/]|\*\*|<<)\s*(-?\d+(?:\.\d+)?)")
_GROUPED = re.compile(r"-?\d{1,3}(?:(,)\d{3}(?:,\d{3})*(?:\.\d+)?|(\.)\d{3}(?:\.\d{3})*,\d+)")
_APART_BY_SIGNS = re.compile(r"-?\d+(?:[_']\d+)+(?:\.\d+)?")
_NUMBERS = re.compile(r"-?[\d.]+(?:\s+-?[\d.]+)+")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_COMMA = re.compile(r"-?\d+,\d{1,2}|-?0,\d+")
_SIGN_APART = re.compile(r"-\s+(\d+(?:\.\d+)?)")
_POINTS = re.compile(r"(-?\d+)[.,]{2,}(\d+)")
_BARE_POINT = re.compile(r"[-+]?\.\d+(?:[eE][-+]?\d+)?")
_HEX = re.compile(r"-?0[xX][0-9a-fA-F]{1,15}")
_NOTHING = re.compile(r"[nN]/?[aA]|NaN|[-?]+|[nN](?:one|il|ot set)|NULL|[uU]ndefined|void|<none>")
_ON = re.compile(r"(?i:true|yes|on|ja|si|oui|wahr|vrai|enabled)")
_OFF = re.compile(r"(?i:false|no|off|nein|non|falsch|faux|disabled)")
_OTHER_QUOTES = "'`\u00b4\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u2033"
_LONG_SHIFT = 40


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase may mean.

    Args:
        cost: how unlikely that is.
        name, sentence: what the mistake is called, and what happened.
        value: the value as it is spelled in both kinds of text.
    """

    cost: float
    name: str
    sentence: str
    value: bytes


def meanings(raw: bytes, is_called: bool = False) -> Iterator[Meaning]:
    """What a phrase may mean that is no value as it stands there.

    Args:
        raw: its bytes, without blanks around them.
        is_called: whether it stands in the brackets of a call that means nothing.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return
    if not text or len(text) > MOST_LETTERS or "\n" in text:
        return
    plain = unicodedata.normalize("NFKC", text)
    if plain != text and (_PLAIN.fullmatch(plain) or _TEXT.fullmatch(plain)):
        yield Meaning(0.5, "text-full-width", "Full-width characters are used instead of plain ones", plain.encode())
    yield from _words(text)
    yield from _numbers(text, is_called)
    yield from _texts(text)


def _words(text: str) -> Iterator[Meaning]:
    bare = _TAGS.sub("", text).strip(" !?*_.~'`")
    rest = len(text) - len(bare)
    cost = 1.0 + 0.25 * rest
    for pattern, word in ((_ON, b"true"), (_OFF, b"false")):
        if pattern.fullmatch(bare):
            sentence = "A word is spelled as in another language" if not rest or bare.encode() != word else _AROUND
            yield Meaning(cost, "text-word" if sentence != _AROUND else "text-sign", sentence, word)
    near = nearest_word(text)
    if near is not None and near != text and text.isalpha():
        yield Meaning(1.25, "text-word", "A word is spelled as in another language", near.encode())
    if _NOTHING.fullmatch(text.strip()):
        yield Meaning(0.25, "text-word", "There is a word that says that there is no value", b"null")
    elif bare == "null":
        yield Meaning(cost, "text-sign", _AROUND, b"null")


def nearest_word(word: str) -> str | None:
    """One of the three words that values have, of which a sign is wrong or two have changed places."""
    low = word.lower()
    for meant in ("true", "false", "null"):
        if abs(len(low) - len(meant)) < 2 and len(low) > 2 and is_near(low, meant):
            return meant
    return None


def is_near(one: str, other: str) -> bool:
    """Whether a sign is wrong, missing or too many, or two have changed places."""
    front = 0
    while front < min(len(one), len(other)) and one[front] == other[front]:
        front += 1
    rest, meant = one[front:], other[front:]
    if rest[:2] == meant[1::-1] and rest[2:] == meant[2:]:
        return True
    return any(rest[a:] == meant[b:] for a, b in ((1, 1), (1, 0), (0, 1)))


_AROUND = "There are characters around or after a value that are not part of it"


def _numbers(text: str, is_called: bool) -> Iterator[Meaning]:
    """Numbers, of which something else stands around one, or which are to be counted out."""
    if _BARE_POINT.fullmatch(text):
        number = text.removeprefix("+").replace(".", "0.", 1).encode()
        yield Meaning(0.25, "text-number", "A number begins with its decimal point", number)
        return  # without the point it is another number
    if _HEX.fullmatch(text):
        number = b"%d" % int(text, 16)
        yield Meaning(0.5, "text-number", "A number is written in hexadecimal digits", number)
        return
    found = _SIGN_APART.fullmatch(text)
    if found is not None:
        yield Meaning(0.5, "text-number", "There is a blank between a minus and its number", b"-" + found[1].encode())
    found = _POINTS.fullmatch(text)
    if found is not None:
        number = f"{found[1]}.{found[2]}".encode()
        yield Meaning(0.5, "text-number", "The point of a number occurs twice", number)
    found = _COMMA.fullmatch(text)
    if found is not None:
        number = text.replace(",", ".").encode()
        yield Meaning(1.0, "text-decimal-comma", "A number has a decimal comma instead of a point", number)
    if _APART_BY_SIGNS.fullmatch(text):
        number = re.sub(r"[^-.\d]", "", text).encode()
        yield Meaning(0.5, "text-number", "A number has other characters between its digits", number)
        return  # any part of it is another number
    found = _GROUPED.fullmatch(text)
    if found is not None:
        number = (text.replace(",", "") if found[1] else text.replace(".", "").replace(",", ".")).encode()
        yield Meaning(1.0, "text-number", "A number has other characters between its digits", number)
    found = _SUM.fullmatch(text)
    result = _counted(*found.groups()) if found is not None else None
    if result is not None:
        yield Meaning(1.0, "text-expression", "A calculation of a script is used instead of its result", result)
    found = next(iter(_NUMBER.finditer(text)), None)
    if found is None or _PLAIN.fullmatch(text):
        return
    front, behind = text[: found.start()], text[found.end() :]
    cost = _said(front, is_front=True, behind=behind) + _said(behind, is_front=False)
    if re.search(r"\w\.$|^\.\w", front[-2:] + behind[:2]) or front[-1:] == "#":
        cost += 2
    cost *= 0.3 if is_called else 1.0
    rest = _TAGS.sub("", front + behind)
    if not rest:
        yield Meaning(cost, "text-tag", "There are tags or entities of a web page in a value", found[0].encode())
    else:
        is_word = any(sign.isalpha() for sign in rest)
        what = "A number has letters or a word around it" if is_word else "A number has other characters around it"
        yield Meaning(cost, "text-number", what, found[0].encode())


def _said(rest: str, is_front: bool, behind: str = "") -> float:
    """How much says what is taken away; *behind* is what else is, in which brackets may close."""
    cost = 0.0
    for piece in _PIECES.finditer(rest):
        one = piece[0]
        if one.isspace():
            continue
        if one[:1] in "<&" and len(one) > 2:
            cost += 0.5
        elif one[0].isdigit():
            cost += 3.5
        elif one[0] in _BRACKETS and _BRACKETS[one[0]] not in rest + behind:
            cost += 2.5  # rather the other one is missing
        elif one[0].isalpha():
            cost += 1.0 + 0.15 * len(one) + (0.6 * (len(one) > 1) + 1.5 * one[0].isupper()) * is_front
        else:
            cost += 0.75
    return cost


def _counted(one: str, sign: str, other: str) -> bytes | None:
    """The result of a small calculation; None where there is none."""
    if len(one) + len(other) > _LONG_SHIFT or (sign == "<<" and not (one + other).isdigit()):
        return None
    left, right = (float(each) if "." in each else int(each) for each in (one, other))
    if sign == "/":
        result: float = left / right if right else float("nan")
    elif sign in ("<<", "**"):
        if not 0 <= right <= _LONG_SHIFT or abs(left) > 1 << 16:
            return None
        result = int(left) << int(right) if sign == "<<" else left**right
    else:
        result = {"+": left + right, "-": left - right, "*": left * right}[sign]
    return None if result != result or abs(result) > 1 << 62 else repr(result).encode()


def _texts(text: str) -> Iterator[Meaning]:
    """A text in quotes, where there are none or other ones."""
    bare = text.strip('"')
    if bare and '"' not in bare and text.count('"') > 2 and text[0] == text[-1] == '"':
        yield Meaning(0.75, "text-quote-twice", "A quote occurs twice", _quoted(bare))
        return
    found = list(_TEXT.finditer(text))
    if len(found) == 1:
        rest = text[: found[0].start()] + text[found[0].end() :]
        cost = _said(rest, is_front=False)
        if not _TAGS.sub("", rest):
            yield Meaning(cost, "text-tag", "There are tags or entities of a web page in a value", found[0][0].encode())
        elif not rest.strip('"'):
            yield Meaning(cost, "text-quote-twice", "A quote occurs twice", found[0][0].encode())
        else:
            what = "There are letters or other characters around a text that are not part of it"
            yield Meaning(cost, "text-sign", what, found[0][0].encode())
        return
    bare = text.strip(_OTHER_QUOTES + '"')
    if len(text) - len(bare) > 1 and bare and '"' not in bare and text[0] in _OTHER_QUOTES + '"':
        what = "A text is in something other than straight double quotes"
        yield Meaning(0.75, "text-quotes", what, _quoted(bare))
        return
    bare = text.strip('"')
    if not bare or '"' in bare or _PLAIN.fullmatch(bare) or re.search(r"[<>{}\[\]()]", bare):
        return
    begins = bare[0].isalpha()
    digits = len(_APART.findall(bare))
    cost = 1.75 if begins else 2.25 if digits > 1 else 4.0
    if _NUMBERS.fullmatch(bare):
        cost = 4.0  # rather the signs between them are missing
    if nearest_word(bare) is not None:
        cost += 1.5  # rather that word
    if begins and bare[0].islower() and _NUMBER.fullmatch(bare[1:]):
        cost += 1.0  # rather a letter in front of a number
    what = "The quote at the end of a text is missing" if text[0] == '"' else WITHOUT_QUOTES
    what = "The quote at the beginning of a text is missing" if text[0] != '"' == text[-1] else what
    yield Meaning(cost, "text-quotes", what, _quoted(bare))


def _quoted(bare: str) -> bytes:
    escaped = bare.replace("\\", "\\\\") if re.search(r'\\(?!["\\/bfnrtu])', bare) else bare
    return b'"' + escaped.encode() + b'"'
