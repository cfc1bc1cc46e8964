"""Mistakes of hand-written texts: the first repair gives back what stood there, or reads as it did."""

from __future__ import annotations

import json
import random

import pytest
from text.plain_values import of_document, of_json
from text.text_mistakes import CONFIG, JSON, Make

from viewer.document.doctor import diagnose
from viewer.document.document import Document
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read

WORDS = ("gold", "sword", "name", "list", "place", "shield", "potion", "level")
CASES = 6


def json_save(draw: random.Random) -> bytes:
    rows = [
        {
            "name": draw.choice(WORDS),
            "hp": draw.randint(1, 99),
            "weight": draw.randint(1, 99) / 8,
            "ok": draw.random() < 0.5,
        }
        for _ in range(draw.randint(1, 3))
    ]
    save = {
        "title": draw.choice(WORDS),
        "rows": rows,
        "at": [draw.randint(1, 9), draw.randint(1, 9), 0.5],
        "none": None,
        "half": 0.25,
        "last": draw.choice(WORDS),
        "end": True,
    }
    text = json.dumps(save, indent=2)
    return text.replace("[\n    ", "[", 1).encode() if draw.random() < 0.3 else text.encode()


def config_save(draw: random.Random) -> bytes:
    lines = ["[player]", "", f'name="{draw.choice(WORDS)}"', f"hp={draw.randint(1, 99)}", "speed=0.25", "none=null"]
    lines += [f"place=Vector2({draw.randint(1, 9)}, {draw.randint(1, 9)})", "list=[1, 2, 3]", "alive=true", ""]
    lines += ["[audio]", "", f'bus="{draw.choice(WORDS)}"', "volume=0.5", "color=Color(1, 0.5, 0, 1)", "mute=false", ""]
    return "\n".join(lines).encode()


def mended(broken: bytes) -> Document:
    """What the first repair leaves, or the text as it is where there is none."""
    document = Document(broken)
    repair = next((each for each in diagnose(document) if each.can_be_applied), None)
    if repair is None:
        return document
    assert repair.edit is not None
    document.apply(repair.edit)
    again = Document(bytes(document.to_be_written()[:]))
    document.undo()
    assert bytes(document.to_be_written()[:]) == broken
    return again


def share(make: Make, save: str, seed: int) -> tuple[int, int]:
    """How many of some cases of a mistake are mended, and how many there are."""
    draw, right, count = random.Random(seed), 0, 0
    for _ in range(CASES):
        sound = json_save(draw) if save == "json" else config_save(draw)
        broken = make(draw, sound)
        document = Document(broken)
        if broken == sound or document.text is None or not document.text.damages:
            continue
        count += 1
        found = mended(broken)
        if save == "json":
            meant = broken.replace(b"\\", b"\\\\") if b"\\" in broken else sound
            right += of_document(found) == [of_json(json.loads(meant))]
        else:
            right += words(found) == words(Document(sound))
    return right, count


def words(document: Document) -> str:
    return format_literal(read(document.frames[0].table, 0), document.dialect)


def test_most_mistakes_are_mended_by_the_first_repair() -> None:
    told = {("json", name): share(make, "json", 21) for name, make in JSON.items()}
    told |= {("config", name): share(make, "config", 22) for name, make in CONFIG.items()}
    right, count = (sum(each[k] for each in told.values()) for k in range(2))
    assert count > 3 * CASES * len(told) // 4
    assert right >= 0.85 * count, {name: each for name, each in told.items() if each[0] < each[1]}


def test_nothing_is_said_of_sound_texts() -> None:
    draw = random.Random(23)
    for _ in range(10):
        for sound in (json_save(draw), config_save(draw)):
            assert diagnose(Document(sound)) == []


def test_several_mistakes_are_mended_in_one_step() -> None:
    sound = b'{\n  "a": 1.5,\n  "b": true,\n  "c": "x",\n  "d": 0.5,\n  "e": [1, 2, 3],\n  "f": {"g": null}\n}'
    broken = sound.replace(b'"x"', "“x”".encode()).replace(b"true", b"True").replace(b"1.5", b"1,5")
    document = mended(broken)
    assert of_document(document) == [of_json(json.loads(sound))]


def best(text: str) -> str:
    """A text after the first repair."""
    document = Document(text.encode())
    edit = diagnose(document)[0].edit
    assert edit is not None
    document.apply(edit)
    return bytes(document.to_be_written()[:]).decode()


MATERIAL = """[gd_resource type="SpatialMaterial" load_steps=2 format=2]

[sub_resource type="Gradient" id=2]
offsets = PoolRealArray( 0, 0.5, 1 )

[resource]
albedo_color = Color( 0.2, 0.4, 0.6, 1 )
albedo_texture = SubResource( 2 )
__meta__ = {
"items": [ {
"count": 3,
"id": "potion"
} ]
}
"""


def test_a_reference_keeps_its_name_among_other_mistakes() -> None:
    broken = MATERIAL.replace("0.4,", "0.4").replace("( 2 )", "( 2").replace("3,", "3")
    assert "".join(best(broken).split()) == "".join(MATERIAL.split())


def test_a_point_is_none_too_many() -> None:
    assert best('{\n  "name": "Mira"\n  "gold": .5,\n  "level": 7\n}\n') == (
        '{\n  "name": "Mira",\n  "gold": 0.5,\n  "level": 7\n}\n'
    )


def test_brackets_come_back_as_the_lines_are_indented() -> None:
    broken = '{\n  "player": {\n    "gold": 250,\n    "list": [1, 2, 3\n  },\n  "version": 3\n'
    after = json.loads(best(broken))
    assert after == {"player": {"gold": 250, "list": [1, 2, 3]}, "version": 3}


@pytest.mark.parametrize(
    ("broken", "sound"),
    [
        ('{"a": 0x1F, "b": True, "c": fals}', '{"a": 31, "b": true, "c": false}'),
        ('{"a": 1_000, "b": tru, "c": [1 2]}', '{"a": 1000, "b": true, "c": [1, 2]}'),
    ],
)
def test_each_of_several_mistakes_is_mended_as_if_alone(broken: str, sound: str) -> None:
    assert json.loads(best(broken)) == json.loads(sound)


def test_a_section_gets_its_bracket() -> None:
    text = '[player]\nname="Bob"\nitems=["a", "b"]\n\n[video]\nsize=Vector2(1, 2)\n'
    assert best(text.replace("[video]", "[video").replace("(1, 2)", "(1 2)")) == text


def test_a_resource_without_its_head_gets_one_that_is_a_guess() -> None:
    document = Document(MATERIAL.partition("\n\n")[2].encode())
    told = diagnose(document)[0]
    assert told.name == "text-head"
    assert told.confidence <= 0.5
    head = '[gd_resource type="Resource" load_steps=2 format=2]\n\n'
    assert best(MATERIAL.partition("\n\n")[2]) == head + MATERIAL.partition("\n\n")[2]


SOUND_JSON = '{"slot": 2, "list": ["dash", "jump", "map"], "at": {"x": 1, "y": 2}, "name": "Mira"}'
SOUND_CONFIG = (
    '[display]\n\nwidth=1280\ntint=Color(1, 0.5, 0.25, 1)\n\n[player]\n\npath=NodePath("A/B")\nat=Vector2(120, 64)\n'
)


@pytest.mark.parametrize(
    ("sound", "old", "new"),
    [
        (SOUND_JSON, ', "jump"', ',,"jump"'),
        (SOUND_JSON, ', "name"', ',,"name"'),
        (SOUND_JSON, '{"slot"', '"slot"'),
        (SOUND_JSON, '{"slot"', '\n\t"slot"'),
        (SOUND_JSON, "Mira" + '"}', 'Mira"}e": "Mira"}'),
        (SOUND_JSON, "Mira" + '"}', 'Mira"}, "y": 2}, "name": "Mira"}'),
        (SOUND_JSON, "Mira" + '"}', f'Mira"}}{SOUND_JSON}'),
        (SOUND_CONFIG, "[player]", "player]"),
        (SOUND_CONFIG, "Color(", "Color"),
        (SOUND_CONFIG, "Vector2(", "Vector2"),
        (SOUND_CONFIG, "NodePath(", "NodePath"),
    ],
)
def test_a_sign_too_many_or_too_few_and_what_is_left_of_an_older_save(sound: str, old: str, new: str) -> None:
    assert sound.count(old) == 1
    assert of_document(mended(sound.replace(old, new).encode())) == of_document(Document(sound.encode()))


def test_of_two_saves_behind_each_other_each_may_stay_and_that_is_a_guess() -> None:
    first, last = (f'{{"slot": {slot}, "list": [1, 2, {slot}]}}' for slot in (1, 2))
    document = Document((first + last).encode())
    found = diagnose(document)
    assert ["last" in repair.sentence for repair in found[:2]] == [True, False]
    assert found[0].confidence < 0.5
    assert of_document(mended((first + last).encode())) == of_document(Document(last.encode()))
