"""Captures: what travelled on a network, read from pcap and pcapng files, and recorded datagrams written into one.

Only headers are looked at here; what the bytes mean to an application, others say.
"""

from __future__ import annotations

from viewer.container.capture.capture_tally import CaptureTally, FrameSkip
from viewer.container.capture.layers import wire_layers
from viewer.container.capture.reader import Capture, open_capture
from viewer.container.capture.records import CaptureError
from viewer.container.capture.writer import PcapngWriter, RecordedDatagram, write_pcapng
from viewer.container.capture_magic import is_capture

__all__ = [
    "Capture",
    "CaptureError",
    "CaptureTally",
    "FrameSkip",
    "PcapngWriter",
    "RecordedDatagram",
    "is_capture",
    "open_capture",
    "wire_layers",
    "write_pcapng",
]
