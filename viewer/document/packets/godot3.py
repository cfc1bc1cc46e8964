"""Godot 3 multiplayer, and Pandemonium's: headers of ENet and WebSocket, the system channel, and the packets inside.

A packet's node is a number that its sender explained before, or the place of the path in the packet itself.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from viewer.base.diagnostic import Severity
from viewer.document.packets.draft import MessageBroken, MessageDraft
from viewer.document.packets.node_paths import PATH_BIT, peer_text

SYSTEM_CHANNEL = 0
HEADER, OLD_HEADER = 8, 12
"""Bytes of the ENet header: since 3.2, and in 3.0 and 3.1."""
SYSTEM_WORDS = ("add peer", "remove peer")
WEBSOCKET_WORDS = ("data", "add peer", "remove peer", "your id")
LIKELY_IDS = 1 << 20


class SystemCommand(Enum):
    """What a packet is."""

    CALL = "call"
    SET = "set"
    SIMPLIFY = "simplify path"
    CONFIRM = "confirm path"
    RAW = "raw"


class Numbering(Enum):
    """The commands by number."""

    GODOT = (SystemCommand.CALL, SystemCommand.SET, SystemCommand.SIMPLIFY, SystemCommand.CONFIRM, SystemCommand.RAW)
    PANDEMONIUM = (SystemCommand.CALL, SystemCommand.SIMPLIFY, SystemCommand.CONFIRM, SystemCommand.RAW)
    """Since 3.7, which sets no properties."""


class PeerMessage(Enum):
    """What an application sends over a multiplayer peer."""

    PACKETS = "packets"
    VALUES = "values"
    """Bare values: it calls ``put_var`` on the peer itself."""
    BYTES = "bytes"


class _Node(NamedTuple):
    """Whose method or property: its name for the summary, and where its path begins, 0 where there is none."""

    name: str
    path_at: int


def read_enet(draft: MessageDraft, numbering: Numbering, body: PeerMessage, header: int, channel: int | None) -> None:
    """A payload over ENet.

    Raises:
        Broken: it cannot be followed to its end.
    """
    if channel == SYSTEM_CHANNEL:
        _system(draft)
        return
    draft.sender = draft.peek(4, "the source")
    draft.put("source", 4, peer_text(draft.sender))
    _target(draft)
    if header == OLD_HEADER:
        flags = draft.peek(4, "the flags")
        draft.put("flags", 4, _flags_text(flags))
        draft.doubtful |= flags > 2
    draft.doubtful |= not 0 < draft.sender < PATH_BIT
    _body(draft, numbering, body)


def read_websocket(draft: MessageDraft, numbering: Numbering, body: PeerMessage) -> None:
    """A frame of Godot 3's multiplayer over WebSocket.

    Raises:
        Broken: it cannot be followed to its end.
    """
    kind = draft.peek(1, "the type")
    if kind >= len(WEBSOCKET_WORDS):
        raise MessageBroken(f"At byte {draft.at}: type {kind} does not exist; the types are 0 to 3.")
    draft.put("type", 1, f"{kind} ({WEBSOCKET_WORDS[kind]})")
    draft.sender = draft.peek(4, "the source", signed=True)
    draft.put("source", 4, peer_text(draft.sender))
    _target(draft)
    if kind == 0:
        draft.doubtful |= draft.sender <= 0
        _body(draft, numbering, body)
        return
    draft.doubtful |= (draft.sender, draft.receiver) != (1, 0)
    _peer_change(draft, WEBSOCKET_WORDS[kind])
    draft.evidence = 4.0


def _target(draft: MessageDraft) -> None:
    draft.receiver = draft.peek(4, "the target", signed=True)
    draft.put("target", 4, peer_text(draft.receiver))


def _system(draft: MessageDraft) -> None:
    """What the server tells on channel 0: who came and who went."""
    number = draft.peek(4, "the message")
    if number >= len(SYSTEM_WORDS):
        raise MessageBroken(f"At byte {draft.at}: system message {number} does not exist; there are 0 and 1.")
    draft.put("message", 4, f"{number} ({SYSTEM_WORDS[number]})")
    if draft.from_server:
        draft.sender = 1
    _peer_change(draft, SYSTEM_WORDS[number])
    draft.evidence = 3.0


def _peer_change(draft: MessageDraft, kind: str) -> None:
    draft.kind = kind
    peer = draft.peek(4, "the peer", signed=True)
    draft.put("peer", 4, peer_text(peer))
    draft.summary = f"{kind} {peer}"
    draft.doubtful |= peer <= 0
    draft.ignored()


def _flags_text(flags: int) -> str:
    words = {0: "unreliable, in order", 1: "reliable", 2: "unreliable"}
    return f"{flags} ({words[flags]})" if flags in words else str(flags)


def _body(draft: MessageDraft, numbering: Numbering, body: PeerMessage) -> None:
    draft.base = draft.at
    if body is PeerMessage.PACKETS:
        _packet(draft, numbering)
    elif body is PeerMessage.VALUES:
        read_value(draft)
    else:
        draft.summary = draft.opaque("data")


def read_value(draft: MessageDraft) -> None:
    """One bare value, up to the end.

    Raises:
        Broken: it cannot be read to its end.
    """
    start = draft.at
    found = draft.value("value")
    draft.kind, draft.summary = found.type, found.text
    # four bytes are few: a null, or a small number
    draft.evidence = 0.5 if draft.at - start == 4 else 2.5 if draft.at - start == 8 else 5.0
    draft.ignored()


# Packets


def _packet(draft: MessageDraft, numbering: Numbering) -> None:
    number = draft.peek(1, "the kind")
    if number >= len(numbering.value):
        raise MessageBroken(
            f"At byte {draft.at}: kind {number} does not exist; the kinds are 0 to {len(numbering.value) - 1}."
        )
    command = numbering.value[number]
    draft.kind = command.value
    draft.put("kind", 1, f"{number} ({command.value})")
    if command is SystemCommand.RAW:
        draft.expect(1, "the data")
        draft.summary = draft.opaque("data")
        draft.evidence = 0.2
    elif command is SystemCommand.SIMPLIFY:
        _simplify(draft)
    elif command is SystemCommand.CONFIRM:
        draft.expect(1, "the path")
        draft.summary = draft.text("path")
        draft.doubtful |= not is_likely_path(draft.summary)
        draft.evidence = 2.0
        draft.ignored()
    else:
        _call_or_set(draft, command)


def _simplify(draft: MessageDraft) -> None:
    number = draft.number("id", 4)
    path = draft.text("path")
    draft.known.simplify(draft.sender, number, path)
    draft.summary = f"{number} = {path}"
    draft.doubtful |= not (is_likely_path(path) and 0 < number < LIKELY_IDS)
    draft.evidence = 6.0
    draft.ignored()


def _call_or_set(draft: MessageDraft, command: SystemCommand) -> None:
    node = _node(draft)
    whole = draft.end
    if node.path_at:
        draft.end = node.path_at
    try:
        name = _name(draft, command)
        texts = _arguments(draft) if command is SystemCommand.CALL else [draft.value("value").text]
        draft.doubtful |= draft.left > 0
    except MessageBroken as error:
        draft.broken(error)
    else:
        draft.summary = (
            f"{node.name}.{name}({', '.join(texts)})"
            if command is SystemCommand.CALL
            else (f"{node.name}.{name} = {texts[0]}")
        )
    draft.ignored()
    draft.end = whole
    if node.path_at:
        draft.text("path")
    draft.evidence = 6.0
    draft.ignored()


def _node(draft: MessageDraft) -> _Node:
    """The node that is spoken to."""
    word = draft.peek(4, "the node")
    if not word & PATH_BIT:
        draft.put("node", 4, draft.known.node_text(draft.sender, word))
        draft.doubtful |= not 0 < word < LIKELY_IDS
        return _Node(draft.known.node_name(draft.sender, word), 0)
    at = draft.base + (word & ~PATH_BIT)
    if at >= draft.end:
        raise MessageBroken(
            f"At byte {draft.at}: the node's path should begin at byte {at}, but the payload ends at {draft.end}."
        )
    path, _ = draft.text_at(at, draft.end)
    draft.put("node", 4, f"path at {at - draft.base} = {path}")
    draft.doubtful |= not is_likely_path(path)
    if at < draft.at:
        draft.remark(Severity.WARNING, f"At byte {draft.at - 4}: the node's path begins before it, in the header.")
        return _Node(path, 0)
    return _Node(path, at)


def _name(draft: MessageDraft, command: SystemCommand) -> str:
    """The name of the method or property, which must end with a NUL."""
    what = "method" if command is SystemCommand.CALL else "property"
    if draft.data.find(0, draft.at, draft.end) < 0:
        raise MessageBroken(f"At byte {draft.at}: the {what}'s name has no NUL at its end.")
    name = draft.text(what)
    draft.doubtful |= not name.isidentifier()
    return name


def _arguments(draft: MessageDraft) -> list[str]:
    count = draft.number("argument count", 1)
    return [draft.value(f"argument {k + 1}").text for k in range(count)]


def is_likely_path(path: str) -> bool:
    """Whether this looks like a path that an engine sends."""
    return bool(path) and path.isprintable()
