"""Live traffic: what is recorded on a port and between two programs, and that it ends when it should."""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise

import pytest

from viewer.container.capture import open_capture
from viewer.container.wire import Captured, Endpoint, Transport
from viewer.document.packets.live import MOST_CLIENTS, Inbox, LiveError, Proxy, Recorder, bound, send_udp
from viewer.document.packets.packet_source import write_capture

INT_42 = bytes.fromhex("02000000 2a000000")
ABC = bytes.fromhex("04000000 03000000 61626300")
LOOPBACK = "127.0.0.1"
SECONDS = 10.0


def fetched(inbox: Inbox, count: int) -> list[Captured]:
    """The first *count* records, when they are there."""
    found: list[Captured] = []
    end = time.monotonic() + SECONDS
    while len(found) < count and time.monotonic() < end:
        inbox.wait(0.2)
        found += inbox.drain()
    return found


@contextmanager
def client() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind((LOOPBACK, 0))
        made.settimeout(SECONDS)
        yield made


@contextmanager
def echo(answer: Callable[[bytes], bytes]) -> Iterator[Endpoint]:
    """A server that answers every datagram."""
    with client() as server:

        def run() -> None:
            with suppress(OSError):
                while True:
                    data, sender = server.recvfrom(1 << 16)
                    if not data:
                        return
                    server.sendto(answer(data), sender)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield Endpoint(*server.getsockname())
        finally:
            with client() as ender:
                ender.sendto(b"", server.getsockname())
            thread.join()


def test_a_recorder_hears_what_is_sent_to_its_port() -> None:
    with Recorder(0) as recorder, client() as sender:
        sender.sendto(INT_42, (LOOPBACK, recorder.address.port))
        (found,) = fetched(recorder.inbox, 1)
        assert (found.number, found.data, found.transport) == (1, INT_42, Transport.UDP)
        assert (found.source, found.target) == (Endpoint(*sender.getsockname()), recorder.address)


def test_a_recorder_hears_over_ipv6() -> None:
    with Recorder(0, "::1") as recorder:
        send_udp(ABC, "::1", recorder.address.port)
        (found,) = fetched(recorder.inbox, 1)
        assert (found.data, found.target.host, found.source.host) == (ABC, "::1", "::1")


def test_records_come_in_order_and_are_numbered() -> None:
    with Recorder(0, first=7) as recorder, client() as sender:
        for number in range(100):
            sender.sendto(bytes([number]), (LOOPBACK, recorder.address.port))
        found = fetched(recorder.inbox, 100)
        assert [each.data[0] for each in found] == list(range(100))
        assert [each.number for each in found] == list(range(7, 107))
        assert recorder.number == 107
        assert all(first.time <= then.time for first, then in pairwise(found))


def test_the_longest_datagram_arrives_whole() -> None:
    data = bytes(65_507)
    with Recorder(0) as recorder:
        send_udp(data, LOOPBACK, recorder.address.port)
        assert fetched(recorder.inbox, 1)[0].data == data


def test_a_flood_is_bounded_and_the_newest_stay() -> None:
    with Recorder(0, inbox=Inbox(most_packets=50)) as recorder, client() as sender:
        for number in range(2000):
            sender.sendto(number.to_bytes(2, "little"), (LOOPBACK, recorder.address.port))
        end = time.monotonic() + SECONDS
        while recorder.inbox.counts.heard < 50 and time.monotonic() < end:
            recorder.inbox.wait(0.1)
        recorder.stop()
        counts = recorder.inbox.counts
        found = recorder.inbox.drain()
        assert counts.waiting == len(found) <= 50
        assert counts.heard == counts.dropped + counts.waiting
        assert [each.number for each in found] == list(range(counts.dropped + 1, counts.heard + 1))


def test_an_inbox_is_bounded_in_bytes() -> None:
    inbox = Inbox(most_bytes=100)
    ends = Endpoint(LOOPBACK, 1), Endpoint(LOOPBACK, 2)
    inbox.put([Captured(number, 0, *ends, Transport.UDP, bytes(40)) for number in range(1, 6)])
    assert [each.number for each in inbox.drain()] == [4, 5]
    assert (inbox.counts.heard, inbox.counts.dropped, inbox.counts.waiting) == (5, 3, 0)


def test_an_inbox_is_drained_in_parts() -> None:
    inbox = Inbox()
    ends = Endpoint(LOOPBACK, 1), Endpoint(LOOPBACK, 2)
    inbox.put([Captured(number, 0, *ends, Transport.UDP, b"") for number in range(5)])
    assert [[each.number for each in inbox.drain(3)] for _ in range(3)] == [[0, 1, 2], [3, 4], []]


def test_stopping_frees_the_port_and_ends_the_thread() -> None:
    recorder = Recorder(0)
    recorder.stop()
    recorder.stop()
    assert not recorder.is_running
    with Recorder(recorder.address.port) as again:
        assert again.is_running


def test_a_port_in_use_is_one_sentence() -> None:
    with Recorder(0) as recorder, pytest.raises(LiveError, match="already listens") as told:
        Recorder(recorder.address.port)
    assert recorder.address.label in str(told.value)


def test_an_address_of_another_machine_is_one_sentence() -> None:
    with pytest.raises(LiveError, match="does not have the address"):
        Recorder(0, "192.0.2.1")


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_is_none_is_one_sentence(port: int) -> None:
    with pytest.raises(LiveError, match="0 to 65535"):
        Recorder(port)


def test_an_unknown_host_is_one_sentence() -> None:
    with pytest.raises(LiveError, match="No machine is known"):
        send_udp(INT_42, "no such host.invalid", 9)


def test_too_many_bytes_for_a_datagram_are_one_sentence() -> None:
    with pytest.raises(LiveError, match="65507 bytes at most"):
        send_udp(bytes(65_508), LOOPBACK, 9)


def test_a_proxy_forwards_both_ways_and_names_the_true_ends() -> None:
    with echo(bytes.upper) as server, Proxy(0, server) as proxy, client() as caller:
        caller.sendto(b"move", (LOOPBACK, proxy.address.port))
        assert caller.recvfrom(100) == (b"MOVE", (LOOPBACK, proxy.address.port))
        there, back = fetched(proxy.inbox, 2)
        here = Endpoint(*caller.getsockname())
        assert (there.source, there.target, there.data) == (here, server, b"move")
        assert (back.source, back.target, back.data) == (server, here, b"MOVE")


def test_a_proxy_keeps_clients_apart() -> None:
    with echo(bytes.upper) as server, Proxy(0, server) as proxy, client() as first, client() as second:
        for caller, text in ((first, b"a"), (second, b"b"), (first, b"c")):
            caller.sendto(text, (LOOPBACK, proxy.address.port))
            assert caller.recv(100) == text.upper()
        assert proxy.clients == 2
        ends = {each.data: (each.source, each.target) for each in fetched(proxy.inbox, 6)}
        assert ends[b"A"][1] == ends[b"c"][0] == Endpoint(*first.getsockname())
        assert ends[b"B"][1] == Endpoint(*second.getsockname())


def test_a_proxy_forgets_the_client_that_was_silent_longest() -> None:
    with echo(bytes.upper) as server, Proxy(0, server) as proxy:
        for number in range(MOST_CLIENTS + 5):
            with client() as caller:
                caller.sendto(b"%d" % number, (LOOPBACK, proxy.address.port))
                assert caller.recv(100) == b"%d" % number
        assert proxy.clients == MOST_CLIENTS


def test_a_proxy_says_that_nobody_listens_behind_it() -> None:
    with bound(LOOPBACK, 0) as gone:
        server = Endpoint(*gone.getsockname())
    with Proxy(0, server) as proxy, client() as caller:
        caller.sendto(b"hello", (LOOPBACK, proxy.address.port))
        fetched(proxy.inbox, 1)
        end = time.monotonic() + SECONDS
        while not proxy.problem and time.monotonic() < end:
            proxy.inbox.wait(0.05)
        assert proxy.problem == f"Nobody listens on {server.label}."
        assert proxy.is_running


def test_a_proxy_does_not_forward_to_itself() -> None:
    with bound(LOOPBACK, 0) as free:
        port = free.getsockname()[1]
    with pytest.raises(LiveError, match="cannot forward to itself"):
        Proxy(port, Endpoint("localhost", port))


def test_what_was_recorded_is_read_back_from_its_capture() -> None:
    with echo(bytes.upper) as server, Proxy(0, server) as proxy, client() as caller:
        caller.sendto(INT_42, (LOOPBACK, proxy.address.port))
        caller.recv(100)
        records = fetched(proxy.inbox, 2)
    stream = io.BytesIO()
    assert write_capture(stream, records) == 2
    again = list(open_capture(stream.getvalue()))
    assert [(each.time, each.source, each.target, each.data) for each in again] == [
        (each.time, each.source, each.target, each.data) for each in records
    ]
