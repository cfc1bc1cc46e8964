"""The least that makes a text readable: a search over all that may be put in, taken out or meant, by what it costs.

The text is cut into tokens that any language may have. A few hypotheses of what is open at each token go on through
it together; where a line has a mistake each may also pass over a token, put one in, take it for another one, or take a
whole phrase for a value. What was done before costs less the second time, so a text that another program wrote
otherwise throughout is one mistake and not hundreds. Whoever reads the text says whether it is right.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.text.phrase_meanings import WITHOUT_QUOTES, meanings
from viewer.text.token_repairs import MERGE_MARKS

Patch = tuple[Span, bytes]
MOST_TOKENS, MOST_DIRTY = 1 << 15, 1 << 11
"""In a longer text nothing is looked at, or only the lines of its first mistakes."""
BEAM, ALIKE, MOST_TOLD = 24, 3, 5
"""So many hypotheses go on from a token, and so many of these where the same is open."""
DEEPEST = 64
LONGEST_PHRASE = 12
DEAREST, MOST_COST, MOST_WORK = 9.0, 40.0, 1 << 16
"""Hypotheses that cost so much more than the best one are dropped; nothing is said where that costs too much, or if so
many steps led to no end."""
AGAIN, QUOTED_AGAIN = 0.05, 0.5
"""What is done once more costs so much of what it cost at first; less is told by another text without quotes."""
CALLED, OTHERS = 3.0, 2.0
"""What it costs more to take the name of a type away from its brackets, and to make a bracket another one that closes
what is around."""
FEW_DAMAGES, MOST_LOOKED = 4, 24
"""Of so many mistakes only their lines are looked at, of each those of so many tokens; of more, all."""
_ENDS = 2
MOST_BLANK = 64
_TOKEN = re.compile(
    rb"(?P<comment>(?:(?<=\s)|^);[^\n]*)|(?P<text>[&^]?\"(?:[^\"\\\n]|\\.)*+\")|"
    rb"(?P<number>-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.]|(?!\xe2[\x80-\x8f]|\xe3\x80)[\x80-\xff]))|"
    rb"(?P<typed>(?:Array|Dictionary)\[(?:[^\[\]\"\n]|\"[^\"\n]*\")*\]\()|"
    rb"(?P<tag></?[A-Za-z][^<>\n\"]*>|&#?\w+;)|(?P<word>(?:[A-Za-z_]|(?!\xe2[\x80-\x8f]|\xe3\x80)[\xc3-\xf4][\x80-\xbf]+)(?:\w|[\x80-\xff])*)|"
    rb"(?P<sign>[()\[\]{},;\"])|(?P<between>[:=]+>?|->|=~)|(?P<other>(?:(?![-.]?\d|&#?\w+;|</?[A-Za-z])[^\w\s\"()\[\]{},;:=])+|.)"
)
_SECTION = re.compile(rb"\[(?:[^\[\]\"\n]|\"(?:[^\"\\\n]|\\.)*+\"|\[(?:[^\]\"\n]|\"[^\"\n]*\")*\])*\]")
_UNCLOSED = re.compile(rb"\[[A-Za-z_](?:[^\n\[\]\"]|\"(?:[^\"\\\n]|\\.)*+\")*?(?=[\t ]*[})]?[\t ]*\r?(?:\n|\Z))")
_UNOPENED = re.compile(
    rb"(?:(?:gd_\w+|(?:ext|sub)_resource|node|connection|editable)[\t ](?:[^\n\[\]\"]|\"(?:[^\"\\\n]|\\.)*+\")*"
    rb"|[A-Za-z_][\w/ .:-]*)\](?=[\t ]*\r?(?:\n|\Z))"
)
_LINE_START = re.compile(rb"(?:\A|\n)[\t ]*\Z")
_KEY = re.compile(rb"(?:\"(?:[^\"\\\n]|\\.)*+\"|[^\s=\"\[;{}(),:<>*][^=\"\s;]*)[\t ]*=(?![=>])")
_KEY_OTHERWISE = re.compile(rb"([A-Za-z_][\w/.-]*)[\t ]*((?:[:=]+>?|->|~))")
_WORDS = (b"true", b"false", b"null", b"inf", b"nan", b"inf_neg")
_JOINED = re.compile(rb"-?\d+(?:\.\d+)?|true|false|null")
_COMMENT_SIGNS = (b"//", b"/*", b"#", b"--", b"<!--", b"%%", b";")
_CALL = "text-call", "A value is in a call that means nothing here, as in a program or a database"
_TWICE = "A character occurs twice"
_LINE = "text-line", "There is a line that is not part of the text"
_SAID = {"text": 2.5, "number": 1.5, "word": 0.25, "between": 0.75, "sign": 0.25}
"""How much is lost with a token of a line."""
_KEYWORDS = (b"var", b"new", b"let", b"const", b"set", b"export", b"return", b"local", b"auto", b"static")
_CLOSER = {"A": b"]", "O": b"}", "P": b")"}
_OPENED = {b"[": "A", b"{": "O"}
_NAMES = {b",": ("text-comma", "comma"), b":": ("text-colon", "colon"), b"=": ("text-equals", "equals sign")}


@dataclass(frozen=True, slots=True)
class LeastRepair:
    """What makes a text readable.

    Args:
        name, sentence: what the first mistake is called, and what happened.
        patches: what to write where, in order.
        cost: how unlikely it is.
        count: how many mistakes there are.
    """

    name: str
    sentence: str
    patches: tuple[Patch, ...]
    cost: float
    count: int


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    start: int
    end: int
    raw: bytes
    line: int


@dataclass(frozen=True, slots=True)
class _Change:
    """One thing done to the text, with what was done before."""

    start: int
    end: int
    fresh: bytes
    name: str
    sentence: str
    before: _Change | None


@dataclass(frozen=True, slots=True)
class _State:
    """A hypothesis.

    Args:
        cost: of all that was done.
        open: J the text, S a section, O and A collections, P a call, U a call that means nothing.
        phase: what is expected next: K a key, C what follows it, V a value, N a comma, E nothing.
        change: what was done last.
        known: what was done at all.
    """

    cost: float
    open: str
    phase: str
    change: _Change | None
    known: frozenset[tuple[str, bytes]]


def least_repairs(text: bytes, spans: Sequence[Span], is_json: bool) -> list[LeastRepair]:
    """What makes a text readable at the least cost, the least first; nothing where nothing little does.

    Args:
        text: all of it.
        spans: where mistakes are known.
        is_json: whether it is JSON, else it is one of the engines' texts.
    """
    return _Search(text, is_json).run(spans)


class _Search:
    """The search through one text."""

    def __init__(self, text: bytes, is_json: bool) -> None:
        self.text = text
        self.is_json = is_json
        self.tokens = list(self._cut())
        self.starts = [token.start for token in self.tokens]
        self.dirty: set[int] | None = None
        self.buckets: list[list[_State]] = []
        self.work = 0

    def _cut(self) -> Iterator[_Token]:
        at, line = 3 if self.text.startswith(b"\xef\xbb\xbf") else 0, 0
        counted = 0
        for number, found in enumerate(_TOKEN.finditer(self.text, at)):
            kind = found.lastgroup or "other"
            raw = found[0]
            if raw.isspace() or number > MOST_TOKENS:
                continue
            line += self.text.count(b"\n", counted, found.start())
            counted = found.start()
            if kind == "comment" and self.is_json:
                kind = "other"
            yield _Token(kind, found.start(), found.end(), raw, line)

    def run(self, spans: Sequence[Span]) -> list[LeastRepair]:
        tokens = self.tokens
        if not tokens or len(tokens) > MOST_TOKENS:
            return []
        if len(spans) <= FEW_DAMAGES or len(tokens) > MOST_DIRTY:
            self.dirty = self._lines_of(spans[:FEW_DAMAGES])
        self.buckets = [[] for _ in range(len(tokens) + 1)]
        self.buckets[0] = [_State(0.0, "J" if self.is_json else "S", "V" if self.is_json else "K", None, frozenset())]
        for number in range(len(tokens)):
            states = self._best(self._put_in(number, self._best(self.buckets[number])))
            if not states:
                continue
            if states[0].cost > MOST_COST or self.work > MOST_WORK:
                return []
            self.buckets[number] = []
            for state in states:
                self._step(number, state)
        return self._ended()

    def _lines_of(self, spans: Sequence[Span]) -> set[int]:
        """The lines of mistakes, and those with something in them before."""
        lines: set[int] = set()
        for span in spans:
            first = bisect_right(self.starts, span.start) - 1
            for number in range(max(0, first - 1), min(len(self.tokens), first + MOST_LOOKED)):
                token = self.tokens[number]
                if number > first + 2 and token.start >= span.end:
                    break
                if token.start <= span.end or number == first:
                    lines.add(token.line)
        return lines | self._lines_behind(lines)

    def _lines_behind(self, lines: set[int]) -> set[int]:
        """The lines behind those that leave a bracket of a call open, in front of which it may be missing."""
        depths, behind = dict.fromkeys(lines, 0), dict[int, int]()
        last = -1
        for token in self.tokens:
            if token.line != last:
                behind[last] = token.line
                last = token.line
            if last in depths:
                depths[last] += (token.raw[-1:] == b"(") - (token.raw == b")")
        return {behind[line] for line, depth in depths.items() if depth > 0 and line in behind}

    def _ended(self) -> list[LeastRepair]:
        out: list[LeastRepair] = []
        size = len(self.text.rstrip())
        for state in sorted(self.buckets[-1], key=lambda each: each.cost):
            opened, change, cost = state.open, state.change, state.cost
            if state.phase in "CV":
                continue
            closers = b"".join(_CLOSER.get(each, b"") for each in reversed(opened[1:]))
            if closers:
                name, sentence = "text-bracket", "Brackets at the end are missing"
                change, cost = _Change(size, size, closers, name, sentence, change), cost + 2.0 + len(closers)
            repair = self._repair(change, cost)
            if repair is not None and all(repair.patches != each.patches for each in out):
                out.append(repair)
        return sorted(out, key=lambda each: each.cost)[:MOST_TOLD]

    def _repair(self, change: _Change | None, cost: float) -> LeastRepair | None:
        changes: list[_Change] = []
        while change is not None:
            changes.append(change)
            change = change.before
        if not changes:
            return None
        changes.reverse()
        patches: list[Patch] = []
        for each in changes:
            span = Span(each.start, each.end)
            if patches and patches[-1][0].end == span.start and (len(patches[-1][0]) or len(span)):
                patches[-1] = (Span(patches[-1][0].start, span.end), patches[-1][1] + each.fresh)
            elif patches and patches[-1][0].end == span.start:
                patches[-1] = (patches[-1][0], patches[-1][1] + each.fresh)
            else:
                patches.append((span, each.fresh))
        first = changes[0]
        kinds = dict.fromkeys((each.name, each.sentence) for each in changes)
        sentence = first.sentence
        if len(kinds) > 1 and len(changes) > _ENDS * len(kinds):
            sentence = f"The text is written throughout as in another language or program. {sentence}"
        elif len(changes) > 1 and len(kinds) > 1:
            words = [each[1] for each in kinds]
            sentence = "; ".join((words[0], *(each[0].lower() + each[1:] for each in words[1:3])))
        elif len(changes) > 1:
            sentence = f"{sentence}, in {len(changes)} places"
        return LeastRepair(first.name, sentence, tuple(patches), cost, len(changes))

    # Hypotheses

    def _best(self, states: list[_State]) -> list[_State]:
        """Those that cost least, a few of each of what is open."""
        if len(states) < 2:
            return states
        out, alike = [], dict[tuple[str, str], int]()
        most = min(each.cost for each in states) + DEAREST
        for state in sorted((each for each in states if each.cost <= most), key=lambda each: each.cost):
            key = state.open, state.phase
            count = alike.get(key, 0)
            if count < ALIKE:
                alike[key] = count + 1
                out.append(state)
            if len(out) == BEAM:
                break
        return out

    def _is_dirty(self, number: int) -> bool:
        return self.dirty is None or self.tokens[min(number, len(self.tokens) - 1)].line in self.dirty

    def _changed(
        self, state: _State, span: tuple[int, int], fresh: bytes, cost: float, words: tuple[str, str]
    ) -> _State:
        """A hypothesis with one thing more done."""
        raw = self.text[span[0] : span[1]]
        key = words[0], raw.replace(fresh.strip(b'"'), b"") if len(fresh) > 1 else raw
        if key in state.known and words[0] not in ("text-value", "text-rest"):
            cost *= AGAIN if words[0] != "text-quotes" or key[1] else QUOTED_AGAIN
        change = _Change(*span, fresh, *words, state.change)
        return _State(state.cost + cost, state.open, state.phase, change, state.known | {key})

    def _go(self, number: int, state: _State, opened: str, phase: str) -> None:
        """Go on at a token with this open."""
        self.work += 1
        if len(opened) <= DEEPEST:
            self.buckets[number].append(_State(state.cost, opened, phase, state.change, state.known))

    def _after(self, opened: str) -> str:
        """What is expected behind a value."""
        return {"J": "E", "S": "K"}.get(opened[-1], "N")

    def _put_in(self, number: int, states: list[_State]) -> list[_State]:
        """The hypotheses with up to two signs put in front of a token."""
        if not self._is_dirty(number):
            return states
        out, fresh = list(states), states
        token = self.tokens[number]
        before = self.tokens[number - 1] if number else None
        is_begin = before is None or before.line != token.line
        for _ in range(2):
            new = []
            for state in fresh:
                place = before.end if before is not None and (is_begin or state.phase in "NC") else token.start
                here = place, place
                top = state.open[-1]
                if state.phase == "N" and top in "AOP":
                    sign = self._changed(state, here, b",", 2.5, ("text-comma", "A comma is missing"))
                    new.append(self._phase(sign, state.open, "K" if top == "O" else "V"))
                if state.phase in "NKV" and top in _CLOSER and not (state.phase == "V" and top == "O"):
                    closed = self._changed(state, here, _CLOSER[top], 4.0, ("text-bracket", "A bracket is missing"))
                    new.append(self._phase(closed, state.open[:-1], self._after(state.open[:-1])))
                if state.phase == "C":
                    sign = self._changed(state, here, b":", 2.5, ("text-colon", "A colon is missing"))
                    new.append(self._phase(sign, state.open, "V"))
                if state.phase == "V" and top in "OS" and (is_begin or token.raw in (b",", b"}")):
                    words = ("text-value", "A value is missing: null replaces it")
                    value = self._changed(state, (place, place), b" null", 3.0, words)
                    new.append(self._phase(value, state.open, self._after(state.open)))
                if state.phase == "V":
                    for sign_, kind in _OPENED.items():
                        if number and token.kind in ("text", "number"):
                            words = ("text-bracket", "A bracket is missing")
                            opened = self._changed(state, (token.start, token.start), sign_, 5.0, words)
                            new.append(self._phase(opened, state.open + kind, "K" if kind == "O" else "V"))
            out += new
            fresh = new
        return out

    @staticmethod
    def _phase(state: _State, opened: str, phase: str) -> _State:
        return _State(state.cost, opened, phase, state.change, state.known)

    # One token

    def _step(self, number: int, state: _State) -> None:
        token = self.tokens[number]
        if token.kind == "comment":
            self._go(number + 1, state, state.open, state.phase)
            return
        self._as_it_is(number, token, state)
        if self._is_dirty(number):
            self._taken_out(number, token, state)
            self._exchanged(number, token, state)
            if state.phase == "V" or (state.phase == "K" and state.open[-1] == "O"):
                self._meant(number, token, state)

    def _as_it_is(self, number: int, token: _Token, state: _State) -> None:
        """A token that is expected."""
        opened, phase, raw = state.open, state.phase, token.raw
        top = opened[-1]
        if top == "S" and phase == "K":
            self._unit(number, token, state)
        elif phase == "C":
            if raw == b":":
                self._go(number + 1, state, opened, "V")
        elif phase == "N":
            if raw == b",":
                self._go(number + 1, state, opened, "K" if top == "O" else "V")
            elif raw == _CLOSER.get(top):
                self._go(number + 1, state, opened[:-1], self._after(opened[:-1]))
            elif top == "U" and raw == b")":
                done = self._changed(state, (token.start, token.end), b"", 0.25, _CALL)
                self._go(number + 1, done, opened[:-1], self._after(opened[:-1]))
        elif phase in "KV":
            if raw == _CLOSER.get(top) and not (phase == "V" and top == "O"):
                self._go(number + 1, state, opened[:-1], self._after(opened[:-1]))
            elif phase == "K":
                if token.kind == "text" or (not self.is_json and token.kind in ("number", "word")):
                    self._go(number + 1, state, opened, "C")
            else:
                self._value(number, token, state)

    def _value(self, number: int, token: _Token, state: _State) -> None:
        """A value begins."""
        opened, raw = state.open, token.raw
        follows = self.tokens[number + 1] if number + 1 < len(self.tokens) else None
        if raw in _OPENED:
            self._go(number + 1, state, opened + _OPENED[raw], "K" if raw == b"{" else "V")
        elif self._is_plain(token):
            self._go(number + 1, state, opened, self._after(opened))
        elif not self.is_json and token.kind == "word" and follows is not None and follows.raw == b"(":
            self._go(number + 2, state, opened + "P", "V")
        elif not self.is_json and token.kind == "typed":
            self._go(number + 1, state, opened + "P", "V")

    def _is_plain(self, token: _Token) -> bool:
        """Whether a token is a value by itself."""
        if token.kind == "word":
            return token.raw in (_WORDS[:3] if self.is_json else _WORDS)
        return token.kind == "number" or (token.kind == "text" and (token.raw[:1] == b'"' or not self.is_json))

    def _unit(self, number: int, token: _Token, state: _State) -> None:
        """A key or a section of the engines' own text."""
        text = self.text
        if token.raw == b"[":
            found = _SECTION.match(text, token.start)
            if found is None or b"\n" in found[0]:
                self._unclosed(number, token, state)
            if found is None:
                return
            end = text.find(b"\n", found.end())
            rest = text[found.end() : len(text) if end < 0 else end]
            behind = bisect_right(self.starts, found.end() - 1)
            if not rest.strip() or rest.lstrip()[:1] == b";":
                self._go(behind, state, "S", "K")
            elif self._is_dirty(number):
                words = ("text-bracket", "Something follows the bracket that closes a section")
                close = found.end() + len(rest)
                done = self._changed(state, (found.end(), close), b"", 1.0 + 0.1 * len(rest.strip()), words)
                self._go(bisect_right(self.starts, close - 1), done, "S", "K")
            return
        self._unopened(number, token, state)
        key = _KEY.match(text, token.start)
        if key is not None:
            self._go(bisect_right(self.starts, key.end() - 1), state, "S", "V")
        elif self._is_dirty(number):
            key = _KEY_OTHERWISE.match(text, token.start)
            if key is not None:
                twice = len(set(key[2])) == 1 and len(key[2]) > 1
                words = ("text-equals", _TWICE if twice else "Something else is used instead of an equals sign")
                done = self._changed(state, key.span(2), b"=", 1.5, words)
                self._go(bisect_right(self.starts, key.end() - 1), done, "S", "V")

    def _unclosed(self, number: int, token: _Token, state: _State) -> None:
        """A section whose bracket is missing at the end of its line, or is of another kind."""
        found = _UNCLOSED.match(self.text, token.start)
        if found is None or not self._is_dirty(number):
            return
        end = self.text.find(b"\n", found.end())
        end = len(self.text) if end < 0 else end
        words = ("text-bracket", "The bracket of a section is missing, or of another kind")
        rest = self.text[found.end() : end].rstrip()
        done = self._changed(state, (found.end(), found.end() + len(rest)), b"]", 1.5, words)
        self._go(bisect_right(self.starts, end - 1), done, "S", "K")

    def _unopened(self, number: int, token: _Token, state: _State) -> None:
        """A section whose bracket is missing at the beginning of its line."""
        found = _UNOPENED.match(self.text, token.start) if self._is_dirty(number) else None
        front = self.text[max(0, token.start - MOST_BLANK) : token.start]
        if found is None or _LINE_START.search(front) is None:
            return
        words = ("text-bracket", "The bracket in front of a section is missing")
        done = self._changed(state, (token.start, token.start), b"[", 0.5, words)
        self._go(bisect_right(self.starts, found.end() - 1), done, "S", "K")

    def _taken_out(self, number: int, token: _Token, state: _State) -> None:
        """A token too many, or what was written twice."""
        raw, span = token.raw, (token.start, token.end)
        if token.kind == "tag":
            cost, words = 1.0, ("text-tag", "There are tags or entities of a web page around values")
        elif token.kind == "word":
            cost = 1.5 if raw in _KEYWORDS else 2.0 + 0.1 * len(raw)
            shown = raw[:20].decode(errors="replace")
            what = "A word of a program" if raw in _KEYWORDS else "A word too many"
            words = ("text-rest", f"{what}: “{shown}”")
            if not self.is_json and self.text[token.end : token.end + 1] in (b"(", b"["):
                cost += CALLED  # the brackets behind it are those of a value
        elif token.kind in ("text", "number", "typed"):
            cost, words = 5.0, ("text-rest", "There is a value too many")
        elif raw in b"()[]{}":
            cost, words = 2.5, ("text-bracket", "There is a bracket too many")
        else:
            cost, words = 1.2, _LINE if self._is_alone(number) else ("text-sign", "There are extra characters")
        behind = self.text[token.end : token.end + 1]
        if behind in (b" ", b"\t") and (number == 0 or self.text[token.start - 1 : token.start].isspace()):
            span = (token.start, token.end + 1)
        self._go(number + 1, self._changed(state, span, b"", cost, words), state.open, state.phase)
        self._rest_taken_out(number, token, state)
        for size in range(1, 7):
            here, before = self.tokens[number : number + size], self.tokens[max(0, number - size) : number]
            is_alike = len(here) == size and [each.raw for each in here] == [each.raw for each in before]
            if is_alike and (len(here[0].raw) > 1 or size > 1):
                words = ("text-twice", "Something occurs twice")
                done = self._changed(state, (token.start, self._to(number + size, here[-1])), b"", 1.0, words)
                self._go(number + size, done, state.open, state.phase)

    def _is_alone(self, number: int) -> bool:
        """Whether nothing else stands in the line of a token."""
        around = self.tokens[max(0, number - 1) : number + 2]
        return sum(each.line == self.tokens[number].line for each in around) == 1

    def _rest_taken_out(self, number: int, token: _Token, state: _State) -> None:
        """All from a token to the end of its line, which is a comment or no part of the text."""
        text = self.text
        is_comment = (token.kind in ("other", "tag") or token.raw == b";") and text.startswith(
            _COMMENT_SIGNS, token.start
        )
        is_begin = number == 0 or self.tokens[number - 1].line != token.line
        if not is_begin and not (is_comment and text[token.start - 1 : token.start].isspace()):
            return
        is_mark = is_begin and token.raw[:7] in MERGE_MARKS
        end, cost = number, 0.5 if is_comment or is_mark else 2.0
        while end < len(self.tokens) and self.tokens[end].line == token.line:
            if not is_comment and not is_mark:
                cost += _SAID.get(self.tokens[end].kind, 0.0)
            end += 1
        if all(each.raw in (b"[", b"]", b"{", b"}", b",") for each in self.tokens[number:end]):
            return
        start = text.rfind(b"\n", 0, token.start) + 1 if is_begin else len(text[: token.start].rstrip(b" \t"))
        close = text.find(b"\n", token.start)
        close = len(text) if close < 0 else close + is_begin
        words = ("text-comment", "There is a comment where none may be")
        if is_mark:
            words = ("text-conflict", "A mark of a merge is left")
        elif not is_comment:
            words = _LINE
        done = self._changed(state, (start, close), b"", cost, words)
        self._go(end, done, state.open, state.phase)

    def _to(self, number: int, last: _Token) -> int:
        """Where what follows begins on the same line, else where a token ends."""
        follows = self.tokens[number] if number < len(self.tokens) else None
        return follows.start if follows is not None and follows.line == last.line else last.end

    def _exchanged(self, number: int, token: _Token, state: _State) -> None:
        """A token in the place of another one."""
        raw, span, top = token.raw, (token.start, token.end), state.open[-1]
        is_sign = token.kind in ("between", "other") or raw in (b",", b";")
        wanted = {"C": b":", "N": b"," if top in "AOP" else b""}.get(state.phase, b"")
        if is_sign and wanted and raw != wanted:
            name, what = _NAMES[wanted]
            is_twice = raw.strip(wanted) == b""
            words = (name, _TWICE if is_twice else f"Something else is used instead of a {what}")
            cost = 2.5 if token.kind == "between" and wanted == b"," else 1.25
            done = self._changed(state, span, wanted, cost, words)
            self._go(number + 1, done, state.open, "V" if wanted == b":" or top != "O" else "K")
        if raw in (b"]", b"}", b")") and state.phase in "NKV" and top in _CLOSER and raw != _CLOSER[top]:
            words = ("text-bracket", "A bracket is of another kind than the one that opens")
            is_of_outer = len(state.open) > 1 and raw == _CLOSER.get(state.open[-2])
            done = self._changed(state, span, _CLOSER[top], 1.5 + OTHERS * is_of_outer, words)
            self._go(number + 1, done, state.open[:-1], self._after(state.open[:-1]))
        if raw in (b"(", b"[", b"{") and state.phase == "V":
            for sign, kind in _OPENED.items():
                if sign != raw:
                    words = ("text-bracket", "The brackets are of another kind than they should be")
                    done = self._changed(state, span, sign, 2.0, words)
                    self._go(number + 1, done, state.open + kind, "K" if kind == "O" else "V")
        follows = self.tokens[number + 1] if number + 1 < len(self.tokens) else None
        if token.kind != "word" or state.phase != "V" or follows is None:
            return
        if not self.is_json and follows.kind == "number" and follows.line == token.line and raw[:1].isupper():
            words = ("text-bracket", "A bracket is missing")
            done = self._changed(state, (token.end, follows.start), b"(", 2.0, words)
            self._go(number + 1, done, state.open + "P", "V")
        elif self.is_json and follows.raw == b"(":
            done = self._changed(state, (token.start, follows.end), b"", 1.25, _CALL)
            self._go(number + 2, done, state.open + "U", "V")

    def _meant(self, number: int, token: _Token, state: _State) -> None:
        """A phrase that begins at a token is a value, or a key."""
        tokens, text, top = self.tokens, self.text, state.open[-1]
        is_key = state.phase == "K"
        end, ends = number, dict[int, None]()
        first = True
        while end < len(tokens) and tokens[end].line == token.line and end - number < LONGEST_PHRASE:
            raw = tokens[end].raw
            if (
                first
                and end > number
                and (raw in (b",", b";", b"]", b"}", b")") or (is_key and tokens[end].kind == "between"))
            ):
                ends[end] = None
                first = raw in (b"]",) and is_key
            end += 1
        if end == len(tokens) or tokens[end].line != token.line:
            last = end - (tokens[end - 1].raw == b",")
            if last > number:
                ends[last] = None
            ends[end] = None
        for stop in ends:
            raw = text[token.start : tokens[stop - 1].end]
            if _JOINED.fullmatch(raw) or (stop == number + 1 and token.kind in ("text", "number")):
                continue
            for meant in meanings(raw, top == "U"):
                if is_key and self.is_json and meant.value[:1] != b'"':
                    continue
                value = b"nan" if not self.is_json and raw.lower() == b"nan" else meant.value
                words = (
                    meant.name,
                    "A key lacks its quotes" if is_key and meant.sentence == WITHOUT_QUOTES else meant.sentence,
                )
                words = ("text-key" if is_key and meant.name == "text-quotes" else words[0], words[1])
                done = self._changed(state, (token.start, tokens[stop - 1].end), value, meant.cost, words)
                self._go(stop, done, state.open, "C" if is_key else self._after(state.open))
        follows = tokens[number + 1] if number + 1 < len(tokens) else None
        if follows is not None and follows.line == token.line + 1 and not is_key:
            joined = token.raw + follows.raw
            if _JOINED.fullmatch(joined) and follows.raw[:1] != b"-":
                words = ("text-line", "A line ends in the middle of a word or a number")
                done = self._changed(state, (token.start, follows.end), joined, 2.0, words)
                self._go(number + _ENDS, done, state.open, self._after(state.open))
