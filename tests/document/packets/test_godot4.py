"""Godot 4 multiplayer: calls, paths, raw bytes, and the short forms of values."""

from __future__ import annotations

import pytest
from document.packets.payloads import flat, texts

from viewer.base.diagnostic import Severity
from viewer.document.packets.conversation import Flow, PayloadSample
from viewer.document.packets.godot4 import CompressedError, decode, encode
from viewer.document.pieces.message import FieldRole, Message, Protocol
from viewer.variant.dialect import load

EMPTY_SUM = "64343164386364393866303062323034653938303039393865636638343237 6500".replace(" ", "")
SIMPLIFY = f"01 {EMPTY_SUM} 01000000 4d61696e00"
SPAWN = "04 00 01000000 0b000000 01000000 06000000 0c000000 416c70686100 02 4d"


def _read(*payloads: str, from_server: bool | None = True, dialect: str = "godot4") -> Message:
    """The last of some payloads, explained after the others."""
    flow = Flow(protocol=Protocol.GODOT4, dialect=load(dialect), client=7)
    samples = [PayloadSample(bytes.fromhex(payload), from_server, "ENet reliable", 0) for payload in payloads]
    return [flow.explain(each) for each in samples][-1]


def test_simplify_path_is_learnt() -> None:
    message = _read(SIMPLIFY, "00 01 02 01 0205")
    assert (message.summary, message.sender, message.receiver) == ("Main.method 2(5)", 1, 7)
    assert texts(message)["node"] == "1 = Main"


@pytest.mark.parametrize(
    ("raw", "node", "method"),
    [
        ("00 01 02 00", "1 (path not captured)", "method 2"),
        ("10 2c01 02 00", "300 (path not captured)", "method 2"),
        ("20 70110100 02 00", "70000 (path not captured)", "method 2"),
        ("40 01 2c01 00", "1 (path not captured)", "method 300"),
        ("40 01 0180 00", "1 (path not captured)", "rpc_config method 1"),
        ("20 07000080 02 00 4d61696e00", "path at 7 = Main", "method 2"),
    ],
)
def test_call_has_ids_of_every_width(raw: str, node: str, method: str) -> None:
    message = _read(raw)
    assert message.severity is None
    assert (texts(message)["node"], texts(message)["method"]) == (node, method)


@pytest.mark.parametrize(("raw", "arguments"), [("80 01 02", "()"), ("80 01 02 0102", "(PackedByteArray(01 02))")])
def test_raw_call_has_one_array_of_bytes_or_nothing(raw: str, arguments: str) -> None:
    assert _read(raw).summary == f"node 1.method 2{arguments}"


def test_short_argument_tells_its_form() -> None:
    argument = next(piece for piece in _read("00 01 02 01 42 2c01").pieces if piece.name == "argument 1")
    assert (argument.role, argument.text, argument.children[0].text) == (FieldRole.COMPRESSED, "300", "int, 16 bits")


def test_ordinary_argument_is_a_value() -> None:
    message = _read("00 01 02 01 04000000 03000000 61626300")
    assert [piece.text for piece in message.pieces if piece.role is FieldRole.VALUE] == ['"abc"']


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("30 01 02 00", "At byte 0: the command says that node ids have size 3, which does not exist."),
        ("00 01 02 01 44000000 00000000", "At byte 4: argument 1 has the type byte 0x44; only int and bool may"),
        ("00 01 02 02 0205", "At byte 6: argument 2 should begin here, but nothing is left."),
        ("00 01 02 01 8205", "In argument 1, at byte 4: this int needs 4 bytes after its first one, but only 1"),
        ("00 01 02 01 3f000000", "In argument 1, at byte 4: Type number 63 does not exist in Godot 4"),
        ("20 ff000080 02 00", "At byte 1: the node's path should begin at byte 255"),
        ("07 09", "At byte 1: system message 9 does not exist; there are 0 to 3."),
        ("04 00 01000000 0b000000 ffffffff 06000000", "At byte 18: 17179869186 bytes for synchronizers and name"),
        ("06 0100 01000000 ff000000 0205", "At byte 11: the item needs 255 bytes, but only 2 are left."),
        ("16 01000000 0300000000000000 02000000 0205", "At byte 19: the mask names 2 properties, but no value is left"),
        ("16 01000000 0100000000000000 03000000 020500", "At byte 19: 1 byte follows the values that the mask names"),
        ("16 01000000 0100000000000000 04000000 0205 0206", "At byte 19: 2 bytes follow the values that the mask"),
        ("01 6162", "At byte 1: the rest of it needs 38 bytes, but only 2 are left."),
        ("07 03 05000000 07 01 05000000", "At byte 6: a system message cannot be relayed."),
    ],
)
def test_what_an_engine_refuses_is_an_error_that_says_where(raw: str, sentence: str) -> None:
    message = _read(raw)
    assert message.severity is Severity.ERROR
    assert message.sentence.startswith(sentence)


def test_confirm_path_is_a_number_since_4_3() -> None:
    message = _read("02 01 01000000", from_server=False)
    assert (texts(message)["id"], texts(message)["methods match"]) == ("1 (path not captured)", "1 (yes)")


def test_confirm_path_was_a_path_before() -> None:
    message = _read("02 00 4d61696e00", dialect="godot4.0")
    assert message.summary == "Main, but the method lists differ"


def test_path_of_three_characters_is_no_number() -> None:
    assert texts(_read("02 01 48756400", dialect="godot4.0"))["path"] == "Hud"


def test_spawned_nodes_give_their_names_to_later_packets() -> None:
    assert _read(SPAWN, "06 2600 0c000000 02000000 024d").summary == "#38 Alpha, synchronizer 1: 77"
    assert _read(SPAWN, "05 0b000000").summary == "Alpha is gone"


def test_custom_spawn_has_the_value_of_its_function() -> None:
    message = _read("04 ff 03000000 03000000 00000000 02000000 4100 02000000 0205")
    assert message.summary == "node 3 spawns A(5)"
    assert texts(message)["spawn data"] == "5"


def test_delta_counts_properties_by_its_mask() -> None:
    message = _read("16 0d000000 0100000000000080 0e000000 0205 04000000 01000000 78000000")
    assert message.summary == 'net id 13: 0 = 5, 63 = "x"'


def test_relay_names_the_source_from_the_server_and_the_target_to_it() -> None:
    relayed = "07 03 09000000 80 01 03"
    back, forth = _read(relayed), _read(relayed, from_server=False)
    assert (back.sender, back.receiver, back.kind) == (9, 7, "relayed call")
    assert (forth.sender, forth.receiver) == (7, 9)


def test_relayed_paths_belong_to_the_real_sender() -> None:
    others = _read(SIMPLIFY, f"07 03 09000000 {SIMPLIFY.replace('4d61696e', '4f746872')}", "80 01 03")
    assert others.summary == "Main.method 3()"


def test_path_in_a_relayed_call_counts_from_the_packet_inside() -> None:
    message = _read("07 03 87d61200 20 09000080 02 01 0201 4d61696e00")
    assert message.summary == "from 1234567: Main.method 2(1)"


def test_relayed_packet_is_there_piece_by_piece() -> None:
    packet = _read("07 03 09000000 80 01 03").pieces[-1]
    assert [piece.name for piece in packet.children] == ["command", "node", "method"]


def test_auth_without_bytes_is_the_end_of_it() -> None:
    assert [_read("07 00").summary, _read("07 00 6162").summary] == ["auth is done", "auth: 61 62"]


def test_relays_inside_relays_are_not_followed() -> None:
    message = _read("07 03 09000000" * 1000)
    assert len(list(flat(message.pieces))) < 10


FORMS = [
    (False, "01", "bool"),
    (True, "81", "bool"),
    (0, "02 00", "int, 8 bits"),
    (-128, "02 80", "int, 8 bits"),
    (127, "02 7f", "int, 8 bits"),
    (128, "42 80 00", "int, 16 bits"),
    (-32768, "42 00 80", "int, 16 bits"),
    (-32769, "82 ff 7f ff ff", "int, 32 bits"),
    (2147483647, "82 ff ff ff 7f", "int, 32 bits"),
    (2147483648, "c2 00 00 00 80 00 00 00 00", "int, 64 bits"),
    (-(1 << 63), "c2 00 00 00 00 00 00 00 80", "int, 64 bits"),
]


@pytest.mark.parametrize(("value", "raw", "form"), FORMS)
def test_short_form_is_read(value: bool | int, raw: str, form: str) -> None:
    data = bytes.fromhex(raw)
    short = decode(data, 0, len(data))
    assert short is not None
    assert (short.value, type(short.value), short.size, short.form) == (value, type(value), len(data), form)


@pytest.mark.parametrize(("value", "raw", "form"), FORMS)
def test_smallest_form_is_written(value: bool | int, raw: str, form: str) -> None:
    assert encode(value).hex(" ") == raw


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_any_width_can_be_written_and_read(size: int) -> None:
    data = encode(-5, size)
    short = decode(data, 0, len(data))
    assert short is not None
    assert (short.value, short.size, len(data)) == (-5, 1 + size, 1 + size)


@pytest.mark.parametrize(
    ("value", "size"), [(128, 1), (-32769, 2), (1 << 31, 4), (1 << 63, 8), (1 << 63, None), (1, 3)]
)
def test_number_that_does_not_fit_is_refused(value: int, size: int | None) -> None:
    with pytest.raises(CompressedError):
        encode(value, size)


@pytest.mark.parametrize("raw", ["02", "42 00", "82 00 00 00", "c2 00 00 00 00 00 00 00"])
def test_cut_number_is_refused(raw: str) -> None:
    data = bytes.fromhex(raw)
    with pytest.raises(CompressedError):
        decode(data, 0, len(data))


def test_other_types_have_no_short_form() -> None:
    assert decode(bytes.fromhex("04000000 00000000"), 0, 8) is None
