"""Godot 3's packets, where they are not as an engine sends them, and those of its relatives."""

from __future__ import annotations

import pytest
from document.packets.payloads import texts

from viewer.base.diagnostic import Severity
from viewer.document.packets.conversation import Flow, PayloadSample, explain
from viewer.document.pieces.message import FieldRole, Message, Protocol
from viewer.variant.dialect import load

HEADER = "05000000 01000000"
SIMPLIFY = f"{HEADER} 02 01000000 4d61696e00"
CALL = f"{HEADER} 00 01000000 68697400 02 02000000 07000000 04000000 03000000 61626300"
ENET = "ENet reliable"


def _read(*payloads: str, engine: str | None = "godot3", channel: int = 1, carrier: str = ENET) -> Message:
    """The last of some payloads of a client, explained after the others."""
    flow = Flow(engine=engine)
    samples = [PayloadSample(bytes.fromhex(payload), False, carrier, channel) for payload in payloads]
    flow.learn(samples)
    return [flow.explain(each) for each in samples][-1]


def test_call_is_told_with_path_method_and_arguments() -> None:
    message = _read(SIMPLIFY, CALL)
    assert message.summary == 'Main.hit(7, "abc")'
    assert (message.protocol, message.kind, message.sender, message.receiver) == (Protocol.GODOT3, "call", 5, 1)
    assert message.dialect is load("godot3")


def test_call_whose_path_was_not_captured_says_so() -> None:
    message = _read(CALL)
    assert message.summary == 'node 1.hit(7, "abc")'
    assert texts(message)["node"] == "1 (path not captured)"


def test_paths_belong_to_their_sender() -> None:
    other = SIMPLIFY.replace("05000000", "06000000").replace("4d61696e", "4f746872")
    assert _read(SIMPLIFY, other, CALL).summary.startswith("Main.hit(")


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("00000000", "0 (all)"),
        ("01000000", "1 (server)"),
        ("07000000", "7"),
        ("f9ffffff", "-7 (all but 7)"),
        ("ffffffff", "-1 (all but the server)"),
    ],
)
def test_target_is_told_in_words(target: str, text: str) -> None:
    message = _read(SIMPLIFY.replace("01000000", target, 1))
    assert texts(message)["target"] == text


def test_bytes_behind_the_last_argument_are_ignored() -> None:
    message = _read(SIMPLIFY, CALL, f"{CALL} 0102")
    assert (message.severity, message.kind) == (Severity.WARNING, "call")
    assert (message.pieces[-1].name, message.pieces[-1].role) == ("ignored", FieldRole.OPAQUE)


def test_broken_argument_is_an_error_that_says_where() -> None:
    message = _read(SIMPLIFY, CALL, CALL.replace("04000000 03000000", "04000000 ff000000"))
    assert message.severity is Severity.ERROR
    assert message.sentence.startswith("In argument 2, at byte 30: This text says it is 255 bytes long")


def test_call_with_fewer_arguments_than_its_count_is_an_error() -> None:
    message = _read(SIMPLIFY, CALL, CALL.replace("00 02 02", "00 03 02"))
    assert (message.severity, message.kind) == (Severity.ERROR, "call")
    assert message.sentence.startswith("In argument 3, at byte 38:")


def test_name_without_its_end_is_an_error() -> None:
    message = _read(SIMPLIFY, f"{HEADER} 00 01000000 686974")
    assert message.sentence == "At byte 13: the method's name has no NUL at its end."


def test_path_beyond_the_end_is_an_error() -> None:
    message = _read(SIMPLIFY, f"{HEADER} 00 ff000080 68697400 00")
    assert message.severity is Severity.ERROR
    assert "should begin at byte 263" in message.sentence


def test_kind_that_does_not_exist_is_an_error_and_its_bytes_stay() -> None:
    message = _read(SIMPLIFY, CALL, f"{HEADER} 09 0102")
    assert message.sentence == "At byte 8: kind 9 does not exist; the kinds are 0 to 4."
    assert message.pieces[-1].role is FieldRole.OPAQUE


def test_system_channel_tells_who_came_and_went() -> None:
    assert _read("00000000 8cff5709", channel=0).summary == "add peer 156761996"
    assert _read("01000000 8cff5709", channel=0).summary == "remove peer 156761996"


def test_old_header_has_flags() -> None:
    message = _read(CALL.replace(HEADER, f"{HEADER} 01000000"), engine=None)
    assert texts(message)["flags"] == "1 (reliable)"
    assert message.summary == 'node 1.hit(7, "abc")'


def test_pandemonium_numbers_its_packets_without_set() -> None:
    message = _read(f"{HEADER} 01 01000000 4d61696e00", f"{HEADER} 02 4d61696e00", engine=None)
    assert (message.kind, message.summary) == ("confirm path", "Main")


def test_bare_value_on_the_peer_follows_the_header() -> None:
    values = [f"{HEADER} 04000000 03000000 61626300", f"{HEADER} 02000000 05000000"]
    message = _read(*values)
    assert (message.protocol, message.kind, message.summary) == (Protocol.GODOT3, "int", "5")
    assert [piece.name for piece in message.pieces] == ["source", "target", "value"]


def test_raw_bytes_of_a_game_are_no_error() -> None:
    message = _read(f"{HEADER} 99887766", f"{HEADER} 55443322 11")
    assert (message.kind, message.severity) == ("bytes", None)


def test_person_may_fix_protocol_and_dialect() -> None:
    flow = Flow(protocol=Protocol.GODOT3, dialect=load("pandemonium5"))
    message = explain(bytes.fromhex(f"{HEADER} 01 01000000 4d61696e00"), flow, False, ENET, 1)
    assert (message.kind, flow.reading.dialect.key) == ("simplify path", "pandemonium5")


def test_websocket_names_its_message() -> None:
    message = _read("03 01000000 00000000 7bc57910", carrier="WebSocket", engine=None)
    assert (message.protocol, message.summary) == (Protocol.GODOT3_WEBSOCKET, "your id 276415867")
