"""Guesses: patterns as other languages write them (globs, paths of files, JSONPath, SQL), and what they are here."""

from __future__ import annotations

import re
from collections.abc import Callable

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass

ARROW = "->"
MOST_LOOKED_AT = 500
"""Characters of a pattern in which somebody else's way of writing is looked for."""
_NAME_WITH_STARS = late_pattern(r"(^|\.\.|\.)([\w*?%]*[*?%][\w*?%]*)(?=$|[.\[])")
_SEVERAL = late_pattern(r"(^|\.\.|\.)[{(]?(\w+(?:\s*[,|]\s*\w+)+)[})]?$")
_WORD_BEFORE = late_pattern(r"^(?:all|every|each|any|set|change)\s+(?:of\s+|the\s+)*\.*", re.IGNORECASE)
_OWN_WORDS = late_pattern(r"\b(?:if|and|or|not|contains|matches)\b")
_CALCULATED = late_pattern(r"^(.*?[\w\]])\s*([-+*/])=\s*(.+)$")
_ASSIGNED = late_pattern(r"^(.*?[\w\]*?%])\s*(-->|=>|:=|<-|→|(?<![<>=!])=(?!=)|:|\bto\b)\s*(.+)$")


@dataclass(frozen=True, slots=True)
class _Guess:
    """One way in which a pattern is written elsewhere.

    Args:
        why: what is otherwise here, the beginning of a sentence.
        rewritten: makes the pattern as it is written here; the same where this is no such guess.
    """

    why: str
    rewritten: Callable[[str], str]


def suggested(text: str, can_be_read: Callable[[str], bool]) -> str:
    """A sentence with the bulk edit as it is written here; empty where nobody knows what is meant.

    Args:
        text: a bulk edit that cannot be read.
        can_be_read: whether another one can.
    """
    if len(text) > MOST_LOOKED_AT:
        return ""
    pattern, arrow, new = text.partition(ARROW)
    now, why = pattern.strip(), ""
    if not arrow and (found := _assigned(text)) is not None:
        arrow, (now, new) = ARROW, found
        if can_be_read(f"{now} {ARROW} {new}"):
            return f"The new value follows an arrow: write {now} {ARROW} {new}."
    for guess in GUESSES:
        other = guess.rewritten(now)
        if other == now:
            continue
        now, why = other, why or guess.why
        whole = f"{now} {ARROW} {new.strip() or 0}"
        if can_be_read(whole):
            return f"{why}: write {now}{f' {ARROW} {new.strip()}' if arrow and new.strip() else ''}."
    return ""


def _assigned(text: str) -> tuple[str, str] | None:
    """The pattern and the new value where another sign than the arrow stands between them."""
    found = _CALCULATED.match(text)
    if found is not None:
        return found[1].strip(), f"value {found[2]} {found[3]}"
    found = _ASSIGNED.match(text)
    return (found[1].strip(), found[3]) if found is not None else None


def _replaced(pattern: str, by: str) -> Callable[[str], str]:
    found = late_pattern(pattern)
    return lambda text: found.sub(by, text)


def _slashes(text: str) -> str:
    if "/" not in text or '"' in text:
        return text
    steps = [step for step in text.strip("/").split("/") if step]
    out = ".." if text.startswith("//") else ""
    for step in steps:
        if step == "**":
            out = out.rstrip(".") + ".."
        elif step == "*":
            out = out.rstrip(".") + "[*]."
        elif step.isdigit():
            out = out.rstrip(".") + f"[{step}]."
        else:
            out += f"{step}."
    return out.rstrip(".")


def _starred_names(text: str) -> str:
    """``max_*`` as a condition on the key."""

    def condition(match: re.Match[str]) -> str:
        dots, name = match[1], match[2].replace("%", "*")
        if not name.strip("*") or name in ("*", "**"):
            return match[0]
        inner = "".join({"*": ".*", "?": "."}.get(sign, sign) for sign in name.strip("*"))
        expression = ("" if name.startswith("*") else "^") + inner + ("" if name.endswith("*") else "$")
        here = f'[key matches "{expression}"]'
        return f'[?key matches "{expression}"]' if dots == "." else f"..{here}"

    return _NAME_WITH_STARS.sub(condition, text)


def _several_names(text: str) -> str:
    def condition(match: re.Match[str]) -> str:
        names = re.split(r"\s*[,|]\s*", match[2])
        keys = " or ".join(f'key == "{name}"' for name in names)
        return f"[?{keys}]" if match[1] == "." else f"..[{keys}]"

    return _SEVERAL.sub(condition, text)


def _listed(match: re.Match[str]) -> str:
    return "[?" + " or ".join(f"index == {number}" for number in re.findall(r"\d+", match[1])) + "]"


def _from_to(match: re.Match[str]) -> str:
    first, sign, last = match[1], match[2], match[3]
    tests = [f"index >= {first}"] if first else []
    tests += [f"index {'<' if sign == ':' else '<='} {last}"] if last else []
    return f"[?{' and '.join(tests)}]" if tests else "[*]"


def _spaced(text: str) -> str:
    words = re.fullmatch(r"(\.\.|\.)?([^\W\d]\w*(?: +\w+)+)", text)
    return text if words is None or _OWN_WORDS.search(text) else f'{words[1] or ""}["{words[2]}"]'


GUESSES = (
    _Guess("The arrow is ->", _replaced(r"\s*-$", "")),
    _Guess("A condition follows “if”", _replaced(r"\b(?:where|when)\b", "if")),
    _Guess("Conditions are joined with “and”", _replaced(r"\s*&&?\s*", " and ")),
    _Guess("Conditions are joined with “or”", _replaced(r"\s*\|\|\s*", " or ")),
    _Guess("What differs is tested with !=", _replaced(r"\s*<>\s*|\s+is\s+not\s+", " != ")),
    _Guess(
        "Equal values are tested with ==", _replaced(r"(?<![<>=!])===?(?!=)\s*|(?<![<>=!])=(?!=)\s*|\bis\b\s*", "== ")
    ),
    _Guess("What a text holds is tested with “contains”", _replaced(r"\blike\s+\"%?([^\"%]*)%?\"", r'contains "\1"')),
    _Guess(
        "A pattern begins with a name or with two dots, not with $", lambda text: re.sub(r"^\$(\.(?!\.))?", "", text)
    ),
    _Guess("Two dots mean all values of this name", lambda text: _WORD_BEFORE.sub("..", text)),
    _Guess("Steps are joined with dots", _slashes),
    _Guess("Steps are joined with dots", _replaced(r"::|(?<=\w)\s*>\s*(?=[^\W\d])", ".")),
    _Guess("A name is written without quotes, or in brackets", _replaced(r"^[\"'](\.*\w[\w.]*)[\"']$", r"\1")),
    _Guess("Quotes are straight ones, in brackets", _replaced(r"[“”]([^“”]*)[“”]", r'["\1"]')),
    _Guess("Two dots lead to any depth", _replaced(r"\.{3,}", "..")),
    _Guess("Two dots lead to any depth", _replaced(r"(?<=[\w\]])\*\*", ".**")),
    _Guess("All elements are [*]", _replaced(r"\[\s*(?:\*{2,}|\.{2,}|#|:|\?)?\s*\]", "[*]")),
    _Guess("Elements are chosen by a condition", lambda text: re.sub(r"\[(\d+(?:\s*,\s*\d+)+)\]", _listed, text)),
    _Guess("Elements are chosen by a condition", lambda text: re.sub(r"\[(\d*)(:|-|\.\.)(\d*)\]", _from_to, text)),
    _Guess("A condition names entries as they are", _replaced(r"\[\?\(\s*(?:@\.)?(.*?)\)\]", r"[?\1]")),
    _Guess("A condition names entries as they are", _replaced(r"(?<=[?\s(])@\.", "")),
    _Guess("A condition in brackets begins with ?", _replaced(r"\[(\s*[^\W\d]\w*\s*(?:[<>!=]=?)[^\]]*)\]", r"[?\1]")),
    _Guess("A name follows a dot, or is in quotes in brackets", _replaced(r"\[([^\W\d]\w*)\]", r".\1")),
    _Guess("A bracket follows without a dot", _replaced(r"(?<!\.)\.\[", "[")),
    _Guess("A place in an array goes in brackets", _replaced(r"\.(\d+)(?=$|[.\[])", r"[\1]")),
    _Guess("A name follows a dot", _replaced(r"\](?=[^\W\d])", "].")),
    _Guess("One pattern leads to one name; several are chosen by their keys", _several_names),
    _Guess("A name holds no * or ?; names are chosen by a pattern of their keys", _starred_names),
    _Guess("A name of several words goes in brackets", _spaced),
)
