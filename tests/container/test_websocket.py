"""WebSocket: the handshake, frames and messages of both directions."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from corpus import capture_file, payloads

from viewer.base.span import Span
from viewer.container.capture import open_capture
from viewer.container.tcp_stream import TcpStreams
from viewer.container.websocket import (
    BEHIND_LOSS,
    COMPRESSED,
    OFFERED,
    UNFINISHED,
    Opcode,
    State,
    WebSocketMessage,
    WebSocketStream,
)
from viewer.container.wire import Delivery

ASK = b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
ANSWER = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\n\r\n"
LONGEST_LISTED = 4096
"""Longer payloads are left out of the list."""
KEY = b"\x01\x02\x03\x04"


def frame(data: bytes, first: int = 0x82, key: bytes = b"") -> bytes:
    """A frame as short as it can be written."""
    size = len(data)
    mask = 0x80 if key else 0
    head = bytes([first, mask | (size if size < 126 else 126 if size < 1 << 16 else 127)])
    wide = b"" if size < 126 else size.to_bytes(2 if size < 1 << 16 else 8, "big")
    return head + wide + key + (bytes(byte ^ key[at % 4] for at, byte in enumerate(data)) if key else data)


def messages(*pieces: bytes) -> list[WebSocketMessage]:
    """What a server sends behind its handshake."""
    stream = WebSocketStream()
    assert [message.opcode for message in stream.feed(ANSWER)] == [Opcode.HANDSHAKE]
    return [message for piece in pieces for message in stream.feed(piece)]


def captured(name: str, first: int = 0) -> dict[tuple[int, bool | None], list[WebSocketMessage]]:
    """The messages of every direction in a capture, without its *first* bytes."""
    streams = TcpStreams()
    sockets: dict[tuple[int, bool | None], WebSocketStream] = defaultdict(lambda: WebSocketStream(midway=bool(first)))
    found: dict[tuple[int, bool | None], list[WebSocketMessage]] = defaultdict(list)
    for one in open_capture(capture_file(name).read_bytes()):
        for chunk in streams.feed(one):
            way = chunk.connection, chunk.to_server
            if chunk.offset >= first:
                found[way] += sockets[way].feed(chunk.data, chunk.lost)
    return found


@pytest.mark.parametrize("name", ["websocket.pcap", "websocket.pcapng"])
def test_every_message_of_both_ends_comes_out_in_order(name: str) -> None:
    events = json.loads(capture_file(name).with_suffix(".json").read_text(encoding="utf-8"))["server"]
    for (_, to_server), found in captured(name).items():
        event = "received" if to_server else "sent"
        data = [message.data.hex() for message in found if message.opcode is Opcode.BINARY]
        assert data == [row["hex"] for row in events if row["event"] == event]


@pytest.mark.parametrize(("name", "count"), [("g3_ws_mp.pcap", 43), ("g4_ws.pcap", 177)])
def test_every_capture_opens_with_a_handshake_and_has_all_its_messages(name: str, count: int) -> None:
    found = captured(name)
    assert len(found) == 4
    assert {ways[0].opcode for ways in found.values()} == {Opcode.HANDSHAKE}
    assert sum(message.opcode is Opcode.BINARY for ways in found.values() for message in ways) == count
    assert all(message.note == "" for ways in found.values() for message in ways)


@pytest.mark.parametrize("name", ["websocket.pcap", "g3_ws_mp.pcap", "g4_ws.pcap"])
def test_the_messages_are_the_payloads_that_others_read(name: str) -> None:
    found = [message for ways in captured(name).values() for message in ways if message.opcode is Opcode.BINARY]
    known = [row["payload_hex"] for row in payloads() if row.get("file") == name]
    assert sorted(message.data.hex() for message in found if len(message.data) <= LONGEST_LISTED) == sorted(known)


@pytest.mark.parametrize("name", ["websocket.pcap", "g3_ws_mp.pcap", "g4_ws.pcap"])
def test_without_its_handshake_a_capture_has_the_same_messages(name: str) -> None:
    whole, cut = captured(name), captured(name, first=1)
    for way, found in whole.items():
        assert [message.data for message in cut[way]] == [message.data for message in found[1:]]


def test_a_masked_message_is_shown_as_it_was_meant() -> None:
    stream = WebSocketStream()
    stream.feed(ASK)
    found = stream.feed(frame(b"hello", key=KEY))[0]
    assert (found.data, found.masked, found.span) == (b"hello", True, Span(len(ASK), len(ASK) + 11))
    layer = found.layers[0]
    assert (layer.name, layer.data, layer.inside) == ("WebSocket", frame(b"hello", key=KEY), None)
    assert [part.name for part in layer.parts] == ["kind", "length", "mask", "masked bytes"]


def test_the_layer_of_a_message_without_a_mask_holds_its_bytes() -> None:
    layer = messages(frame(b"hello"))[0].layers[0]
    assert layer.inside == Span(2, 7)
    assert [(part.name, part.text) for part in layer.parts][:2] == [("kind", "binary, last part"), ("length", "5")]


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_lengths_of_all_three_widths_are_read(size: int) -> None:
    assert [len(message.data) for message in messages(frame(bytes(size)))] == [size]


def test_a_message_may_come_byte_by_byte() -> None:
    sent = frame(bytes(200)) + frame(b"")
    assert [len(message.data) for message in messages(*(sent[at : at + 1] for at in range(len(sent))))] == [200, 0]


def test_parts_come_together_around_a_ping() -> None:
    ping, text = messages(frame(b"he", 0x01), frame(b"!", 0x89), frame(b"ll", 0x00), frame(b"o", 0x80))
    assert (ping.opcode, ping.data, ping.delivery) == (Opcode.PING, b"!", Delivery.CONTROL)
    assert (text.opcode, text.data, text.delivery) == (Opcode.TEXT, b"hello", Delivery.WHOLE)
    assert len(text.layers[0].parts) == 9
    assert text.layers[0].inside is None


def test_a_compressed_message_is_given_raw_and_says_so() -> None:
    stream = WebSocketStream()
    answer = ANSWER[:-2] + b"Sec-WebSocket-Extensions: permessage-deflate; x\r\n\r\n"
    handshake, message = stream.feed(answer + frame(b"\xf2\x48", 0xC2))
    assert handshake.note == OFFERED
    assert (message.data, message.note) == (b"\xf2\x48", COMPRESSED)


@pytest.mark.parametrize(
    "sent",
    [
        b"\xb2\x00",
        b"\x83\x00",
        b"\x89\x7e\x00\x80",
        b"\x09\x00",
        b"\x80\x00",
        b"\x02\x00\x82\x00",
        b"\x82\x7f" + b"\xff" * 8,
    ],
)
def test_bytes_that_cannot_be_a_frame_end_the_reading(sent: bytes) -> None:
    stream = WebSocketStream()
    stream.feed(ANSWER)
    assert stream.feed(sent) == []
    assert stream.state is State.BROKEN
    assert stream.broken.endswith(".")
    assert stream.feed(frame(b"hello")) == []


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 400 Bad\r\n\r\n", b"GET /" + bytes(1 << 16)]
)
def test_what_is_no_handshake_is_foreign(sent: bytes) -> None:
    stream = WebSocketStream()
    assert stream.feed(sent) == []
    assert stream.state is State.FOREIGN


def test_a_handshake_may_come_in_pieces() -> None:
    stream = WebSocketStream()
    found = [message for at in range(0, len(ASK), 7) for message in stream.feed(ASK[at : at + 7])]
    assert [(message.data, message.delivery) for message in found] == [(ASK, Delivery.CONTROL)]
    assert [part.name for part in found[0].layers[0].parts] == ["line", "Host", "Upgrade", "Connection"]


def test_the_message_before_a_loss_is_incomplete_and_the_next_frame_is_found() -> None:
    stream = WebSocketStream()
    stream.feed(ANSWER + frame(b"hello")[:4])
    cut = stream.feed(b"of something", lost=10)
    assert [(message.data, message.delivery, message.note) for message in cut] == [
        (b"he", Delivery.INCOMPLETE, UNFINISHED)
    ]
    stream.feed(frame(b"again"))
    found = stream.feed(frame(b"and on"))
    assert [(message.data, message.note) for message in found] == [(b"again", BEHIND_LOSS), (b"and on", "")]


def test_the_rest_of_a_message_whose_beginning_was_lost_is_incomplete() -> None:
    stream = WebSocketStream()
    stream.feed(ANSWER)
    rest = stream.feed(frame(b"rest", 0x80) + frame(b"next"), lost=10)
    assert [(message.data, message.delivery) for message in rest] == [
        (b"rest", Delivery.INCOMPLETE),
        (b"next", Delivery.WHOLE),
    ]


def test_the_message_that_a_stream_ends_in_is_incomplete() -> None:
    stream = WebSocketStream()
    stream.feed(ANSWER + frame(b"he", 0x02) + frame(b"llo", 0x80)[:3])
    assert [(message.data, message.fin) for message in stream.finish()] == [(b"hel", False)]


def test_midway_one_frame_alone_is_not_believed() -> None:
    stream = WebSocketStream(midway=True)
    assert stream.feed(frame(b"hello")) == []
    assert stream.state is State.SEEKING


def test_midway_frames_that_never_end_where_their_bytes_do_are_believed_in_the_end() -> None:
    sent = frame(b"hello") * 20
    stream = WebSocketStream(midway=True)
    assert [message.data for at in range(0, 69, 23) for message in stream.feed(sent[at : at + 23])] == [b"hello"] * 9


def test_midway_other_bytes_are_stepped_over() -> None:
    stream = WebSocketStream(midway=True)
    assert stream.feed(b"\xff\xff the end of something") == []
    found = stream.feed(frame(b"a", key=KEY) + frame(b"b", key=KEY))
    assert [(message.data, message.span.start) for message in found] == [(b"a", 23), (b"b", 30)]


def test_a_message_too_long_to_believe_ends_the_reading() -> None:
    stream = WebSocketStream(most=100)
    stream.feed(ANSWER)
    assert stream.feed(frame(bytes(60), 0x02) + frame(bytes(60), 0x80)) == []
    assert stream.broken == "A WebSocket message says it is longer than 100 bytes."
