"""Two real engines talk through our proxy: all that they say is there; and what we edit and send, an engine reads."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import engine
import pytest
from document.packets.traffic import packets_of, sent
from ports import free_port

from viewer.container.wire import Captured, Endpoint
from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.packets.live import Proxy, Recorder, send_udp
from viewer.document.packets.packet import Packet
from viewer.document.path import parse_path
from viewer.document.pieces.message import FieldRole, leaves

pytestmark = pytest.mark.engine

LOOPBACK = "127.0.0.1"
SECONDS = 60.0
COMPRESSIONS = {"none": 0, "range coder": 1, "FastLZ": 2, "zlib": 3, "Zstd": 4}


class Talker:
    """An engine that runs a script, and what it told so far."""

    def __init__(self, running: subprocess.Popen[bytes], log: Path) -> None:
        self._running = running
        self._log = log

    def told(self, word: str) -> list[str]:
        """What stands behind a word, in order."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line.removeprefix(f"@@{word} ") for line in lines if line.startswith(f"@@{word} ")]

    def wait_until_told(self, word: str, count: int = 1) -> None:
        end = time.monotonic() + SECONDS
        while len(self.told(word)) < count:
            assert time.monotonic() < end, self._log.read_text(encoding="utf-8", errors="replace")
            time.sleep(0.02)

    def wait(self) -> None:
        self._running.wait(SECONDS)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(engine.SCRIPTS, tmp_path / "project")
    return tmp_path / "project"


@contextmanager
def talker(project: Path, script: str, role: str, port: int, compression: int = 0) -> Iterator[Talker]:
    log = project.with_name(f"{role}.log")
    environment = {"ROLE": role, "PORT": str(port), "COMPRESSION": str(compression), "HOME": str(project.parent)}
    with log.open("wb") as stream:
        running = subprocess.Popen(
            [engine.ENGINE, "--no-window", "--path", str(project), "-s", script],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
        )
        try:
            yield Talker(running, log)
        finally:
            running.kill()
            running.wait()


def conversation(project: Path, script: str, compression: int = 0) -> tuple[list[Captured], Talker, Talker]:
    """Two engines talk through a proxy until they are done: what was recorded, the server and the client."""
    port = free_port()
    with talker(project, script, "server", port, compression) as server:
        server.wait_until_told("READY")
        with Proxy(0, Endpoint(LOOPBACK, port)) as proxy:
            with talker(project, script, "client", proxy.address.port, compression) as client:
                client.wait()
                server.wait()
            proxy.stop()
            return proxy.inbox.drain(), server, client


def value_bytes(packet: Packet) -> list[str]:
    """The values of a packet, in hex."""
    spans = [piece.span for piece in leaves(packet.message.pieces) if piece.role is FieldRole.VALUE]
    return [packet.payload.data[span.start : span.end].hex() for span in spans]


def test_everything_that_two_engines_put_over_udp_is_recorded(project: Path) -> None:
    records, server, client = conversation(project, "talk_udp.gd")
    packets = packets_of(records)
    there = [packet.payload.data.hex() for packet in packets if packet.to_server]
    back = [packet.payload.data.hex() for packet in packets if not packet.to_server]
    assert there == client.told("SENT") == server.told("GOT")
    assert back == server.told("SENT") == client.told("GOT")
    assert {packet.message.kind for packet in packets} >= {"Nil", "bool", "int", "float", "String", "Dictionary"}
    assert not any(packet.refused for packet in packets)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_every_remote_call_of_two_engines_is_recorded(project: Path, compression: str) -> None:
    records, server, client = conversation(project, "talk_enet.gd", COMPRESSIONS[compression])
    packets = [packet for packet in sent(packets_of(records)) if packet.message.kind in ("call", "set")]
    for talker_, to_server in ((client, True), (server, False)):
        ours = [value_bytes(packet) for packet in packets if packet.to_server is to_server]
        theirs = [line.partition(" ")[2].split(",") for line in talker_.told("SENT")]
        assert sorted(ours) == sorted([*theirs, []] if to_server else theirs)  # "bye" has no arguments
        assert theirs
    assert len(server.told("GOT")) >= 3


def test_a_recorded_packet_is_edited_and_the_engine_reads_it_as_meant(project: Path) -> None:
    records, _, _ = conversation(project, "talk_udp.gd")
    move = next(packet for packet in packets_of(records) if "move" in packet.message.summary)
    document = Document(move.payload.data, name="packet")
    for path, literal in (("[0].cmd", '"jump high"'), ("[0].seq", "5000000000")):
        document.apply(set_literal(document, parse_path(document, path), literal))
    edited = bytes(document.buffer[:])
    port = free_port()
    with talker(project, "talk_udp.gd", "server", port) as server:
        server.wait_until_told("READY")
        send_udp(edited, LOOPBACK, port)
        server.wait_until_told("GOT")
        (read,) = engine.read_back([engine.Request(edited)])
        assert server.told("GOT") == [edited.hex()]
    assert read.value == {
        "Dictionary": [
            [{"str": "cmd"}, {"str": "jump high"}],
            [{"str": "to"}, {"Vector2": ["10.0", "20.0"], "f32": ["41200000", "41a00000"]}],
            [{"str": "seq"}, {"int": "5000000000"}],
        ]
    }


def test_an_engine_that_sends_to_a_recorder_is_heard(project: Path) -> None:
    with Recorder(0) as recorder, talker(project, "talk_udp.gd", "client", recorder.address.port) as client:
        client.wait_until_told("SENT")
        assert recorder.inbox.wait(SECONDS)
        assert recorder.inbox.drain()[0].data.hex() == client.told("SENT")[0]
