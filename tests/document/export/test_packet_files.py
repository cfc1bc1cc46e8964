"""A packet as a document: every byte has its place, and an edited value keeps the fields around it true."""

from __future__ import annotations

from collections.abc import Iterator

import corpus
import pytest

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.slots import EditError
from viewer.document.edits.structure import delete
from viewer.document.export.packet_files import payload_document
from viewer.document.packets.packet import Packet
from viewer.document.packets.packet_source import CaptureSource
from viewer.variant.items import Item

CAPTURES = ("enet_rpc_none.pcap", "g3_ws_mp.pcap", "g4_enet_none.pcap", "g4_put_var.pcap")
LONGER = '"a text that is much longer than the one before"'


def listed(name: str) -> CaptureSource:
    source = CaptureSource(corpus.capture_file(name).read_bytes())
    while source.work_some(1.0):
        pass
    return source


def payloads(name: str) -> Iterator[tuple[Packet, Document]]:
    source = listed(name)
    for row in range(source.first, source.end):
        packet = source.packet(row)
        if not packet.is_control:
            yield packet, payload_document(packet, source.store.explainer(row))


@pytest.mark.parametrize("name", CAPTURES)
def test_frames_and_fields_tile_every_payload(name: str) -> None:
    for packet, document in payloads(name):
        spans = sorted([*(frame.span for frame in document.frames), *document.gaps])
        assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])][: len(spans)]
        assert sum(map(len, spans)) == len(document.buffer), packet.message.summary
        assert len(document.fields) == len(document.gaps)


@pytest.mark.parametrize("name", CAPTURES)
def test_a_longer_text_leaves_a_packet_that_says_the_same_otherwise(name: str) -> None:
    tried = 0
    for packet, document in payloads(name):
        texts = [k for k, frame in enumerate(document.frames) if (row := frame.table.row(0)) and row.name == "String"]
        if not texts:
            continue
        document.apply(set_literal(document, Item(texts[0], 0), LONGER))
        message, before = document.message, packet.message
        assert message is not None
        assert [piece.name for piece in message.pieces] == [piece.name for piece in before.pieces]
        assert (message.kind, message.sender, message.severity) == (before.kind, before.sender, before.severity)
        document.undo()
        assert bytes(document.buffer[:]) == packet.payload.data
        tried += 1
    assert tried >= 2


def test_a_payload_is_never_taken_for_a_wrap() -> None:
    for _, document in payloads("g4_enet_none.pcap"):
        assert document.wraps.names == ()


def test_the_values_of_a_packet_stay_where_its_protocol_puts_them() -> None:
    _, document = next((packet, found) for packet, found in payloads("enet_rpc_none.pcap") if len(found.frames) == 2)
    with pytest.raises(EditError, match="where its protocol puts them"):
        document.apply(delete(document, [Item(1, 0)]))
