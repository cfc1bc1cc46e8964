"""Plain slips in texts, one or several at once, by which it is measured how often the doctor's first offer is right."""

from __future__ import annotations

import random
from collections.abc import Sequence

from text.later_mistakes import LATER_HELD, LATER_TUNED
from text.mistake_kinds import HELD, SAVES, TUNED, MistakeCase, MistakeKind, at_one, either

_ENGINE = ("config", "resource", "preferences", "effects", "level")
_JSON = ("json", "quests")
_ALL = (*_JSON, *_ENGINE)

SLIPS: tuple[MistakeKind, ...] = (
    MistakeKind("comma lost", _ALL, either(at_one(r",(?=\n)", ""), at_one(r",(?= )", "")), ""),
    MistakeKind("colon lost", _JSON, at_one(r'(?<="):', ""), ""),
    MistakeKind("quote at the end lost", _ALL, at_one(r'(?<=\w)"(?=,?$)', ""), ""),
    MistakeKind("quote at the beginning lost", _ALL, at_one(r'(?<=[:=\[ ])"(?=\w+")', ""), ""),
    MistakeKind("bracket of a list lost", _ALL, at_one(r'(?<=[\w"])\](?=,?$)', ""), ""),
    MistakeKind("bracket of a call lost", _ENGINE, at_one(r'(?<=[\w"])\)$', ""), ""),
    MistakeKind("bracket of a list not opened", _ALL, at_one(r'(?<=[:=] )\[(?=[\w"-])', ""), ""),
    MistakeKind("bracket of a call not opened", _ENGINE, at_one(r"(?<=[a-z\d])\((?=[\w-])", ""), ""),
    MistakeKind("line of a bracket lost", _JSON, at_one(r"^[\t ]+[}\]],?\n", ""), ""),
    MistakeKind("last bracket lost", _JSON, at_one(r"\s*\}\s*\Z", "\n"), ""),
    MistakeKind("bracket of another kind", _ALL, either(at_one(r"\](?=,?$)", "}"), at_one(r"\)$", "]")), ""),
    MistakeKind("no digit before the point", _ALL, at_one(r"(?<![\w.])0\.(?=\d)", "."), ""),
    MistakeKind("plus sign", _ALL, at_one(r"(?<=[:=(,]) ?(?=[1-9])", "+"), ""),
    MistakeKind("comma twice", _ALL, at_one(r",(?=[\n ])", ",,"), ""),
    MistakeKind("semicolon for a comma", _JSON, at_one(r",$", ";"), ""),
    MistakeKind("equals sign for a colon", _JSON, at_one(r'(?<=")(?::)(?= )', " ="), ""),
    MistakeKind("colon for an equals sign", _ENGINE, at_one(r"(?<=^[a-z]{4})\s?=", ":"), ""),
    MistakeKind("word with a capital", _ALL, at_one(r"\b(?:true|false)\b", lambda found: found[0].title()), ""),
    MistakeKind("word cut short", _ALL, at_one(r"\b(?:true|false)\b", lambda found: found[0][:-1]), ""),
    MistakeKind("single quotes", _ALL, at_one(r'(?<=[:=\[ ])"([\w ]+)"(?=[,\]\n])', r"'\1'"), ""),
    MistakeKind("key without quotes", _JSON, at_one(r'"(\w+)"(?=:)', r"\1"), ""),
    MistakeKind("text without quotes", _ALL, at_one(r'(?<=[:=]) ?"([a-z]\w+)"(?=,?$)', r" \1"), ""),
    MistakeKind("comment", _JSON, at_one(r",$", ", // changed"), ""),
    MistakeKind("section not closed", _ENGINE, at_one(r"(?<=^\[)(\w+)\]$", r"\1"), ""),
    MistakeKind("bracket too many", _ALL, either(at_one(r"\](?=,?$)", "]]"), at_one(r"\)$", "))")), ""),
    MistakeKind("number in hexadecimal digits", _JSON, at_one(r"(?<=: )(\d+)(?=,?$)", lambda m: hex(int(m[0]))), ""),
    MistakeKind("letter behind a number", _ALL, at_one(r"(?<=\d\.)(\d+)(?=,?$)", r"\1f"), ""),
    MistakeKind("quote twice", _ALL, at_one(r'(?<=[:=\[ ])"(?=\w+")', '""'), ""),
)
"""What happens to people who change a value by hand; written down before the doctor was asked about any."""

MOST_AT_ONCE = 4
_HELD = frozenset(range(1, len(SLIPS), 2))
_WHOLE = 3
"""A kind that changes more lines than these is none that stands beside others."""


def kinds(is_held: bool) -> list[MistakeKind]:
    """The kinds by which shares are told, or those that are held back; none of which values are lost or others."""
    found = [*(HELD if is_held else TUNED), *(LATER_HELD if is_held else LATER_TUNED)]
    found += [kind for number, kind in enumerate(SLIPS) if (number in _HELD) == is_held]
    return [kind for kind in found if kind.means is None and not kind.is_cut]


def several(of: Sequence[MistakeKind], count: int, most: int, seed: int) -> list[MistakeCase]:
    """Texts with one mistake, or with 2 to *most* at once, of these kinds."""
    draw, out = random.Random(f"several {seed} {most}"), list[MistakeCase]()
    while len(out) < count:
        save = draw.choice(_ALL)
        fitting = [kind for kind in of if save in kind.saves]
        sound = broken = SAVES[save](draw)
        wanted = 1 if most < 2 else draw.randint(2, most)
        made = 0
        for kind in draw.sample(fitting, len(fitting)):
            after = kind.make(draw, broken)
            if not isinstance(after, str) or after == broken or (most > 1 and not _is_small(broken, after)):
                continue
            broken, made = after, made + 1
            if made == wanted:
                out.append(MistakeCase(save, sound.encode(), broken.encode()))
                break
    return out


def _is_small(before: str, after: str) -> bool:
    """Whether a few lines are others, so that this may have happened beside something else."""
    old, new = set(before.splitlines()), set(after.splitlines())
    return len(old - new) <= _WHOLE and len(new - old) <= _WHOLE
