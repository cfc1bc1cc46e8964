"""TCP: segments into streams, whatever became of them on their way."""

from __future__ import annotations

import json

import pytest
from corpus import capture_file, payloads
from wires import ethernet, ipv4, pcap, tcp

from viewer.base.record import replace
from viewer.container import tcp_stream
from viewer.container.capture import open_capture
from viewer.container.tcp_stream import Chunk, TcpStreams
from viewer.container.wire import Captured

FIN, SYN, RST, ACK = 1, 2, 4, 16
START = 0xFFFFFFF0
"""The sequence number of the SYN: the number wraps within the first bytes."""
LONGEST_LISTED = 4096
"""Longer payloads are left out of the list."""
Step = tuple[int, bytes] | tuple[int, bytes, int]


def segments(*steps: Step, missing: int = 0) -> list[Captured]:
    """Segments of one direction: offset from the first byte, bytes, flags."""
    frames = [tcp(data, START + 1 + offset, *flags) for offset, data, *flags in steps]
    found = list(open_capture(pcap([ethernet(ipv4(frame, protocol=6)) for frame in frames])))
    return [replace(one, missing=missing) for one in found]


def stream(*steps: Step) -> list[tuple[int, bytes, int]]:
    """Offset, bytes and loss of all that comes out, the end of the capture included."""
    streams = TcpStreams()
    chunks = [chunk for one in segments(*steps) for chunk in streams.feed(one)] + streams.finish()
    return [(chunk.offset, chunk.data, chunk.lost) for chunk in chunks if chunk.data]


def chunks_of(name: str) -> list[Chunk]:
    streams = TcpStreams()
    found = [chunk for one in open_capture(capture_file(name).read_bytes()) for chunk in streams.feed(one)]
    return found + streams.finish()


def blocks(data: bytes) -> list[tuple[int, bytes]]:
    """Where each block of a whole stream begins, and its bytes, the length in front included."""
    found, at = [], 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "little")
        found.append((at, data[at:end]))
        at = end
    return found


@pytest.mark.parametrize("name", ["tcp_packetpeerstream_mtu1500.pcap", "tcp_packetpeerstream_mtu1500.pcapng"])
@pytest.mark.parametrize(("to_server", "way"), [(True, "c2s"), (False, "s2c")])
def test_every_value_that_was_sent_is_a_block_of_its_stream(name: str, to_server: bool, way: str) -> None:
    path = capture_file(name)
    sent = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["sent"]
    data = b"".join(chunk.data for chunk in chunks_of(name) if chunk.to_server is to_server)
    assert [(start, len(block)) for start, block in blocks(data)] == [
        (row["stream_offset"], row["stream_bytes"]) for row in sent if row["dir"] == way
    ]


@pytest.mark.parametrize("name", ["tcp_packetpeerstream_mtu1500.pcap", "g4_put_var.pcap"])
def test_the_blocks_are_the_payloads_that_others_read(name: str) -> None:
    streams: dict[tuple[int, bool], bytes] = {}
    for chunk in chunks_of(name):
        key = chunk.connection, chunk.to_server
        streams[key] = streams.get(key, b"") + chunk.data
    found = [block for data in streams.values() for _, block in blocks(data)]
    known = [row["payload_hex"] for row in payloads() if row.get("file") == name and "tcp" in row["layers"]]
    assert sorted(block.hex() for block in found if len(block) <= LONGEST_LISTED) == sorted(known)


def test_segments_in_order_come_at_once_across_the_wrap_of_numbers() -> None:
    assert stream((-1, b"", SYN), (0, b"a" * 20), (20, b"b" * 20)) == [(0, b"a" * 20, 0), (20, b"b" * 20, 0)]


def test_a_segment_too_early_waits_for_the_one_before() -> None:
    assert stream((-1, b"", SYN), (2, b"cd"), (4, b"ef"), (0, b"ab")) == [(0, b"ab", 0), (2, b"cd", 0), (4, b"ef", 0)]


def test_bytes_sent_again_are_given_once() -> None:
    steps = (-1, b"", SYN), (0, b"ab"), (0, b"ab"), (0, b"abcd"), (3, b"de"), (1, b"bc")
    assert stream(*steps) == [(0, b"ab", 0), (2, b"cd", 0), (4, b"e", 0)]


def test_a_gap_is_skipped_at_the_end_and_its_size_told() -> None:
    assert stream((-1, b"", SYN), (0, b"ab"), (10, b"cd"), (20, b"ef")) == [
        (0, b"ab", 0),
        (10, b"cd", 8),
        (20, b"ef", 8),
    ]


def test_a_gap_is_skipped_once_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp_stream, "MOST_WAITING", 3 * (100 + tcp_stream.SEGMENT_COST) - 1)
    streams = TcpStreams()
    given = [
        len(streams.feed(one)) for one in segments((-1, b"", SYN), *((at * 100, b"x" * 100) for at in range(1, 5)))
    ]
    assert given == [0, 0, 0, 3, 1]


def test_a_capture_that_begins_later_begins_with_its_first_bytes() -> None:
    assert stream((5000, b"ab"), (5002, b"cd")) == [(0, b"ab", 0), (2, b"cd", 0)]


def test_a_sign_of_life_before_the_first_bytes_is_no_loss() -> None:
    assert stream((4999, b""), (5000, b"ab")) == [(0, b"ab", 0)]


def test_bytes_that_the_capture_cut_off_are_lost() -> None:
    streams = TcpStreams()
    cut, after = segments((0, b"ab", SYN), (12, b"cd"))
    first = streams.feed(replace(cut, missing=9))
    assert [(chunk.data, chunk.lost) for chunk in first + streams.feed(after)] == [(b"ab", 0), (b"cd", 9)]


def test_the_end_is_told_once_and_behind_the_bytes() -> None:
    streams = TcpStreams()
    found = [streams.feed(one) for one in segments((-1, b"", SYN), (2, b"cd", FIN), (0, b"ab"), (2, b"cd", FIN))]
    assert [[(chunk.data, chunk.ended) for chunk in chunks] for chunks in found] == [
        [],
        [],
        [(b"ab", False), (b"cd", False), (b"", True)],
        [],
    ]


def test_a_reset_gives_what_waited_and_ends() -> None:
    streams = TcpStreams()
    found = [chunk for one in segments((-1, b"", SYN), (4, b"ef"), (6, b"", RST)) for chunk in streams.feed(one)]
    assert [(chunk.data, chunk.lost, chunk.ended) for chunk in found] == [(b"ef", 4, False), (b"", 0, True)]


def test_ports_used_again_make_another_connection() -> None:
    streams = TcpStreams()
    steps = (-1, b"", SYN), (0, b"ab", FIN), (70_000, b"", SYN), (70_001, b"cd")
    found = [chunk for one in segments(*steps) for chunk in streams.feed(one)]
    assert [(chunk.connection, chunk.offset, chunk.data) for chunk in found if chunk.data] == [
        (0, 0, b"ab"),
        (1, 0, b"cd"),
    ]


def test_a_syn_sent_again_changes_nothing() -> None:
    assert stream((-1, b"", SYN), (0, b"ab"), (-1, b"", SYN), (2, b"cd")) == [(0, b"ab", 0), (2, b"cd", 0)]


def test_who_answers_the_syn_is_the_server() -> None:
    streams = TcpStreams()
    answer = ethernet(ipv4(tcp(b"", 7, SYN | ACK), protocol=6))
    data = ethernet(ipv4(tcp(b"ab", 8), protocol=6))
    found = [chunk for one in open_capture(pcap([answer, data])) for chunk in streams.feed(one)]
    assert [chunk.to_server for chunk in found] == [False]


def test_without_a_syn_nobody_knows_who_is_the_server() -> None:
    streams = TcpStreams()
    assert [chunk.to_server for one in segments((0, b"ab")) for chunk in streams.feed(one)] == [None]


def test_very_many_connections_are_forgotten_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp_stream, "MOST_CONNECTIONS", 10)
    streams = TcpStreams()
    frames = [ethernet(ipv4(tcp(b"ab", 5, ports=(port, 80)), protocol=6)) for port in range(1, 31)]
    frames += [ethernet(ipv4(tcp(b"cd", 9, ports=(port, 80)), protocol=6)) for port in range(21, 31)]
    found = [chunk for one in open_capture(pcap(frames)) for chunk in streams.feed(one)]
    assert len(found) == 30
    assert [chunk.lost for chunk in streams.finish()] == [2] * 10
