"""Exporting: payloads as files, the list as CSV or JSON, and what was recorded as a capture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from viewer.container.wire import Captured, Payload
from viewer.document.export.deep_json import dumps
from viewer.document.packets.listing import COLUMNS, as_json, row
from viewer.document.packets.packet import Packet


def payload_name(payload: Payload, digits: int = 6) -> str:
    """The name of the file that a payload goes to: ``packet-000012.bin``."""
    return f"packet-{payload.number:0{digits}}.bin"


def joined(payloads: Iterable[Payload]) -> Iterator[bytes]:
    """All payloads one behind another, each with its length in front as a little-endian word of four bytes."""
    for payload in payloads:
        yield len(payload.data).to_bytes(4, "little") + payload.data


def csv_lines(packets: Iterable[Packet]) -> Iterator[str]:
    """The list as comma-separated values, with headings."""
    room = io.StringIO(newline="")
    writer = csv.DictWriter(room, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for packet in packets:
        writer.writerow(row(packet))
        yield room.getvalue()
        room.seek(0)
        room.truncate()
    yield room.getvalue()


def json_lines(packets: Iterable[Packet]) -> Iterator[str]:
    """The list as one JSON array, a packet a line."""
    between = "["
    for packet in packets:
        yield f"{between}\n{dumps(as_json(packet))}"
        between = ","
    yield "[]\n" if between == "[" else "\n]\n"


def write_capture(stream: BinaryIO, records: Iterable[Captured]) -> int:
    """Write recorded datagrams as pcapng; returns how many.

    Raises:
        CaptureError: one of them cannot be written.
        OSError: the stream cannot be written.
    """
    from viewer.container.capture import PcapngWriter

    writer, count = PcapngWriter(stream), 0
    for record in records:
        writer.add(record.time, record.source, record.target, record.data)
        count += 1
    return count
