"""What encoders write in another order is named and undone where the values tell it; sound bytes are not accused."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest
from document.doctor.wrong_encoder import Pair, WrongEncoder

from viewer.document.doctor import Repair, examine, preview
from viewer.document.doctor.encoder_orders import order_rules
from viewer.document.doctor.wire_format import ENGINE, ORDERS
from viewer.document.document import Document
from viewer.variant.dialect import load

GODOT4 = load("godot4")


def text(shown: str) -> Pair:
    return ("String", shown)


def pairs(*some: tuple[str, Pair]) -> Pair:
    return ("Dictionary", [(text(key), value) for key, value in some])


def player(number: int) -> Pair:
    return pairs(
        ("id", ("int", 3000000001 + 7 * number)),
        ("name", text(f"Player {number}")),
        ("score", ("int", 250 * number)),
        ("seen", ("int", 1733317878520 + 65_537 * number)),
        ("ratio", ("float", 0.1 * (number + 1))),
        ("speed", ("float", 1.5)),
        ("pos", ("Vector2", (12.5 + number, -3.25))),
        ("guild", ("Nil", None)),
        ("levels", ("PackedInt32Array", [3, 1, 4, 100 + number])),
    )


PACKET = pairs(("op", text("state")), ("tick", ("int", 912)), ("players", ("Array", [player(k) for k in range(4)])))


class OtherEncoder(WrongEncoder):
    """Writes numbers in another order, and the keys and values of dictionaries."""

    def __init__(self, order: Callable[[bytes], bytes] = bytes, kinds: str = "", pair_order: str = "key value") -> None:
        super().__init__(GODOT4)
        self.order, self.kinds, self.pair_order = order, kinds, pair_order

    def _int(self, number: int, data: int) -> None:
        wide = not -(1 << 31) <= data < 1 << 31
        start = len(self.out) + 4
        super()._int(number, data)
        if "i" in self.kinds or (wide and "q" in self.kinds):
            self.out[start:] = self.order(bytes(self.out[start:]))

    def _float(self, number: int, data: float) -> None:
        start = len(self.out) + 4
        super()._float(number, data)
        if "f" in self.kinds or (len(self.out) - start == 8 and "d" in self.kinds):
            self.out[start:] = self.order(bytes(self.out[start:]))

    def _vector(self, name: str, data: tuple[float, ...]) -> None:
        start = len(self.out)
        super()._vector(name, data)
        if "f" in self.kinds:
            raw = bytes(self.out[start:])
            self.out[start:] = b"".join(self.order(raw[k : k + 4]) for k in range(0, len(raw), 4))

    def _collection(self, name: str, data: Any) -> None:
        if name != "Dictionary" or self.pair_order == "key value":
            super()._collection(name, data)
            return
        self.out += struct.pack("<I", len(data))
        keys, values = [key for key, _ in data], [value for _, value in data]
        order = {
            "keys values": (*keys, *values),
            "values keys": (*values, *keys),
            "value key": [each for key, value in data for each in (value, key)],
        }[self.pair_order]
        for each in order:
            self._value(each, True)


def first(data: bytes) -> Repair:
    repairs = examine(Document(data)).repairs
    assert repairs
    return repairs[0]


def restored(data: bytes) -> bytes:
    return bytes(preview(Document(data), first(data)).buffer[:])


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_undone_by_itself(order: str) -> None:
    raw = bytes(range(8))
    for size in (2, 4, 8):
        assert ORDERS[order](ORDERS[order](raw[:size])) == raw[:size]


def test_every_rule_changes_something_that_no_other_one_does() -> None:
    some = order_rules()
    assert all(rule.on(ENGINE) not in (None, ENGINE) for rule in some)
    assert len({frozenset(rule.changes) for rule in some}) == len(some) == len({rule.slug for rule in some})


@pytest.mark.parametrize(
    ("order", "kinds", "named"),
    [
        ("halves", "q", "int64-words-swapped"),
        ("words", "d", "float64-bytes-of-words-swapped"),
        ("halves", "d", "float64-words-swapped"),
        ("halves", "qd", "numbers-of-64-bits-words-swapped"),
        ("halves", "f", "floats-halves-swapped"),
        ("pairs", "f", "floats-bytes-of-pairs-swapped"),
        ("big", "f", "floats-only-big-endian"),
        ("big", "d", "floats-of-eight-bytes-big-endian"),
    ],
)
def test_numbers_in_another_order_are_known_by_how_likely_they_become(order: str, kinds: str, named: str) -> None:
    data = OtherEncoder(ORDERS[order], kinds).encode(PACKET)
    assert first(data).name == named
    assert restored(data) == WrongEncoder(GODOT4).encode(PACKET)


@pytest.mark.parametrize(
    ("order", "named"),
    [("keys values", "keys-then-values"), ("values keys", "values-then-keys"), ("value key", "value-before-key")],
)
def test_keys_and_values_in_another_order_are_known_by_their_types(order: str, named: str) -> None:
    data = OtherEncoder(pair_order=order).encode(PACKET)
    assert first(data).name == named
    assert restored(data) == WrongEncoder(GODOT4).encode(PACKET)


def test_numbers_that_are_large_by_nature_are_nobodys_mistake() -> None:
    ids = ("Array", [("int", 0x4C1B_73A9_05E2_118F + 0x0123_4567_89AB * k) for k in range(12)])
    flags = ("Array", [("int", 1 << k) for k in range(34, 60)])
    accounts = ("Array", [("int", 76561198000000000 + 7919 * k) for k in range(6)])
    data = WrongEncoder(GODOT4).encode(pairs(("ids", ids), ("flags", flags), ("accounts", accounts)))
    assert not examine(Document(data)).repairs


def test_dictionaries_with_keys_of_two_types_are_nobodys_mistake() -> None:
    some = ("Dictionary", [(text("name"), text("map")), (("int", 3), ("float", 0.5)), (("int", 4), ("float", 1.5))])
    assert not examine(Document(WrongEncoder(GODOT4).encode(some))).repairs


def test_dictionaries_whose_values_repeat_or_are_keyed_by_numbers_are_nobodys_mistake() -> None:
    item = pairs(("id", ("int", 7)), ("name", text("lamp")), ("count", ("int", 3)), ("meta", ("Nil", None)))
    save = pairs(("version", ("int", 3)), ("owner", text("Ann")), ("items", ("Array", [item] * 6)))
    same = ("Dictionary", [(("int", key), ("int", key)) for key in range(20)])
    players = [(("int", 76561198000000000 + 7919 * key), pairs(("score", ("int", key * 37)))) for key in range(12)]
    for value in (("Array", [save] * 6), same, ("Dictionary", players)):
        data = WrongEncoder(GODOT4).encode(value)
        assert not examine(Document(data)).repairs
        assert not examine(Document(2 * (struct.pack("<I", len(data)) + data))).repairs


def test_large_numbers_in_a_list_are_nobodys_mistake() -> None:
    for numbers in ([(1 << 53) + k for k in range(-10, 10)], [k << 32 for k in range(1, 20)]):
        data = WrongEncoder(GODOT4).encode(("Array", [("int", number) for number in numbers]))
        assert not examine(Document(data)).repairs


def test_a_value_that_was_stored_twice_is_one_sign() -> None:
    nil = ("Nil", None)
    some = [(("int", 1), ("int", 4)), (text("b"), ("int", 2)), (("float", 3.5), text("c"))]
    keys = ("Dictionary", [*some, (nil, ("int", 5)), (text("z"), nil), (("int", 9), ("int", 9))])
    numbers = ("Array", [("int", (1 << 53) + k * k * 3 % 10 - 5) for k in range(20)])
    for value in (keys, numbers):
        data = WrongEncoder(GODOT4).encode(value)
        assert not examine(Document(2 * (struct.pack("<I", len(data)) + data))).repairs
