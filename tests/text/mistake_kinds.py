"""Mistakes that people, editors, merges, transfers and other programs make in texts: forty kinds, in two lists.

All were written down before any was tried; a draw put half of them into :data:`HELD`, by which the doctor was judged
once, after it was tuned by :data:`TUNED`: cause first 47.5 %, restored 50.0 % (20.0 % and 25.5 % before). Then what was
missed was mended too, so whoever judges next writes other kinds. Godot 4 reads the old names of types; they are none.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

from viewer.base.record import dataclass

NAMES = ("Mira", "Old Tom", "Größe", "Captain of the Guard", "no one", "x-15", "Ærø")
WORDS = ("sword", "potion", "map", "lantern", "rope", "shield", "bow", "key")
Make = Callable[[random.Random, str], str | bytes]


@dataclass(frozen=True, slots=True)
class MistakeKind:
    """One kind of mistake.

    Args:
        name: what it is called.
        saves: in which kinds of text it is made.
        make: makes it in a text; gives the text as it is where it has no place for it.
        says: what a true cause says, as a pattern for its name and its sentence.
        is_cut: whether values are lost that nothing brings back.
        means: what the text with the mistake means, where that is not what stood there before.
    """

    name: str
    saves: tuple[str, ...]
    make: Make
    says: str
    is_cut: bool = False
    means: Callable[[str], str] | None = None


# Sound texts


def json_save(draw: random.Random) -> str:
    """A save as a game writes it, or a person."""
    items = [
        {
            "id": draw.randrange(100, 999),
            "kind": draw.choice(WORDS),
            "count": draw.randrange(1, 60),
            "worn": _bool(draw),
        }
        for _ in range(draw.randint(2, 4))
    ]
    save = {
        "version": draw.randint(1, 9),
        "player": {
            "name": draw.choice(NAMES),
            "hp": draw.randrange(1, 100) + 0.5,
            "gold": draw.randrange(1000, 90000),
            "position": [draw.randrange(100), -draw.randrange(1, 99) / 8, draw.randrange(9)],
            "title": None,
            "alive": _bool(draw),
        },
        "items": items,
        "tags": draw.sample(WORDS, 3),
        "options": {
            "volume": draw.randrange(1, 99) / 100,
            "fullscreen": _bool(draw),
            "language": draw.choice(("en", "de")),
        },
        "seen": [],
        "last": draw.choice(WORDS),
    }
    return json.dumps(save, indent=draw.choice((2, 4, "\t")), ensure_ascii=False) + "\n"


def config_save(draw: random.Random) -> str:
    """Settings of Godot 4."""
    return f"""[player]

name="{draw.choice(NAMES)}"
hp={draw.randrange(1, 100)}.5
gold={draw.randrange(1000, 90000)}
position=Vector2({draw.randrange(100)}, -{draw.randrange(1, 99) / 8})
color=Color({draw.randrange(1, 9) / 8}, 0.5, 1, 1)
alive={_word(draw)}

[world]

seed={draw.randrange(100, 99999)}
tags=["{draw.choice(WORDS)}", "{draw.choice(WORDS)}"]
visited=PackedInt32Array({draw.randrange(9)}, {draw.randrange(9)}, 12)
chests={{
"{draw.choice(WORDS)}": {draw.randrange(9)},
"north": true
}}
title=null

[video]

fullscreen={_word(draw)}
scale=1.{draw.randrange(1, 9)}
last="{draw.choice(WORDS)}"
"""


def resource_save(draw: random.Random) -> str:
    """A resource of Godot 4."""
    return f"""[gd_resource type="Resource" load_steps=3 format=3]

[sub_resource type="Gradient" id="Gradient_{draw.choice("abc")}1"]
offsets = PackedFloat32Array(0, 0.{draw.randrange(1, 9)}, 1)

[sub_resource type="Curve" id="Curve_x{draw.randrange(9)}"]
bake_resolution = {draw.randrange(10, 99)}

[resource]
metadata/name = "{draw.choice(NAMES)}"
metadata/hp = {draw.randrange(1, 99)}
metadata/speed = {draw.randrange(1, 99)}.25
metadata/position = Vector2({draw.randrange(100)}, -{draw.randrange(1, 99) / 8})
metadata/color = Color(1, 0.5, 0.25, 1)
metadata/items = ["{draw.choice(WORDS)}", "{draw.choice(WORDS)}"]
metadata/chests = {{
"{draw.choice(WORDS)}": {draw.randrange(9)},
"south": false
}}
metadata/alive = {_word(draw)}
metadata/last = "{draw.choice(WORDS)}"
"""


def _bool(draw: random.Random) -> bool:
    return draw.random() < 0.5


def _word(draw: random.Random) -> str:
    return draw.choice(("true", "false"))


SAVES: dict[str, Callable[[random.Random], str]] = {"json": json_save, "config": config_save, "resource": resource_save}


# Mistakes


def at_one(pattern: str, fresh: str | Callable[[re.Match[str]], str]) -> Make:
    """At one of the places that look so something else stands."""

    def make(draw: random.Random, text: str) -> str:
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if not found:
            return text
        place = draw.choice(found)
        new = place.expand(fresh) if isinstance(fresh, str) else fresh(place)
        return text[: place.start()] + new + text[place.end() :]

    return make


def at_each(pattern: str, fresh: str | Callable[[re.Match[str]], str]) -> Make:
    """The same at all places."""
    return lambda draw, text: re.sub(pattern, fresh, text, flags=re.MULTILINE)


def either(*makes: Make) -> Make:
    """One of several, the first of which that finds a place."""

    def make(draw: random.Random, text: str) -> str | bytes:
        for each in draw.sample(makes, len(makes)):
            made = each(draw, text)
            if made != text:
                return made
        return text

    return make


def _cut(draw: random.Random, text: str) -> str:
    return text[: draw.randrange(len(text) // 3, len(text) - 4)]


def _stamps(draw: random.Random, text: str) -> str:
    lines = text.splitlines()
    return "".join(f"[12:{number // 60:02}:{number % 60:02}] {line}\n" for number, line in enumerate(lines, 7))


def _csv(draw: random.Random, text: str) -> str:
    return '"' + text.strip().replace('"', '""') + '"\n'


def _tail_lost(draw: random.Random, text: str) -> str:
    """The brackets at the end are cut off, with the line ends."""
    return re.sub(r"[\s}\]]+\Z", "\n", text)


KINDS: tuple[MistakeKind, ...] = (
    MistakeKind(
        "yes and no",
        ("json", "config"),
        at_one(r"(?<=[:=]) ?(?:true|false)\b", lambda m: m[0].replace("true", "yes").replace("false", "no")),
        r"word",
    ),
    MistakeKind("arrow for a colon", ("json",), at_one(r'(?<="):', " =>"), r"colon|=>|arrow"),
    MistakeKind("objects without a comma between", ("json",), at_one(r"\},(?=\s+\{)", "}"), r"comma"),
    MistakeKind("line with a bracket lost", ("json",), at_one(r"^[\t ]+[}\]],?\n", ""), r"bracket"),
    MistakeKind("cut off", ("json", "config"), _cut, r"bracket|quote|end|cut|broke", is_cut=True),
    MistakeKind("hash comment", ("config", "resource"), at_one(r"(?<=[\d)e])$", "  # as it was"), r"comment"),
    MistakeKind(
        "sentence without quotes",
        ("config", "resource"),
        at_one(r'= ?"([\w ]+)"$', lambda m: m[0].replace('"', "")),
        r"quote",
    ),
    MistakeKind("bracket of a section lost", ("config", "resource"), at_one(r"(?<=[a-z\"])\]$", ""), r"bracket"),
    MistakeKind("words of a tag without quotes", ("resource",), at_one(r'(?<=type=)"(\w+)"', r"\1"), r"quote"),
    MistakeKind("quotes doubled by a spreadsheet", ("json",), _csv, r"quote|spreadsheet|CSV|csv"),
    MistakeKind("tags for line ends", ("json", "config"), at_each(r"$(?=\n.)", "<br>"), r"<br>|tag|HTML|web"),
    MistakeKind("NaN", ("json",), at_one(r"\bnull\b", "NaN"), r"word|NaN"),
    MistakeKind(
        "units",
        ("config", "resource", "json"),
        at_one(r"(?<=[:=]) ?\d+(?:\.\d+)?(?=,?$)", lambda m: m[0] + "px"),
        r"unit|letter|after a number",
    ),
    MistakeKind(
        "list in braces",
        ("json", "config", "resource"),
        either(
            at_one(r"\[((?:\s*-?[\d.]+,)+\s*-?[\d.]+\s*)\]", r"{\1}"),
            at_one(r'\[((?:\s*"\w+",)+\s*"\w+"\s*)\]', r"{\1}"),
        ),
        r"bracket|brace",
    ),
    MistakeKind(
        "colon or comma inside the quote",
        ("json",),
        either(at_one(r'":', ':"'), at_one(r'",$', ',"')),
        r"quote|inside|order|swap",
    ),
    MistakeKind(
        "letter for a digit",
        ("json", "config", "resource"),
        at_one(r"(?<=[\d])0(?=,?$)|(?<=\d)0(?=\d)|(?<=[:=] )0(?=\.)|(?<=[:=])0(?=\.)", "O"),
        r"letter|digit|O",
    ),
    MistakeKind("saved as UTF-16", ("json", "config", "resource"), lambda draw, text: text.encode("utf-16"), r"UTF-16"),
    MistakeKind("backticks", ("json", "config"), at_one(r'"([\w ]+)"(?=,?$)', r"`\1`"), r"quote|backtick"),
    MistakeKind(
        "old names of types",
        ("config", "resource"),
        either(at_one(r"PackedInt32Array", "PoolIntArray"), at_one(r"PackedFloat32Array", "PoolRealArray")),
        r"type|name|Godot 3",
    ),
    MistakeKind(
        "constants of a script",
        ("config", "resource"),
        either(
            at_one(r"(?<=\w)( ?= ?)Color\([^)]*\)", r"\1Color.WHITE"),
            at_one(r"(?<=\w)( ?= ?)Vector2\([^)]*\)", r"\1Vector2.ZERO"),
        ),
        r"constant|script|program",
        means=lambda text: text.replace("Color.WHITE", "Color(1, 1, 1, 1)").replace("Vector2.ZERO", "Vector2(0, 0)"),
    ),
    MistakeKind(
        "names of types in small letters",
        ("config", "resource"),
        either(at_one(r"Vector2\(", "vector2("), at_one(r"Color\(", "color(")),
        r"type|case|capital|small|name",
    ),
    MistakeKind(
        "colors of a terminal",
        ("json", "config"),
        at_each(r'("\w+"|\btrue\b|\bfalse\b)', "\x1b[32m\\1\x1b[0m"),
        r"terminal|colou?r|escape",
    ),
    MistakeKind("time stamps in front of lines", ("json", "config"), _stamps, r"time|log|line"),
    MistakeKind(
        "blanks in numbers",
        ("json", "config"),
        at_one(r"(?<=[:=])( ?\d+)(\d{3})(?=,?$)", r"\1 \2"),
        r"number|blank|digit",
    ),
    MistakeKind(
        "a mark of a merge is left",
        ("json", "config", "resource"),
        at_one(r"^(?=[\t ]*[\w\"/]+ ?[:=])", ">>>>>>> feature/save\n"),
        r"merge|conflict|mark",
    ),
    MistakeKind("comment with two dashes", ("json", "config"), at_one(r"(?<=[\d,e])$", "  -- changed"), r"comment"),
    MistakeKind("tuple", ("json",), at_one(r"\[((?:\s*-?[\d.]+,)+\s*-?[\d.]+\s*)\]", r"(\1)"), r"bracket|parenthes"),
    MistakeKind(
        "quote doubled",
        ("json", "config"),
        either(at_one(r'(?<=\w)"(?=[:,\n])', '""'), at_one(r'(?<=[ =])"(?=\w)', '""')),
        r"quote",
    ),
    MistakeKind("point for a comma", ("json",), at_one(r'(?<=["\]}e]),$', "."), r"point|comma"),
    MistakeKind("semicolon for a colon", ("json",), at_one(r'(?<="):', ";"), r"colon"),
    MistakeKind(
        "closing bracket doubled",
        ("json", "config"),
        at_one(r"^([\t ]*[}\]],?\n)", r"\1\1"),
        r"bracket|character|twice",
    ),
    MistakeKind("closing brace lost", ("json",), at_one(r"\}(?=,\n)", ""), r"bracket|brace"),
    MistakeKind("opening bracket lost", ("json",), at_one(r'(?<="): [\[{]$', ""), r"bracket|brace"),
    MistakeKind("entities for signs", ("json",), at_each(r'"', "&quot;"), r"HTML|entit|web"),
    MistakeKind(
        "line goes on behind a backslash", ("config",), at_one(r"(?<=[,(]) (?=-?\d)", " \\\n  "), r"backslash|line"
    ),
    MistakeKind(
        "accents for quotes", ("json", "config"), at_one(r'"([\w ]+)"(?=,?$)', "\u00b4\u00b4\\1\u00b4\u00b4"), r"quote"
    ),
    MistakeKind(
        "prompt of a shell",
        ("json", "config", "resource"),
        lambda draw, text: f"$ cat save.{draw.choice(('json', 'cfg'))}\n{text}$ ",
        r"prompt|shell|front|terminal|program",
    ),
    MistakeKind(
        "word without quotes in a list",
        ("json", "config"),
        at_one(r'(?<=[\[,]) ?"(\w+)"(?=[,\]])|^[\t ]+"(\w+)"(?=,?$)', lambda m: m[0].replace('"', "")),
        r"quote",
    ),
    MistakeKind("equals sign lost", ("config", "resource"), at_one(r"(?<=\w) ?=(?= ?[\w\"])", " "), r"equals|="),
    MistakeKind(
        "value lost", ("json", "config"), at_one(r'(?<=[:=]) ?(?:\d[\d.]*|"\w+")(?=,?$)', ""), r"value", is_cut=True
    ),
)
"""All kinds, in the order in which they came to mind."""
_DRAWN = random.Random("the doctor is judged by these").sample(range(len(KINDS)), len(KINDS) // 2)
HELD = tuple(kind for number, kind in enumerate(KINDS) if number in _DRAWN)
TUNED = tuple(kind for number, kind in enumerate(KINDS) if number not in _DRAWN)


@dataclass(frozen=True, slots=True)
class MistakeCase:
    """A text with a mistake.

    Args:
        save: what kind of text it is.
        sound: the text before.
        broken: the text with the mistake.
    """

    save: str
    sound: bytes
    broken: bytes


def cases(kind: MistakeKind, count: int, seed: int) -> list[MistakeCase]:
    """Some texts with a mistake of a kind."""
    draw, out = random.Random(f"{kind.name} {seed}"), list[MistakeCase]()
    while len(out) < count:
        save = kind.saves[len(out) % len(kind.saves)]
        sound = SAVES[save](draw)
        broken = kind.make(draw, sound)
        if broken != sound:
            if kind.means is not None and isinstance(broken, str):
                sound = kind.means(broken)
            out.append(MistakeCase(save, sound.encode(), broken if isinstance(broken, bytes) else broken.encode()))
    return out
