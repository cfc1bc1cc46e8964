"""What people do wrong when they write JSON or a ConfigFile by hand, and what would mend it.

Every mistake is looked for around the place where reading stopped, undone, and the text is read again. What leaves
fewer mistakes is offered: the one that leaves the fewest, and then the one that changes least, first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from viewer.base.record import dataclass, replace
from viewer.base.span import Span
from viewer.container.layer import Damage
from viewer.text.bracket_balance import balanced
from viewer.text.foreign_spelling import spellings
from viewer.text.json_parser import MORE_FOLLOWS
from viewer.text.least_repair import least_repairs
from viewer.text.mend_shares import MendForm, drops
from viewer.text.patching import common, common_end, patched
from viewer.text.resource_rules import likely_head
from viewer.text.sure_repairs import sure_repairs
from viewer.text.token_repairs import MERGE_MARKS, odd_line, token_repairs
from viewer.text.whole_mends import GUESSED, PLAIN_SIGNS, steps_back, whole_mends

Patch = tuple[Span, bytes]
Reader = Callable[[bytes], tuple[Sequence[Damage], int]]
"""What is wrong with a text, and how many bytes its values take."""
A_MISTAKE, LOST, DELETED, READ, LATER = 10, 2, 4, 8, 0.25
"""What weighs how much: a mistake, a byte that cannot be read, one that is taken out, so many that are read, and each
guess that is likelier."""
LATEST = 12
"""Guesses behind so many are equally likely."""
MOST_BYTES = 1 << 20
"""Longer texts are not read again for every guess."""
MOST_MENDED = 40
MOST_SURE = 8
MOST, SMALL = 4, 12
"""So many are offered; what changes fewer bytes is rather meant than what changes more in a text as a whole."""
AROUND, MOST_BEFORE = 200, 4000
MOST_JOINED = 6
"""Behind so many mistakes the rest is mended one by one."""
TILTED, RIVAL = 4.0, 1.5
"""What brackets cost against the indentation; a mend that costs so little more may be meant as well."""
_HEAD = "text-head"
_ZEROS = "text-zeros", "Zero bytes or a control character follow the end of the text"
_QUOTES = {quote.encode(): b'"' for quote in "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"}
_NOTHING_LOST = (
    "text-comment",
    "text-line",
    "text-conflict",
    "text-leftover",
    "text-call",
    "text-type",
    "text-number",
    "text-color",
)
"""Mistakes that mean nothing by themselves."""
_CUT, _APPENDED = "text-cut", "text-appended"
_A_KEY = re.compile(rb"\"((?:[^\"\\\n]|\\.)*+)\"\s*+:")
_NEXT_ITEM = re.compile(rb"\s*,\s*[\[{]")
_BY_FORM = ("text-around", "text-bracket", _CUT)
"""What is told by how lines look, so that a smaller mistake may be behind it."""
_SMART = re.compile(b"|".join(_QUOTES))
_SINGLE = re.compile(rb"'([^'\"\n\\]*)'")
_WORD = re.compile(rb"\b(?:True|False|None|NULL|Null|nil|undefined|TRUE|FALSE)\b")
_MEANT = {b"true": b"true", b"false": b"false"}
_COMMENT = re.compile(rb"[\t ]*(?://[^\n]*|#[^\n]*|/\*.*?\*/)", re.DOTALL)
_DECIMAL = re.compile(rb"(?<=\d),(?=\d)")
_BARE_KEY = re.compile(rb"([A-Za-z_]\w*)(?=[\t ]*[:=])")
_BARE_TEXT = re.compile(
    rb"(?<=[:=,\[])[\t ]*(?!(?:true|false|null|yes|no|on|off)\b)([^\W\d][^\n,:=\"\[\]{}()]*+)(?![\[{(])"
)
_POINT = re.compile(rb"(?<![\w.])\.(?=\d)")
_BACKSLASH = re.compile(rb"\\(?![\"\\/bfnrtu])|\\u(?![0-9a-fA-F]{4})")
_TWO_COMMAS = re.compile(rb",([\s]*,)+|(?<=[\[{]),")
_NO_COMMA = re.compile(rb"(?<=[\w\"\])}])[\t ]+(?=[\w\"\[{-])")
_NO_COLON = re.compile(rb'("(?:[^"\\\n]|\\.)*+")[\t ]*+=?[\t ]*+(?=["\w\[{-])')
_UNENDED = re.compile(rb'[=:,\[({][\t ]*+"[^"\n]*+(?=\n)')
_IN_FRONT = re.compile(rb',\s*+"(?:[^"\\]|\\.)*+"\s*+\Z')
_WHOLE_TILL, LAST_SIGNS = re.compile(rb"[,\[{\n]"), 3
"""Behind what a text may be cut that breaks off, and how many of these places are tried."""
_NEEDLESS = re.compile(rb",(?=[\]})])")
_ZERO = re.compile(rb"\x00+")
_PLUS = re.compile(rb"(?<![\w)\]}\"])\+(?=\d)")


@dataclass(frozen=True, slots=True)
class TextMend:
    """One way to mend a text.

    Args:
        name: what the mistake is called: ``text-comma``.
        sentence: what happened.
        patches: what to write where.
        left: how many mistakes are left then.
        cost: what is lost with it, the less the better.
        count: how many mistakes it mends at least.
        is_whole: whether it undoes what all of the text went through.
        form: what can be seen of it among the others; None until these are known.
    """

    name: str
    sentence: str
    patches: tuple[Patch, ...]
    left: int
    cost: float = 0.0
    count: int = 1
    is_whole: bool = False
    form: MendForm | None = None

    @property
    def size(self) -> int:
        """How many bytes are others."""
        return sum(max(len(span), len(fresh)) for span, fresh in self.patches)


def mends(text: bytes, damages: Sequence[Damage], read: Reader, is_json: bool) -> list[TextMend]:
    """What would mend a text, the best first; all mistakes in one go in front where there are several.

    Args:
        text: as it is.
        damages: what is wrong with it.
        read: what tells that of another text.
        is_json: whether it is JSON, else it is one of the engines' texts.
    """
    if len(text) > MOST_BYTES:
        return _ends_mended(text, damages, read)
    found = [*_sure(text, damages, read, is_json), *_ordered(text, damages, read, is_json)]
    once = dict[bytes, TextMend]()
    for mend in found:
        once.setdefault(_seen(patched(text, mend.patches)), mend)
    found = list(once.values())
    return [replace(mend, form=_form(text, mend, found, is_json, len(damages))) for mend in found]


def _sure(text: bytes, damages: Sequence[Damage], read: Reader, is_json: bool) -> list[TextMend]:
    """What the neighbours of the first mistake tell, if it mends all that is wrong."""
    if not damages:
        return []
    place = min(damage.span.start for damage in damages)
    for repair in islice(sure_repairs(text, place, is_json), MOST_SURE):
        if not read(patched(text, repair.patches))[0]:
            return [TextMend(repair.name, repair.sentence, repair.patches, 0)]
    return []


def _ends_mended(text: bytes, damages: Sequence[Damage], read: Reader) -> list[TextMend]:
    """What mends the end of a text that is too long for anything else: zeros taken off, brackets closed."""
    kept = text.rstrip(b"\0\x1a")
    end = len(kept.rstrip())
    if len(damages) > LAST_SIGNS or any(damage.span.end < end for damage in damages):
        return []
    closers = _open_brackets(kept)
    patches = [(Span(end, end), closers)] if closers else []
    patches += [(Span(len(kept), len(text)), b"")] if len(kept) < len(text) else []
    if not patches:
        return []
    left = len(read(patched(text, patches))[0])
    if left >= len(damages):
        return []
    name, what = ("text-bracket", "Brackets at the end are missing") if closers else _ZEROS
    mend = TextMend(name, what, tuple(patches), left, count=len(patches))
    return [replace(mend, form=MendForm(False, len(patches), 0, False, False, left))]


def _ordered(text: bytes, damages: Sequence[Damage], read: Reader, is_json: bool) -> list[TextMend]:
    """What would mend a text, the best first."""
    whole = _of_whole(text, damages, read)
    if not damages or (whole and not whole[0].left and whole[0].name not in _BY_FORM):
        return whole
    first = [*_least(text, damages, read, is_json), *_of_first(text, damages, read)]
    first = list({mend.patches: mend for mend in sorted(first, key=lambda mend: -mend.cost)}.values())
    if is_json:
        first = _upright(text, first)
    first = sorted(first, key=lambda mend: mend.cost)[:MOST]
    if whole and (not first or whole[0].left <= first[0].left):
        is_small = bool(first) and first[0].left <= whole[0].left and _is_less(text, first[0], whole[0])
        first = [first[0], *whole, *first[1:]] if is_small else [*whole, *first]
    if len(damages) < 2 or not first:
        return first
    found = _chained(text, first, read, is_json)
    return first if found is None else [found, *first]


def _is_less(text: bytes, mend: TextMend, whole: TextMend) -> bool:
    """Whether a mend is rather meant than one of all of a text: it is small, or drops nothing as that one does."""
    return mend.size < SMALL < whole.size or (whole.name == _CUT and not drops(text, mend.patches))


def _upright(text: bytes, found: Sequence[TextMend]) -> list[TextMend]:
    """Mends, of which those cost more that leave brackets against the indentation, where others don't."""
    tilted = [bool(balanced(patched(text, mend.patches))) for mend in found]
    if all(tilted):
        return list(found)
    return [
        replace(mend, cost=mend.cost + TILTED) if is_tilted else mend
        for mend, is_tilted in zip(found, tilted, strict=True)
    ]


def _seen(text: bytes) -> bytes:
    """A text without its blanks and commas that mean nothing, by which two mends are the same."""
    return _NEEDLESS.sub(b"", b"".join(text.split()))


def _form(text: bytes, mend: TextMend, others: Sequence[TextMend], is_json: bool, told: int) -> MendForm:
    """What can be seen of a mend among others."""
    rivals = sum(
        other is not mend and other.left <= mend.left and (other.is_whole or other.cost < mend.cost + RIVAL)
        for other in others
    )
    is_tilted = is_json and not mend.is_whole and bool(balanced(patched(text, mend.patches)))
    drops_some, is_guess, is_beyond = drops(text, mend.patches), mend.name in (_HEAD, _APPENDED), mend.count > 2 * told
    return MendForm(mend.is_whole, mend.count, rivals, drops_some, is_tilted, mend.left, is_guess, is_beyond)


def _least(text: bytes, damages: Sequence[Damage], read: Reader, is_json: bool) -> list[TextMend]:
    """What costs least of all that makes the text readable."""
    now = _cost(*read(text), ())
    repairs = least_repairs(text, [damage.span for damage in damages], is_json)
    told = [(repair, *read(patched(text, repair.patches))) for repair in repairs]
    most = max((kept for _, _, kept in told), default=0)  # what each of them loses is in its own cost
    found = [
        TextMend(
            repair.name, repair.sentence, repair.patches, len(left), _cost(left, most, ()) + repair.cost, repair.count
        )
        for repair, left, _ in told
    ]
    return [mend for mend in found if mend.left < len(damages) and mend.cost < now]


def _of_whole(text: bytes, damages: Sequence[Damage], read: Reader) -> list[TextMend]:
    """What takes off again what the whole text went through, and leaves it with fewer mistakes."""
    found = []
    kept = read(text)[1]
    whole = whole_mends(text)
    if damages:
        whole = chain(
            _with_head(text), steps_back(text), _of_lines(text), _twice(text, damages), _cut_short(text, damages)
        )
    for name, sentence, before in whole:
        left, now = read(before)
        if len(left) < len(damages) or (
            not left and not damages and ((now != kept and name not in GUESSED) or name in PLAIN_SIGNS)
        ):
            found.append(
                TextMend(name, sentence, (difference(text, before),), len(left), float(len(left)), is_whole=True)
            )
    return sorted(found, key=lambda mend: mend.cost)


def _with_head(text: bytes) -> Iterator[tuple[str, str, bytes]]:
    """A resource or scene with the first section that it has lost."""
    head = likely_head(text)
    if head:
        what = "its type is a guess" if b"type=" in head else "it is put together from the rest"
        yield _HEAD, f"The first section of the file is missing; {what}", head + text.removeprefix(b"\xef\xbb\xbf")


def _of_lines(text: bytes) -> Iterator[tuple[str, str, bytes]]:
    """The text with the brackets that its indentation asks for."""
    patches = balanced(text)
    if patches:
        is_lost = len(patches[0][1]) > 0
        what = "missing" if is_lost else "there though it closes nothing"
        yield "text-bracket", f"A bracket is {what}, as the lines are indented", patched(text, patches)


def _cut_short(text: bytes, damages: Sequence[Damage]) -> Iterator[tuple[str, str, bytes]]:
    """The text up to the last thing that is whole, with its brackets closed, where it breaks off."""
    end = len(text.rstrip())
    is_open = bool(_open_brackets(text)) or odd_line(text) is not None
    if not is_open or max(damage.span.end for damage in damages) < end:
        return
    for found in list(_WHOLE_TILL.finditer(text, max(0, end - AROUND)))[: -LAST_SIGNS - 1 : -1]:
        kept = text[: found.end() - (found[0] == b",")]
        sentence = "The text breaks off: this closes what is open, without the last incomplete item"
        yield _CUT, sentence, kept + _open_brackets(kept) + b"\n"


def _twice(text: bytes, damages: Sequence[Damage]) -> Iterator[tuple[str, str, bytes]]:
    """The text without what stands behind its end: another one, or the rest of an older one that was longer."""
    if len(damages) != 1 or MORE_FOLLOWS not in damages[0].sentence:
        return
    start = damages[0].span.start
    front, tail = text[:start], text[start:]
    if tail[:1] in (b"{", b"["):
        what = "Another text begins after the first, as where one was written after the other"
        yield _APPENDED, f"{what}: the last one stays", tail
        yield _APPENDED, f"{what}: the first one stays", front
        return
    known = set(_A_KEY.findall(front))
    keys = _A_KEY.findall(tail)
    if _NEXT_ITEM.match(tail) or not tail.strip(b" \t\r\n]},;") or not all(key in known for key in keys):
        return
    sentence = "After the end is what was left of a longer text that this one was written over"
    yield "text-tail", sentence, front.rstrip() + b"\n"


def difference(text: bytes, now: bytes) -> Patch:
    """The one patch that makes a text another one."""
    front = common(text, 0, len(text), now, 0, len(now))
    back = common_end(text, front, len(text), now, front, len(now))
    return Span(front, len(text) - back), now[front : len(now) - back]


def _of_first(text: bytes, damages: Sequence[Damage], read: Reader, is_brief: bool = False) -> list[TextMend]:
    """What mends the first mistake that anything mends; *is_brief*: no more is tried than is needed for that."""
    found: list[TextMend] = []
    for damage in damages[:3]:
        seen = set[tuple[Patch, ...]]()
        now = _cost(*read(text), ())
        for number, (name, sentence, patches) in enumerate(_guesses(text, damage)):
            key = tuple(patches)
            number = min(number, LATEST)
            if key in seen:
                continue
            seen.add(key)
            left, kept = read(patched(text, patches))
            cost = _cost(left, kept, () if name in _NOTHING_LOST else patches)
            if cost < now and (len(left) < len(damages) or not _holds(left, damage, patches)):
                found.append(TextMend(name, sentence, tuple(patches), len(left), cost + LATER * number))
        if found and is_brief:
            break
        odd = odd_line(text)
        is_other = odd is not None and b"\n" in text[odd : damage.span.start]
        places = (damage.span.start, odd) if is_other and odd is not None else (damage.span.start,)
        for repair in chain.from_iterable(token_repairs(text, place) for place in places):
            if repair.patches in seen:
                continue
            seen.add(repair.patches)
            left, kept = read(patched(text, repair.patches))
            cost = _cost(left, kept, () if repair.is_free else repair.patches)
            if cost < now and (len(left) < len(damages) or not _holds(left, damage, repair.patches)):
                found.append(TextMend(repair.name, repair.sentence, repair.patches, len(left), cost + repair.cost))
        if found:
            break
    return sorted(found, key=lambda mend: mend.cost)[:4]


def _holds(left: Sequence[Damage], damage: Damage, patches: Sequence[Patch]) -> bool:
    """Whether the first mistake still stands at its place, which patches move, or in front of it."""
    moved = sum(len(fresh) - len(span) for span, fresh in patches if span.start <= damage.span.start)
    return bool(left) and left[0].span.start <= damage.span.start + max(0, moved)


def _cost(damages: Sequence[Damage], kept: int, patches: Sequence[Patch]) -> float:
    """What is lost: mistakes, bytes that cannot be read, bytes that a mend takes out; what is read speaks for it."""
    lost = sum(A_MISTAKE + LOST * len(damage.span) for damage in damages)
    return lost + DELETED * sum(max(0, len(span) - len(fresh) - 2) for span, fresh in patches) - kept / READ


def _chained(text: bytes, first: Sequence[TextMend], read: Reader, is_json: bool) -> TextMend | None:
    """One mistake after the other, each by what is best for it alone, as one change of the whole text.

    None where what is there mends all of it, with brackets as the lines are indented.
    """

    def rank(mend: TextMend) -> tuple[int, bool]:
        return mend.left, is_json and not mend.is_whole and bool(balanced(patched(text, mend.patches)))

    begins = [first[0], *(mend for mend in first[1:] if mend.is_whole and mend.name in _BY_FORM)]
    best, found = rank(first[0]), None
    if best == (0, False):
        return None
    for begin in begins:
        if begin.left:
            every = _all(text, begin, read, is_json)
            if every is not None and (found is None or rank(every) < best):
                found, best = every, min(best, rank(every))
    return found


def _all(text: bytes, first: TextMend, read: Reader, is_json: bool) -> TextMend | None:
    """One mistake after the other, as one change of the whole text."""
    now, mend, count = text, first, 0
    while count < MOST_MENDED:
        now = patched(now, mend.patches)
        count += mend.count
        damages, _ = read(now)
        if not damages:
            break
        more = _next(now, damages, read, is_json, count)
        if more is None:
            break
        mend = more
    if count < 2:
        return None
    patch = difference(text, now)
    return TextMend(
        "text-mistakes",
        f"The text has {count} mistakes; this repairs all of them. The first: {first.sentence}",
        (patch,),
        len(read(now)[0]),
        count=count,
    )


def _next(now: bytes, damages: Sequence[Damage], read: Reader, is_json: bool, count: int) -> TextMend | None:
    """What mends the next mistake, or all that are left."""
    if count < MOST_JOINED:
        least = [mend for mend in _least(now, damages, read, is_json) if not mend.left]
        if least:
            return min(_upright(now, least) if is_json else least, key=lambda mend: mend.cost)
    first = _of_first(now, damages, read, is_brief=True) or _of_whole(now, damages, read)
    return first[0] if first else None


def _guesses(text: bytes, damage: Damage) -> Iterator[tuple[str, str, list[Patch]]]:
    """What may have gone wrong at a place, the likeliest first, and what undoes it."""
    start = damage.span.start
    low = text.rfind(b"\n", 0, max(0, text.rfind(b"\n", 0, start))) + 1
    low = max(low, start - AROUND)
    high = text.find(b"\n", max(start, min(damage.span.end, start + AROUND)))
    high = min(len(text) if high < 0 else high, start + 2 * AROUND)

    def every(pattern: re.Pattern[bytes], fresh: Callable[[re.Match[bytes]], bytes]) -> list[Patch]:
        return [(Span(*found.span()), fresh(found)) for found in pattern.finditer(text, low, high)]

    def nearest(patches: list[Patch]) -> list[Patch]:
        return sorted(patches, key=lambda patch: abs(patch[0].start - start))[:1]

    if "more follows" in damage.sentence:
        end = len(text[:start].rstrip())
        fact = "Something follows the end, maybe the rest of a longer file that was there before"
        yield "text-leftover", fact, [(Span(end, len(text)), b"\n")]
    some = every(_ZERO, lambda found: b"")
    if some:
        yield "text-zeros", "There are zero bytes in the text", some
    yield from spellings(text, low, high)
    some = every(_SMART, lambda found: b'"')
    if some:
        yield "text-smart-quotes", "A word processor turned straight quotes into typographic ones", some
    some = every(_SINGLE, lambda found: b'"' + found[1] + b'"')
    if some:
        yield "text-single-quotes", "Texts are in single quotes instead of double ones", some
    some = every(_WORD, lambda found: _MEANT.get(found[0].lower(), b"null"))
    if some:
        yield "text-word", "A word is written as in another language", nearest(some)
        yield "text-word", "Words are written as in another language", some
    some = every(_COMMENT, lambda found: b"")
    if some:
        yield "text-comment", "There is a comment where none may be", nearest(some)
    some = every(_DECIMAL, lambda found: b".")
    if some:
        yield "text-decimal-comma", "A number has a decimal comma instead of a point", nearest(some)
    some = every(_POINT, lambda found: b"0.")
    if some:
        yield "text-number", "A number begins with its decimal point", nearest(some)
    some = every(_PLUS, lambda found: b"")
    if some:
        yield "text-number", "A number begins with a plus sign", nearest(some)
    some = every(_BACKSLASH, lambda found: b"\\" + found[0])
    if some:
        yield "text-backslash", "A backslash stands alone in a text", some
    some = [patch for patch in every(_NO_COMMA, lambda found: b", ") if damage.span.start <= patch[0].start]
    some = [patch for patch in some if patch[0].end <= damage.span.end]
    if some:
        yield "text-comma", "A comma is missing", some[:1]
    some = every(_TWO_COMMAS, lambda found: found[0][:0] if found[0] == b"," else b",")
    if some:
        yield "text-comma-twice", "A comma occurs twice, or in front of everything", nearest(some)
    yield from _signs(text, start, low, high)
    some = every(_BARE_KEY, lambda found: b'"' + found[1] + b'"')
    if some:
        yield "text-key", "A key lacks its quotes", nearest(some)
        yield "text-key", "Keys lack their quotes", some
    some = every(_BARE_TEXT, lambda found: found[0].replace(found[1], b'"' + found[1].rstrip() + b'"'))
    if some:
        yield "text-quotes", "A text lacks its quotes", nearest(some)


def _signs(text: bytes, start: int, low: int, high: int) -> Iterator[tuple[str, str, list[Patch]]]:
    """A sign that is missing, or one too many."""
    behind = len(text[:start].rstrip())
    end = start
    line_end = text.find(b"\n", start)
    line_end = len(text) if line_end < 0 else line_end
    line_end = len(text[:line_end].rstrip(b"\r\t "))
    yield "text-comma", "A comma is missing", [(Span(behind, behind), b",")]
    for at in dict.fromkeys(
        (
            line_end,
            line_end - (text[line_end - 1 : line_end] == b","),
            *_ends(text, start, min(line_end, start + 2 * AROUND)),
        )
    ):
        mark = text[at - 1 : at] in (b"'", b"`")  # rather that one stands in its place
        place = Span(at - mark, at)
        what = "A quote of another kind ends a text" if mark else "The quote at the end of a text is missing"
        yield "text-quote", what, [(place, b'"')]
    for found in re.finditer(rb" (?=[{\[])", text[start : min(line_end, start + AROUND)]):
        place = Span(start + found.start(), start + found.end())
        yield "text-quote", "The quote at the end of a text is missing, and the comma after it", [(place, b'", ')]
    for at in _begins(text, low, min(line_end, start + 2 * AROUND)):
        yield "text-quote", "The quote at the beginning of a text is missing", [(Span(at, at), b'"')]
    if text[start : start + 1] in (b")", b"]", b"}"):
        for sign in (b"]", b"}", b")"):
            if sign != text[start : start + 1]:
                yield (
                    "text-bracket",
                    "A bracket is of another kind than the one that opens",
                    [(Span(start, start + 1), sign)],
                )
    keys = [found for found in _NO_COLON.finditer(text, low, min(line_end + 1, len(text))) if found.end() >= start]
    for found in keys[:2]:
        yield "text-colon", "A colon is missing after a key", [(Span(*found.span()), found[1] + b": ")]
    begun = max(_UNENDED.finditer(text, max(0, start - MOST_BEFORE), start), key=re.Match.end, default=None)
    if begun is not None:
        yield "text-quote", "The quote at the end of a text is missing", [(Span(begun.end(), begun.end()), b'"')]
    pair = _IN_FRONT.search(text, max(0, start - AROUND), start)
    if pair is not None:
        for sign in (b"]", b"}"):
            yield "text-bracket", "A bracket is missing", [(Span(pair.start(), pair.start()), sign)]
    is_inside = text[text.rfind(b"\n", 0, start) + 1 :][:1] == b"[" and b"\n" not in text[behind:start]
    yield "text-equals", "An equals sign is missing", [(Span(behind, start if is_inside else behind), b"=")]
    for sign in (b"]", b"}", b")"):
        for at in dict.fromkeys((behind, line_end, end, len(text.rstrip()))):
            yield "text-bracket", "A bracket is missing", [(Span(at, at), sign)]
    closers = _open_brackets(text)
    if closers:
        at = len(text.rstrip())
        yield "text-bracket", "Brackets at the end are missing", [(Span(at, at), closers)]
    for at in dict.fromkeys((start, behind - 1)):
        if text[at : at + 1] in (b",", b"]", b"}", b")", b'"', b";", b":", b"=", b".") and at >= 0:
            yield "text-sign", "There is a character too many", [(Span(at, at + 1), b"")]
    if text[start : start + 1] == b";":
        yield "text-comma", "A semicolon is used instead of a comma", [(Span(start, start + 1), b",")]
    if text[start : start + 1] == b"=":
        yield "text-colon", "An equals sign is used instead of a colon", [(Span(start, start + 1), b":")]
    line = text.rfind(b"\n", 0, start) + 1
    if not text[line:start].strip() and not any(sign in text[start:line_end] for sign in b'"[='):
        after = text.find(b"\n", start) + 1 or len(text)
        is_mark = text.startswith(MERGE_MARKS, line)
        name = "text-conflict" if is_mark else "text-line"
        what = "A mark of a merge is left" if is_mark else "There is a line that is not a value, maybe a comment"
        yield name, what, [(Span(line, after), b"")]
    if start and text[start:].strip():
        yield "text-behind", "Something follows the end", [(Span(behind, len(text)), b"\n")]


def _ends(text: bytes, start: int, line_end: int) -> Iterator[int]:
    """Where a text may end that has no quote there: in front of signs that follow texts."""
    for found in re.finditer(rb"[,:\]}](?=[\s\"]|$)", text[start:line_end]):
        yield start + found.start()


def _begins(text: bytes, low: int, line_end: int) -> Iterator[int]:
    """Where a text may begin that has no quote there: behind signs that texts follow."""
    for found in re.finditer(rb"[:=,\[{]\s*(?=[^\s\"\[{\d-])", text[low:line_end]):
        yield low + found.end()


def _open_brackets(text: bytes) -> bytes:
    """What closes the brackets that are open at the end, the innermost first."""
    stack: list[bytes] = []
    for found in re.finditer(rb'"(?:[^"\\]|\\.)*+"|[\[{(]|[\]})]', text, re.DOTALL):
        if found[0] in (b"[", b"{", b"("):
            stack.append({b"[": b"]", b"{": b"}", b"(": b")"}[found[0]])
        elif found[0] in (b"]", b"}", b")") and stack:
            stack.pop()
    return b"".join(reversed(stack))
