"""The sub-commands about packets: what they print, what they write, and their exit codes."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import corpus
import pytest
from command_line import PROGRAM, Run

from viewer.container.capture import open_capture
from viewer.document.packets.live import send_udp

LOOPBACK = "127.0.0.1"
INT_42 = bytes.fromhex("02000000 2a000000")
BROKEN = bytes.fromhex("04000000 ff000000 61626364")
SECONDS = 30.0


def capture(name: str) -> Path:
    return corpus.capture_file(name)


# packets


def test_a_capture_is_listed_one_packet_a_line(run: Run) -> None:
    ran = run("packets", capture("enet_putvar_none.pcap"))
    assert (ran.code, len(ran.lines)) == (0, 44)
    assert ran.lines[0].split()[:8] == ["1", "0.000000", *ran.lines[0].split()[2:5], "ENet", "48", "connect"]
    moves = [line for line in ran.lines if '{"cmd": "move", "to": Vector2(10, 20), "seq": 1}' in line]
    assert len(moves) == 1


def test_a_packet_that_the_engine_refuses_makes_the_exit_code_1(run: Run) -> None:
    ran = run("packets", capture("udp.pcap"))
    assert (ran.code, len(ran.lines)) == (1, 24)
    assert "error: At byte 0: A value should begin here" in ran.lines[23]


def test_packets_are_filtered(run: Run) -> None:
    ran = run("packets", capture("udp.pcap"), "--filter", "type == Dictionary")
    assert len(ran.lines) == 2
    assert all("Dictionary" in line for line in ran.lines)


def test_packets_as_json_are_one_object_a_line_with_their_pieces(run: Run) -> None:
    ran = run("packets", capture("enet_rpc_none.pcap"), "--json", "--filter", "kind call and hit")
    packets = [json.loads(line) for line in ran.lines]
    assert packets[0]["value"] == 'Main.hit(1, "abc")'
    for packet in packets:
        spans = [piece["span"] for piece in packet["pieces"]]
        assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
        assert spans[-1][1] == packet["bytes"] == len(packet["hex"]) // 2
    assert {piece["role"] for piece in packets[0]["pieces"]} == {"field", "value"}


def test_a_dialect_is_not_questioned(run: Run) -> None:
    ran = run("packets", capture("udp.pcap"), "--dialect", "godot4", "--json")
    assert {json.loads(line)["dialect"] for line in ran.lines} <= {"godot4", None}


def test_what_a_capture_holds_beside_packets_is_told_on_stderr(run: Run) -> None:
    ran = run("packets", capture("g4_put_var.pcap"))
    assert (ran.code, ran.err) == (0, "variant-viewer: 1 frame carried IP protocol 1, neither UDP nor TCP.\n")


def test_a_capture_that_was_cut_is_listed_as_far_as_it_goes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "cut.pcap"
    path.write_bytes(capture("udp.pcap").read_bytes()[:1000])
    ran = run("packets", path)
    assert 0 < len(ran.lines) < 24
    assert ran.err.startswith("variant-viewer: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("packets",), "packets needs a FILE"),
        (("packets", Path(__file__)), "is not a capture"),
        (("packets", "no such file.pcap"), "cannot be read"),
        (("packets", "x", "--filter", "size >"), "A number should be here"),
        (("listen",), "listen needs --udp PORT"),
        (("listen", "--udp", "many"), "--udp is PORT or HOST:PORT"),
        (("listen", "--udp", "70000"), "0 to 65535"),
        (("listen", "--udp", "0", "--forward", "9000"), "--forward is HOST:PORT"),
        (("listen", "--udp", "0", "--count", "0"), "--count is a number above zero"),
        (("listen", "--udp", "0", "--seconds", "soon"), "--seconds is a number above zero"),
        (("listen", "--udp", "0", "-o", "-"), "name a file after -o"),
        (("listen", "9000"), "takes options only"),
        (("listen", "--udp", "192.0.2.1:9"), "does not have the address"),
        (("listen", "--udp", "0", "-o", "no/such/folder.pcapng"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line(run: Run, words: tuple[object, ...], said: str) -> None:
    assert run(*words).failed_with(said)


# check


def test_check_takes_captures(run: Run) -> None:
    path = capture("udp.pcap")
    ran = run("check", path)
    assert ran.code == 1
    assert [line.partition(f"{path}:")[2][:24] for line in ran.lines] == [
        "packet 23: warning packe",
        "packet 24: error packet:",
    ]


def test_check_finds_nothing_in_a_sound_capture(run: Run) -> None:
    ran = run("check", capture("enet_rpc_none.pcap"), capture("websocket.pcapng"))
    assert (ran.code, ran.out) == (0, "")


# listen


@contextmanager
def listening(*words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A running ``listen``, and the port on which it listens."""
    command = [*PROGRAM, "listen", "--udp", "0", *words]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stderr is not None
        told = re.search(r"listening on 127\.0\.0\.1:(\d+)", running.stderr.readline())
        assert told is not None
        yield running, int(told[1])
    finally:
        running.kill()
        running.communicate()


def test_live_packets_are_printed_and_written(tmp_path: Path) -> None:
    path = tmp_path / "out.pcapng"
    with listening("--count", "3", "-o", str(path)) as (running, port):
        for _ in range(3):
            send_udp(INT_42, LOOPBACK, port)
        out, err = running.communicate(timeout=SECONDS)
    assert running.returncode == 0
    assert [line.split()[-2:] for line in out.splitlines()] == [["int", "42"]] * 3
    assert err == "variant-viewer: 3 heard, 3 packets, 0 with errors.\n"
    assert [record.data for record in open_capture(path.read_bytes())] == [INT_42] * 3


def test_live_packets_as_json() -> None:
    with listening("--count", "1", "--json") as (running, port):
        send_udp(INT_42, LOOPBACK, port)
        out, _ = running.communicate(timeout=SECONDS)
    packet = json.loads(out)
    assert (packet["hex"], packet["kind"], packet["to"]) == (INT_42.hex(), "int", f"{LOOPBACK}:{port}")


def test_a_live_packet_is_printed_while_more_are_awaited() -> None:
    with listening() as (running, port):
        send_udp(INT_42, LOOPBACK, port)
        assert running.stdout is not None
        assert running.stdout.readline().split()[-2:] == ["int", "42"]
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=SECONDS)
    assert running.returncode == 0


def test_a_live_packet_that_the_engine_refuses_makes_the_exit_code_1() -> None:
    with listening("--count", "5") as (running, port), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for data in (INT_42, INT_42, INT_42, INT_42, BROKEN):
            sender.sendto(data, (LOOPBACK, port))
        running.communicate(timeout=SECONDS)
    assert running.returncode == 1


def test_listening_ends_when_its_time_is_over() -> None:
    with listening("--seconds", "0.3") as (running, _):
        out, err = running.communicate(timeout=SECONDS)
    assert (running.returncode, out) == (0, "")
    assert err == "variant-viewer: 0 heard, 0 packets, 0 with errors.\n"


def test_a_server_is_reached_through_the_proxy() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((LOOPBACK, 0))
        server.settimeout(SECONDS)

        def answer() -> None:
            data, sender = server.recvfrom(100)
            server.sendto(data * 2, sender)

        thread = threading.Thread(target=answer)
        thread.start()
        host, there = server.getsockname()
        with (
            listening("--forward", f"{host}:{there}", "--count", "2") as (running, port),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client,
        ):
            client.settimeout(SECONDS)
            client.sendto(INT_42, (LOOPBACK, port))
            assert client.recv(100) == INT_42 * 2
            out, _ = running.communicate(timeout=SECONDS)
        thread.join()
    ends = [re.findall(r"127\.0\.0\.1:(\d+)", line) for line in out.splitlines()]
    assert ends[0] == [ends[1][1], str(there)]
    assert ends[1][0] == str(there)


def test_the_code_of_packets_is_loaded_for_their_sub_commands_only() -> None:
    probe = "import sys, viewer.cli, viewer.cli.inspect; sys.exit('viewer.document.packets.dissector' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
