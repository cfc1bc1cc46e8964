"""What the sub-commands about packets do: list a capture, and record live traffic."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.base.buffer import Buffer
from viewer.base.unseen import printable
from viewer.cli.input import STDIN, Problem, read_stdin
from viewer.container.capture import CaptureError, PcapngWriter, is_capture, open_capture
from viewer.container.wire import Captured, Endpoint
from viewer.document.disk import files
from viewer.document.export.deep_json import dumps
from viewer.document.packets.conversation import TrafficSettings
from viewer.document.packets.dissector import Dissector
from viewer.document.packets.filter_language import FilterError, parse_filter
from viewer.document.packets.live import LOOPBACK
from viewer.document.packets.packet import Packet, as_json, finding, line
from viewer.document.packets.store import PacketStore
from viewer.document.reading import ReadOptions

if TYPE_CHECKING:
    from viewer.document.packets.live import Live

AT_ONCE = 20_000
"""Packets of a capture that are held before they are printed: later ones tell what earlier ones are."""
TICK = 0.1
"""Seconds between two looks at what has arrived."""


class Listing:
    """Takes what was captured, and gives the packets that have been made of it.

    Args:
        fixed: what a person fixed; of it the dialect counts.
        wanted: a filter; what does not pass is left out.
    """

    def __init__(self, fixed: ReadOptions, wanted: str = "") -> None:
        try:
            self._term = parse_filter(wanted)
        except FilterError as error:
            raise Problem(f"--filter: {error}") from error
        self._dissector = Dissector(TrafficSettings(dialect=fixed.dialect))
        self._store = PacketStore()
        self.errors = self.count = 0

    @property
    def waiting(self) -> int:
        """How many packets are held."""
        return len(self._store)

    def feed(self, captured: Captured) -> None:
        """Take what one frame carried."""
        if self._store.start is None:
            self._store.start = captured.time
        self._store.extend(self._dissector.feed(captured))

    def finish(self) -> None:
        """Nothing more comes."""
        self._store.extend(self._dissector.finish())

    def packets(self) -> Iterator[Packet]:
        """The packets that are held, which are held no longer."""
        self._store.explain_all()
        self.errors += self._store.errors
        self.count += len(self._store)
        for row in self._store.matching(self._term):
            yield self._store.packet(row)
        start = self._store.start
        self._store.clear()
        self._store.start = start


def listed(buffer: Buffer, listing: Listing) -> Iterator[Packet]:
    """The packets of a capture.

    Raises:
        CaptureError: it is none.
    """
    capture = open_capture(buffer)
    for captured in capture:
        listing.feed(captured)
        if listing.waiting >= AT_ONCE:
            yield from listing.packets()
    listing.finish()
    yield from listing.packets()
    for sentence in capture.tally.sentences:
        print(f"variant-viewer: {sentence}", file=sys.stderr)


def packets(wanted: argparse.Namespace) -> int:
    """``packets FILE [--json]``."""
    if wanted.file is None:
        raise Problem("packets needs a FILE; see variant-viewer --help.")
    listing = Listing(wanted.choice, wanted.filter)
    for packet in listed(_read(wanted.file), listing):
        _print(packet, wanted.json)
    return 1 if listing.errors else 0


def check_capture(name: str, fixed: ReadOptions) -> int:
    """What is wrong with the packets of a capture, one finding a line."""
    listing = Listing(fixed)
    for packet in listed(_read(name), listing):
        found = finding(packet)
        if found is not None:
            print(f"{printable(name)}:packet {packet.payload.number}: {found}")
    return 1 if listing.errors else 0


def _read(name: str) -> Buffer:
    data: Buffer = read_stdin() if name == STDIN else files.read(Path(name))[0]
    if not is_capture(bytes(data[:12])):
        raise Problem(f"“{name}” is not a capture: it begins neither as pcap nor as pcapng files do.")
    return data


def _print(packet: Packet, as_object: bool) -> None:
    print(dumps(as_json(packet)) if as_object else line(packet))


# Live


def listen(wanted: argparse.Namespace) -> int:
    """``listen --udp PORT [--forward HOST:PORT] [--count N] [--seconds S] [-o OUT.pcapng] [--json]``."""
    if wanted.words:
        raise Problem(f"listen takes options only, and “{wanted.words[0][:80]}” is not one; see variant-viewer --help.")
    if wanted.udp is None:
        raise Problem("listen needs --udp PORT; see variant-viewer --help.")
    if wanted.out == STDIN:
        raise Problem("listen prints its packets to standard output; name a file after -o.")
    count = _positive(wanted.count, "--count")
    seconds = _positive(wanted.seconds, "--seconds")
    listing = Listing(wanted.choice)
    from viewer.document.packets.live import LiveError

    try:
        with _capture_file(wanted.out) as writer, _listening(wanted) as live:
            with _interruptible() as interrupted:
                most = None if count is None else max(1, int(count))
                for captured in _arriving(live, most, seconds, interrupted):
                    _take(captured, listing, writer, wanted.json)
            live.stop()
            listing.finish()
            for packet in listing.packets():
                _print(packet, wanted.json)
    except (LiveError, CaptureError) as error:
        raise Problem(str(error)) from error
    _say_goodbye(live, listing)
    return 1 if listing.errors else 0


def _take(captured: Captured, listing: Listing, writer: PcapngWriter | None, as_object: bool) -> None:
    if writer is not None:
        writer.add(captured.time, captured.source, captured.target, captured.data)
    listing.feed(captured)
    for packet in listing.packets():
        _print(packet, as_object)
    sys.stdout.flush()


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Ctrl+C sets the event instead of raising: what is raised while memory is freed gets lost."""
    event = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: event.set())
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)


def _arriving(live: Live, count: int | None, seconds: float | None, interrupted: threading.Event) -> Iterator[Captured]:
    """What is heard, until there is enough of it, the time is over, or nobody wants more."""
    end = None if seconds is None else time.monotonic() + seconds
    given = 0
    while live.is_running and not interrupted.is_set():
        left = TICK if end is None else min(TICK, end - time.monotonic())
        if left <= 0:
            return
        live.inbox.wait(left)
        for captured in live.inbox.drain(None if count is None else count - given):
            yield captured
            given += 1
        if given == count:
            return


def _listening(wanted: argparse.Namespace) -> Live:
    """The recorder or proxy that was asked for, which says where it listens."""
    here = _end(wanted.udp, "--udp", LOOPBACK)
    live: Live
    if wanted.forward is None:
        from viewer.document.packets.live import Recorder

        live = recorder = Recorder(here.port, here.host)
        told = f"listening on {recorder.address.label}"
    else:
        from viewer.document.packets.live import Proxy

        live = proxy = Proxy(here.port, _end(wanted.forward, "--forward", None), here.host)
        told = f"listening on {proxy.address.label}, forwarding to {proxy.server.label}"
    print(f"variant-viewer: {told}; Ctrl+C stops.", file=sys.stderr, flush=True)
    return live


def _end(text: str, option: str, host: str | None) -> Endpoint:
    """Host and port of ``9000``, ``127.0.0.1:9000``, ``[::1]:9000``."""
    before, _, port = text.rpartition(":")
    name = before.removeprefix("[").removesuffix("]") or host
    if name is None or not (port.isascii() and port.isdigit() and len(port) <= 5):
        shape = "HOST:PORT" if host is None else "PORT or HOST:PORT"
        raise Problem(f"{option} is {shape}, like 127.0.0.1:9000, not “{text[:80]}”.")
    return Endpoint(name, int(port))


def _positive(text: str | None, option: str) -> float | None:
    """A number above zero, None where nobody gave one."""
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise Problem(f"{option} is a number above zero, not “{text[:40]}”.")
    return number


@contextlib.contextmanager
def _capture_file(out: str | None) -> Iterator[PcapngWriter | None]:
    """What writes a capture, None where nobody asked for one."""
    if out is None:
        yield None
        return
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(out).open("wb"))
        except OSError as error:
            raise Problem(f"“{out}” cannot be written: {error.strerror or error}.") from error
        yield PcapngWriter(stream)
        stream.flush()


def _say_goodbye(live: Live, listing: Listing) -> None:
    counts = live.inbox.counts
    said = [f"{counts.heard} heard", f"{listing.count} packets", f"{listing.errors} with errors"]
    if counts.dropped:
        said.append(f"{counts.dropped} dropped because they came too fast")
    if live.problem:
        said.append(live.problem.removesuffix("."))
    print(f"variant-viewer: {', '.join(said)}.", file=sys.stderr)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"packets": packets, "listen": listen}
"""The sub-commands by name."""
