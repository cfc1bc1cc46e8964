"""What whole texts went through, and how other programs spell things: the first repair gives back what was meant."""

from __future__ import annotations

import html
import quopri
from collections.abc import Callable

import pytest
from text.test_mending import mended, words

from viewer.document.doctor import diagnose
from viewer.document.document import Document

JSON = """{
  "name": "Größe",
  "hp": 1234567,
  "place": [1.5, -2],
  "alive": true,
  "text": "a big one"
}
"""
CONFIG = """[player]

name="Größe"
hp=1234567
place=Vector2(1, -2.5)
color=#ff8040
text="a big one"
"""
RESOURCE = """[gd_resource type="Resource" format=3]

[resource]
name = "Größe"
hp = 12
place = Vector2(1, -2.5)
last = true
"""
LINE = {JSON: '  "hp": 1234567,\n', CONFIG: "hp=1234567\n", RESOURCE: "hp = 12\n"}
Make = Callable[[str], bytes]


def lines(form: str) -> Make:
    return lambda text: "".join(
        form.format(number, line) for number, line in enumerate(text.splitlines(keepends=True), 1)
    ).encode()


WHOLE: dict[str, Make] = {
    "text-fence": lambda text: f"Here is your file:\n\n```ini\n{text}```\n\nAnything else?\n".encode(),
    "text-zeros": lambda text: text.encode() + bytes(7),
    "text-mail": lines("> {1}"),
    "text-encoding: wide": lambda text: text.encode("utf-16-be"),
    "text-mail: encoded": lambda text: quopri.encodestring(text.encode()),
    "text-line-numbers": lines("{0:4d}  {1}"),
    "text-line-numbers: colon": lines("{0}: {1}"),
    "text-diff": lambda text: b"".join(
        (b"+" if number == 3 else b" ") + line for number, line in enumerate(text.encode().splitlines(keepends=True))
    ),
    "text-entities": lambda text: html.escape(text).encode(),
    "text-conflict": lambda text: text.replace(
        LINE[text], f"<<<<<<< HEAD\n{LINE[text]}=======\n{LINE[text].replace('2', '7')}>>>>>>> other\n"
    ).encode(),
    "text-unseen": lambda text: (
        text.replace(LINE[text], LINE[text].replace(" ", "\u00a0").replace("hp", "hp")).encode()
        if " " in LINE[text]
        else text.replace(LINE[text], LINE[text].replace("=", "=\u200b")).encode()
    ),
    "text-encoding": lambda text: text.encode("latin-1"),
    "text-escaped": lambda text: text.replace('"', '\\"').encode(),
}
SPELLED = [
    ("json", "[1.5, -2]", "[1.5\uff0c -2]", "text-full-width"),
    ("json", "-2]", "\u20132]", "text-dash"),
    ("json", "1234567", "0x12D687", "text-number"),
    ("json", "1234567", "1_234_567", "text-number"),
    ("json", "1.5", "1.5f", "text-number"),
    ("json", "a big one", 'a "big" one', "text-inner-quotes"),
    ("json", '  "alive"', '; why\n  "alive"', "text-comment"),
    ("config", "Vector2(1, -2.5)", "Vector2\uff081\uff0c -2.5\uff09", "text-full-width"),
    ("config", "hp=1234567", "hp=1,234,567", "text-number"),
    ("config", "Vector2(1, -2.5)", "(1, -2.5)", "text-type"),
    ("config", "Vector2(1, -2.5)", "Vector2[1, -2.5]", "text-call"),
    ("config", "Vector2(1, -2.5)", "Vector2(x=1, y=-2.5)", "text-call"),
    ("config", "#ff8040", 'Color("#ff8040")', "text-color"),
    ("config", "a big one", 'a "big" one', "text-inner-quotes"),
    ("config", "hp=1234567\n", "hp=1234567 # gold\n", "text-comment"),
    ("config", "hp=1234567\n", "hp=1234567,\n", "text-sign"),
]


@pytest.mark.parametrize("sound", [JSON, CONFIG, RESOURCE], ids=["json", "config", "resource"])
@pytest.mark.parametrize("name", WHOLE)
def test_what_a_text_went_through_is_taken_off(sound: str, name: str) -> None:
    broken = WHOLE[name](sound)
    (repair, *_) = diagnose(Document(broken))
    assert repair.name == name.partition(":")[0]
    assert words(mended(broken)) == words(Document(sound.encode()))


@pytest.mark.parametrize(("kind", "meant", "written", "name"), SPELLED)
def test_what_is_spelled_as_elsewhere_is_spelled_right(kind: str, meant: str, written: str, name: str) -> None:
    sound = {"json": JSON, "config": CONFIG}[kind]
    broken = sound.replace(meant, written)
    (repair, *_) = diagnose(Document(broken.encode()))
    assert repair.name == name
    after = sound if name != "text-inner-quotes" else sound.replace(meant, written.replace('"', '\\"'))
    assert words(mended(broken.encode())) == words(Document(after.encode()))


@pytest.mark.parametrize(
    "broken",
    [
        JSON.replace('"name"', "name").replace('"hp"', "hp").replace('"a big one"', "'a big one'"),
        f"const save = {JSON.strip()};\n".replace('"hp"', "hp"),
        JSON.replace('"', "'").replace("true", "True"),
    ],
)
def test_an_object_of_a_program_becomes_json(broken: str) -> None:
    (repair, *_) = diagnose(Document(broken.encode()))
    assert repair.name == "text-program"
    assert words(mended(broken.encode())) == words(Document(JSON.encode()))


@pytest.mark.parametrize(
    ("sound", "broken"),
    [
        (JSON, JSON.replace("-2]", "-2}")),
        (CONFIG, CONFIG.replace("-2.5)", "-2.5]")),
        (CONFIG, CONFIG.replace("name=", "name: ").replace("hp=", "hp: ")),
    ],
)
def test_brackets_and_colons_of_another_kind_are_mended(sound: str, broken: str) -> None:
    assert words(mended(broken.encode())) == words(Document(sound.encode()))


def test_a_mark_in_front_is_taken_off_and_its_section_stays() -> None:
    text = '[player]\nname="Bob"\nhp=12\nspeed=15\n\n[audio]\nvolume=0.5\n'
    broken = b"\xef\xbb\xbf" + text.replace("15", "1_500").encode()
    assert words(mended(broken)) == words(Document(text.replace("15", "1500").encode()))


def test_nothing_is_said_of_numbers_that_an_old_engine_wrote_but_does_not_read() -> None:
    text = b"[a]\nx=PoolRealArray( nan, inf )\ny=1\n"
    assert diagnose(Document(text)) == []
