"""The least that makes a text readable."""

from __future__ import annotations

import random
import re

import pytest

from viewer.base.span import Span
from viewer.text.least_repair import least_repairs
from viewer.text.patching import patched


def mended(text: str, is_json: bool = True) -> str:
    raw = text.encode()
    return patched(raw, least_repairs(raw, lines(raw), is_json)[0].patches).decode()


def lines(raw: bytes) -> list[Span]:
    return [Span(*found.span()) for found in re.finditer(rb".+", raw)]


@pytest.mark.parametrize(
    ("broken", "sound"),
    [
        ('{"a": 1, "b" 2}', '{"a": 1, "b": 2}'),
        ('{"a": 1 "b": 2}', '{"a": 1, "b": 2}'),
        ('{"a":: 1}', '{"a": 1}'),
        ('{"a": "a": 1}', '{"a": 1}'),
        ('{"a": [1, 2}', '{"a": [1, 2]}'),
        ('{"a": Decimal(1.5), "b": 2}', '{"a": 1.5, "b": 2}'),
        ('{"a": tr\nue}', '{"a": true}'),
        ('{\n"a": 1,\n**"b": 2**\n}', '{\n"a": 1,\n"b": 2\n}'),
        ('{\n"a": 1, -- why\n"b": 2\n}', '{\n"a": 1,\n"b": 2\n}'),
    ],
)
def test_json(broken: str, sound: str) -> None:
    assert mended(broken) == sound


@pytest.mark.parametrize(
    ("broken", "sound"),
    [
        ("[a]]\nb=1\n", "[a]\nb=1\n"),
        ("[a]\nb==1\n", "[a]\nb=1\n"),
        ("[a]\nb = new Vector2(1, 2)\n", "[a]\nb = Vector2(1, 2)\n"),
        ("[a]\nb=Vector2(1, 2]\n", "[a]\nb=Vector2(1, 2)\n"),
        ("[a]\nvar b=1\n", "[a]\nb=1\n"),
        ("[a]\nb=Vector3(1, - 2, 3..5)\n", "[a]\nb=Vector3(1, -2, 3.5)\n"),
    ],
)
def test_the_engines_text(broken: str, sound: str) -> None:
    assert mended(broken, is_json=False) == sound


def test_what_is_done_throughout_is_one_mistake() -> None:
    table = "{\n" + ",\n".join(f'  ["k{number}"] = {number}' for number in range(12)) + "\n}"
    assert mended(table) == table.replace('["', '"').replace('"] =', '" :')
    one, all_ = (least_repairs(text.encode(), lines(text.encode()), True)[0] for text in ('{["a"] = 1}', table))
    assert all_.cost < 2 * one.cost


def test_a_sound_text_needs_nothing() -> None:
    assert least_repairs(b'{"a": [1, {"b": null}]}', [], True) == []


@pytest.mark.parametrize("is_json", [True, False])
def test_noise_ends(is_json: bool) -> None:
    draw = random.Random(5)
    for _ in range(6):
        noise = bytes(draw.choice(b'{}[]()"\\:,=; ab1.\n') for _ in range(200))
        least_repairs(noise, [Span(0, len(noise))], is_json)
    assert all(repair.count for repair in least_repairs(b"[" * 500, [Span(0, 1)], is_json))
