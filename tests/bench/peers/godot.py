"""A real Godot 3.2.3: it writes the data, and its own decoder is what the scanner is measured against.

The engine stays alive for a whole series and decodes when it is told to, so that both sides can take turns.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.memory import resident
from bench.setting import BenchError

ENGINE = "godot3-server"
SCRIPTS = Path(__file__).parent.parent / "engine"
PATIENCE = 600
CLOCK_OF_PROCESS = 2
"""What the kernel calls the clock of all threads of a process that is not this one."""


def write(function: str, size: int, target: Path) -> None:
    """Have ``data.gd`` write a file.

    Raises:
        BenchError: the engine is not installed, or failed.
    """
    environment = {"BENCH_SHAPE": function, "BENCH_SIZE": str(size), "BENCH_OUT": str(target)}
    with _project() as folder, tempfile.TemporaryFile() as messages:
        engine = _start(folder, "data.gd", environment, messages.fileno())
        try:
            engine.wait(PATIENCE)
        except subprocess.TimeoutExpired as error:
            engine.kill()
            raise BenchError(f"{ENGINE} does not end") from error
        _refuse_messages(messages.fileno())
    if not target.exists():
        raise BenchError(f"{ENGINE} wrote no data")


class Decoder:
    """The engine with one file in its memory.

    Args:
        line: the socket to the engine.
        process: the engine.
    """

    def __init__(self, line: socket.socket, process: subprocess.Popen[bytes]) -> None:
        self._line = line
        self._process = process

    def load(self, path: Path) -> None:
        """Take a file.

        Raises:
            BenchError: the engine cannot read it.
        """
        if self._ask(f"load {path}") != path.stat().st_size:
            raise BenchError(f"{ENGINE} cannot read the file")

    def check(self) -> None:
        """Decode once and encode again, looking whether the whole of it comes back.

        Raises:
            BenchError: it does not.
        """
        if self._ask("check") != 1:
            raise BenchError("bytes2var lost a part of the value")

    def run(self) -> float:
        """Decode once; the processor time that bytes2var took, without freeing what it made."""
        before = self._processor_time()
        self._keep()
        taken = self._processor_time() - before
        self._ask("drop")
        return taken

    def opened(self, path: Path) -> float:
        """Load a file once; the processor time that the engine's loader took, without freeing what it made.

        Raises:
            BenchError: it refuses the file.
        """
        before = self._processor_time()
        if self._ask(f"{'parse' if path.suffix in ('.json', '.cfg') else 'open'} {path}") != 1:
            raise BenchError(f"{ENGINE} refuses the file")
        taken = self._processor_time() - before
        self._ask("drop")
        return taken

    def kept_memory(self) -> int:
        """By how many bytes the process grows with the decoded value; true of its first decoding only."""
        before = resident(self._process.pid)
        self._keep()
        return resident(self._process.pid) - before

    def quit(self) -> None:
        """Let it end."""
        self._send("quit")

    def _keep(self) -> None:
        if self._ask("keep") != 1:
            raise BenchError("bytes2var gave null")

    def _processor_time(self) -> float:
        """Seconds that the engine has worked since it was started, on all its threads."""
        if not sys.platform.startswith("linux"):
            raise BenchError("this system does not tell the processor time of another process")
        return time.clock_gettime(~self._process.pid << 3 | CLOCK_OF_PROCESS)

    def _ask(self, text: str) -> int:
        self._send(text)
        answer = b""
        while len(answer) < 8:
            piece = self._line.recv(8 - len(answer))
            if not piece:
                raise BenchError(f"{ENGINE} has ended")
            answer += piece
        number: int = struct.unpack("<q", answer)[0]
        return number

    def _send(self, text: str) -> None:
        raw = text.encode()
        self._line.sendall(struct.pack("<I", len(raw)) + raw)


@contextmanager
def decoder(path: Path) -> Iterator[Decoder]:
    """The engine with a file loaded.

    Raises:
        BenchError: the engine is not installed, died, or complained about anything.
    """
    with _project() as folder, tempfile.TemporaryFile() as messages, socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        port = {"BENCH_PORT": str(server.getsockname()[1])}
        engine = _start(folder, "decode.gd", port, messages.fileno())
        try:
            with server.accept()[0] as line:
                line.settimeout(PATIENCE)
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                side = Decoder(line, engine)
                side.load(path)
                yield side
                side.quit()
            engine.wait(PATIENCE)
        except OSError as error:
            raise BenchError(f"{ENGINE} does not answer: {error}") from error
        finally:
            engine.kill()
            engine.wait()
        _refuse_messages(messages.fileno())


@contextmanager
def _project() -> Iterator[Path]:
    """A copy of the scripts, because the engine writes beside them."""
    if shutil.which(ENGINE) is None:
        raise BenchError(f"{ENGINE} is not installed")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        shutil.copytree(SCRIPTS, Path(folder) / "project")
        yield Path(folder)


def _start(folder: Path, script: str, extra: dict[str, str], messages: int) -> subprocess.Popen[bytes]:
    own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(folder))
    return subprocess.Popen(
        [ENGINE, "--no-window", "--path", str(folder / "project"), "-s", script],
        env={**os.environ, **own, "LANG": "en_US.UTF-8", **extra},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=messages,
    )


def _refuse_messages(handle: int) -> None:
    """The engine goes on after an error with less than it should have: then nothing it did counts."""
    os.lseek(handle, 0, os.SEEK_SET)
    lines = os.read(handle, 1 << 20).decode(errors="replace").splitlines()
    wrong = next((line for line in lines if "ERROR" in line), None)
    if wrong is not None:
        raise BenchError(f"{ENGINE}: {wrong.strip()}")
