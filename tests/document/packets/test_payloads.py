"""Every payload that real engines sent: all of it is explained, and says what the engine sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from document.packets.payloads import conversations, expected_values, explained, flat, same, sample, texts, values

from viewer.document.pieces.message import Message, Protocol, leaves

CONVERSATIONS = conversations()
EXPECTED = ("not a variant", "full_objects")
"""What a game sends on purpose, and what an engine still does not take by default."""
KINDS = {
    "REMOTE_CALL": "call",
    "REMOTE_SET": "set",
    "SIMPLIFY_PATH": "simplify path",
    "CONFIRM_PATH": "confirm path",
    "RAW": "raw",
    "SPAWN": "spawn",
    "DESPAWN": "despawn",
    "SYNC": "sync",
    "DELTA": "delta",
    "SYS/ADD_PEER": "add peer",
    "SYS/DEL_PEER": "remove peer",
    "SYS_ADD_PEER": "add peer",
    "SYS_REMOVE_PEER": "remove peer",
    "WS_SYS_ID": "your id",
    "WS_SYS_ADD": "add peer",
    "WS_SYS_DEL": "remove peer",
    "WS_PEER_ID": "your id",
}
PROTOCOLS = {
    "godot3-rpc": Protocol.GODOT3,
    "godot3-enet": Protocol.GODOT3,
    "godot3-enet12": Protocol.GODOT3,
    "pandemonium-enet": Protocol.GODOT3,
    "godot4-multiplayer": Protocol.GODOT4,
    "length32": Protocol.STREAM_VALUE,
}


@pytest.fixture(params=CONVERSATIONS, scope="module")
def conversation(request: pytest.FixtureRequest) -> list[tuple[dict[str, Any], Message]]:
    return list(explained(CONVERSATIONS[request.param]))


def test_pieces_tile_the_payload(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        spans = [piece.span for piece in message.pieces]
        assert [span.start for span in spans] + [len(sample(row).data)] == [0, *(span.end for span in spans)], row
        fine = [piece.span for piece in leaves(message.pieces)]
        assert [span.start for span in fine] + [len(sample(row).data)] == [0, *(span.end for span in fine)], row


def test_nothing_is_wrong_with_what_an_engine_sent(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    wrong = [(row["what"], message.sentence) for row, message in conversation if message.sentence]
    assert [what for what, _ in wrong if not any(word in what for word in EXPECTED)] == []


def test_every_value_is_found(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        ours = values(message, sample(row).data)
        expected = expected_values(row)
        assert len(ours) == len(expected), row
        assert all(map(same, ours, expected)), (row, ours)


def test_protocol_is_recognised(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        expected = next((PROTOCOLS[layer] for layer in row["layers"] if layer in PROTOCOLS), Protocol.VALUE)
        if "websocket" in row["layers"] and row["scenario"].startswith("g3"):
            expected = Protocol.GODOT3_WEBSOCKET
        if row["layers"][-1] == "godot3-enet-sys":
            expected = Protocol.GODOT3
        assert message.protocol is expected, row


def test_sender_and_receiver_are_those_of_the_header(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        if "source" in row and "SYS_" not in row["what"]:
            assert (message.sender, message.receiver) == (row["source"], row["target"]), row


def test_kind_is_what_was_sent(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        outer, _, inner = row["what"].partition(" > ")
        word = (inner or outer).split(" ")[0]
        if word in KINDS:
            assert message.kind == ("relayed " if inner else "") + KINDS[word], row


def test_path_method_and_ids_are_told(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        found = texts(message)
        path = re.search(r"path=(\S+)", row["what"])
        name = re.match(r"REMOTE_(?:CALL|SET) (\w+) path", row["what"])
        if path and "mp" not in row["layers"]:
            assert path[1] in " ".join((found.get("node", ""), found.get("path", ""), found.get("id", ""))), row
        if name:
            assert name[1] in (found.get("method"), found.get("property")), row
        packet = row.get("packet", {})
        packet = packet.get("inner", packet)
        if "method_id" in packet:
            assert f"method {packet['method_id']}" in found["method"], row
        if "node_id" in packet:
            assert str(packet["node_id"]) in found.get("node", found.get("id", "")), row
        if "md5" in packet:
            assert found["method list"] == packet["md5"], row


def test_replication_tells_its_net_ids_names_and_masks(conversation: list[tuple[dict[str, Any], Message]]) -> None:
    for row, message in conversation:
        packet = row.get("packet", {})
        pieces = [piece for piece in flat(message.pieces) if piece.name in ("net id", "mask")]
        if packet.get("cmd") == "SPAWN":
            assert (texts(message)["name"], texts(message)["net id"]) == (packet["name"], str(packet["net_id"]))
        wanted = []
        for item in packet.get("items", ()):
            wanted.append(str(item["net_id"] & 0x7FFFFFFF))
            wanted += [f"0x{item['mask']:X}"] if "mask" in item else []
        if wanted:
            assert len(pieces) == len(wanted)
            assert all(text in piece.text for text, piece in zip(wanted, pieces, strict=True)), row
