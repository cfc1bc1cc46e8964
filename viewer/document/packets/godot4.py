"""Godot 4 multiplayer: calls, paths, raw bytes, and what peers tell of each other."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from viewer.base.diagnostic import Severity, count_bytes
from viewer.base.record import dataclass
from viewer.base.span import Span
from viewer.document.packets.draft import MessageBroken, MessageDraft
from viewer.document.packets.godot3 import LIKELY_IDS, is_likely_path
from viewer.document.packets.node_paths import PATH_BIT, SERVER, number_text, peer_text
from viewer.document.pieces.message import FieldRole, MessageField

# Compressed variants: the short forms that Godot 4 multiplayer has for whole numbers and truth values.
#
# The first byte holds the type in its low six bits and a mode in its high two. A bool is that one byte; an int says in
# the mode how wide the number behind it is. Every other type is an ordinary Variant, whose first byte has no mode.

BOOL, INT = 1, 2
TYPE_BITS, MODE_BITS, TRUE_BIT = 0x3F, 0xC0, 0x80
SIZES = (1, 2, 4, 8)
"""Bytes of an int's number, by mode."""


class CompressedError(ValueError):
    """The bytes end before the number does, or the number has no such form; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class CompactValue:
    """A value in its short form.

    Args:
        value: what it says.
        size: bytes of it, the first one included.
        spare: bits of the first byte that mean nothing here and that an engine never sets.
    """

    value: bool | int
    size: int
    spare: int = 0

    @property
    def form(self) -> str:
        """The form in words: ``bool``, ``int, 16 bits``."""
        return "bool" if isinstance(self.value, bool) else f"int, {8 * (self.size - 1)} bits"


def is_short(first: int) -> bool:
    """Whether a value with this first byte has a short form."""
    return first & TYPE_BITS in (BOOL, INT)


def decode(data: bytes, at: int, end: int) -> CompactValue | None:
    """The short value at *at*, None where an ordinary Variant or nothing begins there.

    Args:
        end: no byte from here on belongs to it.

    Raises:
        CompressedError: its number is cut off.
    """
    if at >= end or not is_short(data[at]):
        return None
    first = data[at]
    if first & TYPE_BITS == BOOL:
        return CompactValue(bool(first & TRUE_BIT), 1, first & MODE_BITS & ~TRUE_BIT)
    size = SIZES[first >> 6]
    if at + 1 + size > end:
        raise CompressedError(f"this int needs {size} bytes after its first one, but only {end - at - 1} are left.")
    return CompactValue(int.from_bytes(data[at + 1 : at + 1 + size], "little", signed=True), 1 + size)


def encode(value: bool | int, size: int | None = None) -> bytes:
    """The short form of a bool or an int.

    Args:
        value: what it shall say.
        size: bytes of an int's number (1, 2, 4 or 8); by default the fewest that hold it, as engines write it.

    Raises:
        CompressedError: the number does not fit, or there is no such size.
    """
    if isinstance(value, bool):
        return bytes((BOOL | (TRUE_BIT if value else 0),))
    for mode, room in enumerate(SIZES):
        if size not in (None, room):
            continue
        if -(1 << 8 * room - 1) <= value < 1 << 8 * room - 1:
            return bytes((INT | mode << 6,)) + value.to_bytes(room, "little", signed=True)
    widest = size if size in SIZES else SIZES[-1]
    if size is not None and size not in SIZES:
        raise CompressedError(f"An int takes 1, 2, 4 or 8 bytes, not {size}.")
    raise CompressedError(f"{value} does not fit in {8 * widest} bits.")


def compressed(draft: MessageDraft, name: str) -> str:
    """A value in its short form, or an ordinary one, and its piece; returns its text.

    Raises:
        Broken: it cannot be read.
    """
    at, end = draft.at, draft.end
    if at >= end:
        raise MessageBroken(f"At byte {at}: {name} should begin here, but nothing is left.")
    first = draft.data[at]
    if not is_short(first):
        if first & MODE_BITS:
            raise MessageBroken(
                f"At byte {at}: {name} has the type byte 0x{first:02X}; only int and bool may have its high bits set."
            )
        return draft.value(name).text
    try:
        short = decode(draft.data, at, end)
    except CompressedError as error:
        raise MessageBroken(f"In {name}, at byte {at}: {error}") from None
    assert short is not None
    draft.has_values = True
    if isinstance(short.value, bool):
        text = "true" if short.value else "false"
        if short.spare:
            draft.remark(Severity.WARNING, f"In {name}, at byte {at}: bit 6 means nothing for a bool.")
        draft.put(name, 1, text, FieldRole.COMPRESSED)
        return text
    text = str(short.value)
    children = (
        MessageField(Span(at, at + 1), "form", short.form),
        MessageField(Span(at + 1, at + short.size), "value", text),
    )
    draft.put(name, short.size, text, FieldRole.COMPRESSED, children)
    return text


# Messages.


# Godot 4's replication: nodes that a server spawns and properties that it keeps the same everywhere.
#
# Names of properties are not sent: a sync lists the values of all that are synchronised always, a delta those of the
# ones that its mask names, counted among the ones that are sent on change.

_Values = Callable[[MessageDraft, list[str], int], None]
CUSTOM_SCENE = 255
SYNC_ITEM, DELTA_ITEM = 8, 16
"""Bytes of an item before its values."""


def read_spawn(draft: MessageDraft) -> None:
    """A spawned node with the properties that it begins with.

    Raises:
        Broken: it cannot be followed to its end.
    """
    scene = draft.peek(1, "the scene")
    draft.put("scene", 1, f"{scene} (custom)" if scene == CUSTOM_SCENE else str(scene))
    spawner = draft.peek(4, "the spawner")
    draft.put("spawner", 4, f"path id {draft.known.node_text(draft.sender, spawner)}")
    net_id = draft.number("net id", 4)
    count = draft.number("synchronizer count", 4)
    length = draft.number("name length", 4)
    if 4 * count + length > draft.left:
        raise MessageBroken(
            f"At byte {draft.at}: {count_bytes(4 * count + length)} for synchronizers and name are promised,"
            f" but only {draft.left} are left."
        )
    if length < 1:
        raise MessageBroken(f"At byte {draft.at - 4}: the name's length is zero.")
    synchronizers = [draft.number(f"synchronizer {k + 1}", 4) for k in range(count)]
    name = _name(draft, length)
    for k, number in enumerate(synchronizers):
        draft.known.spawn(draft.sender, number, f"{name}, synchronizer {k + 1}")
    draft.known.spawn(draft.sender, net_id, name)
    texts = []
    if scene == CUSTOM_SCENE:
        texts.append(_custom(draft))
    properties = _values(draft, draft.end, "property")
    where = draft.known.node_name(draft.sender, spawner)
    how = f"({', '.join(texts)})" if texts else f", scene {scene}"
    draft.summary = f"{where} spawns {name}{how}" + (f": {', '.join(properties)}" if properties else "")
    draft.doubtful |= not name.isprintable() or spawner >= LIKELY_IDS or net_id >= LIKELY_IDS
    draft.evidence = 6.0


def _name(draft: MessageDraft, length: int) -> str:
    """The node's name, whose length counts its NUL; what stands behind an earlier NUL is ignored."""
    end = draft.at + length
    name = draft.text("name", end)
    rest = end - draft.at
    if rest > 0:
        follow = f"{count_bytes(rest)} follow{'s' * (rest == 1)}"
        draft.remark(Severity.WARNING, f"At byte {draft.at}: {follow} the name's NUL.")
        draft.opaque("ignored", end)
    return name


def _custom(draft: MessageDraft) -> str:
    """The one value that a spawn function gets."""
    size = draft.peek(4, "the size of the spawn data")
    draft.put("data size", 4, str(size))
    draft.expect(size, "the spawn data")
    whole = draft.end
    draft.end = draft.at + size
    text = compressed(draft, "spawn data")
    draft.ignored()
    draft.end = whole
    return text


def read_despawn(draft: MessageDraft) -> None:
    """A node that was spawned is gone.

    Raises:
        Broken: its id is cut off.
    """
    number = draft.peek(4, "the net id")
    draft.put("net id", 4, draft.known.net_text(draft.sender, number))
    draft.summary = f"{draft.known.net_name(draft.sender, number) or f'net id {number}'} is gone"
    draft.doubtful |= number >= LIKELY_IDS
    draft.evidence = 1.0
    draft.ignored()


def read_sync(draft: MessageDraft) -> None:
    """Properties that are sent again and again.

    Raises:
        Broken: it cannot be followed to its end.
    """
    counter = draft.number("counter", 2)
    texts = []
    while draft.left >= SYNC_ITEM:
        texts.append(_item(draft, SYNC_ITEM, _sync_values))
    draft.summary = f"#{counter} {'; '.join(texts)}"
    draft.doubtful |= not texts
    draft.evidence = 3.0
    draft.ignored()


def read_changes(draft: MessageDraft) -> None:
    """Properties that have changed.

    Raises:
        Broken: it cannot be followed to its end.
    """
    texts = []
    while draft.left >= DELTA_ITEM:
        texts.append(_item(draft, DELTA_ITEM, _delta_values))
    draft.summary = "; ".join(texts)
    draft.doubtful |= not texts
    draft.evidence = 4.0
    draft.ignored()


def _item(draft: MessageDraft, head: int, values: _Values) -> str:
    """One synchronizer's part of a sync or delta; returns its text."""
    at = draft.at
    number = int.from_bytes(draft.data[at : at + 4], "little")
    size = int.from_bytes(draft.data[at + head - 4 : at + head], "little")
    name = draft.known.net_name(draft.sender, number) or _plain_name(number)
    end = min(draft.end, at + head + size)
    texts: list[str] = []
    draft.doubtful |= number & ~PATH_BIT >= LIKELY_IDS
    with draft.group("item", end, lambda: f"{name}: {', '.join(texts)}"):
        draft.put("net id", 4, draft.known.net_text(draft.sender, number))
        values(draft, texts, size)
    return f"{name}: {', '.join(texts)}"


def _plain_name(number: int) -> str:
    return f"node {number & ~PATH_BIT}" if number & PATH_BIT else f"net id {number}"


def _sync_values(draft: MessageDraft, texts: list[str], size: int) -> None:
    draft.put("size", 4, str(size))
    draft.expect(size, "the item")
    texts.extend(_values(draft, draft.end, "property"))


def _delta_values(draft: MessageDraft, texts: list[str], size: int) -> None:
    mask = draft.peek(8, "the mask")
    bits = [bit for bit in range(64) if mask >> bit & 1]
    draft.put("mask", 8, f"0x{mask:X} (properties {', '.join(map(str, bits))})" if bits else "0 (no property)")
    draft.put("size", 4, str(size))
    draft.expect(size, "the item")
    for bit in bits:
        if not draft.left:
            raise MessageBroken(
                f"At byte {draft.at}: the mask names {len(bits)} properties, but no value is left for {bit}."
            )
        texts.append(f"{bit} = {compressed(draft, f'property {bit}')}")
    if draft.left:
        follow = f"{count_bytes(draft.left)} follow{'s' * (draft.left == 1)}"
        raise MessageBroken(f"At byte {draft.at}: {follow} the values that the mask names.")


def _values(draft: MessageDraft, end: int, name: str) -> list[str]:
    """Values up to *end*."""
    texts: list[str] = []
    while draft.at < end:
        texts.append(compressed(draft, f"{name} {len(texts) + 1}"))
    return texts


COMMANDS = ("call", "simplify path", "confirm path", "raw", "spawn", "despawn", "sync", "system")
CALL, SIMPLIFY, CONFIRM, RAW, SPAWN, DESPAWN, SYNC, SYSTEM = range(8)
COMMAND_BITS, SPARE_BIT, DELTA_BIT = 0x07, 0x08, 0x10
NODE_SIZES = (1, 2, 4)
WIDE_METHOD_BIT, RAW_BIT = 0x40, 0x80
SYSTEM_WORDS = ("auth", "add peer", "remove peer", "relay")
AUTH, ADD, REMOVE, RELAY = range(4)
SUM_DIGITS = 32
CONFIRM_SIZE = 6
"""Bytes of a confirm path since 4.3, which sends a number; before it sent the path."""
HEX = frozenset("0123456789abcdef")


class _Node(NamedTuple):
    """Whose method: its path where it is known, its name for the summary, and where a path in the packet begins."""

    path: str | None
    name: str
    path_at: int


def read_packet(draft: MessageDraft) -> None:
    """A packet from its first byte on.

    Raises:
        Broken: it cannot be followed to its end.
    """
    _ends(draft)
    first = draft.peek(1, "the command")
    if first & COMMAND_BITS == SYSTEM:
        _system(draft, first)
    else:
        _ordinary(draft, first)


def read_client_id(draft: MessageDraft) -> int:
    """The first frame that a client gets over WebSocket: its own id.

    Raises:
        Broken: it is cut off.
    """
    _ends(draft)
    peer = draft.peek(4, "the id", signed=True)
    draft.put("id", 4, peer_text(peer))
    draft.kind, draft.summary = "your id", f"your id {peer}"
    draft.receiver = peer
    draft.evidence = 0.5
    return peer


def _ends(draft: MessageDraft) -> None:
    """Who speaks to whom, where no relay says otherwise."""
    client = draft.known.client
    if draft.from_server is not None:
        draft.sender, draft.receiver = (SERVER, client) if draft.from_server else (client, SERVER)


def _ordinary(draft: MessageDraft, first: int) -> None:
    """A packet that is no system message."""
    draft.base = draft.at
    command = first & COMMAND_BITS
    draft.kind = "delta" if command == SYNC and first & DELTA_BIT else COMMANDS[command]
    draft.put("command", 1, _command_text(first))
    meant = {CALL: ~SPARE_BIT, SYNC: COMMAND_BITS | DELTA_BIT}.get(command, COMMAND_BITS)
    draft.doubtful |= bool(first & ~meant)
    if command == CALL:
        _call(draft, first)
    elif command == SIMPLIFY:
        _simplify(draft)
    elif command == CONFIRM:
        _confirm(draft)
    elif command == SPAWN:
        read_spawn(draft)
    elif command == DESPAWN:
        read_despawn(draft)
    elif command == SYNC:
        (read_changes if first & DELTA_BIT else read_sync)(draft)
    else:
        draft.expect(1, "the data")
        draft.summary = draft.opaque("data")
        draft.evidence = 0.1


@lru_cache(maxsize=256)
def _command_text(first: int) -> str:
    """The first byte with its flags: ``0 (call), 8-bit node, 8-bit method, raw``."""
    command = first & COMMAND_BITS
    if command == CALL:
        mode = first >> 4 & 3
        node = f"{8 * NODE_SIZES[mode]}-bit node" if mode < len(NODE_SIZES) else "node of no known size"
        method = "16-bit method" if first & WIDE_METHOD_BIT else "8-bit method"
        return f"{command} ({COMMANDS[command]}), {node}, {method}" + (", raw" if first & RAW_BIT else "")
    if command == SYNC and first & DELTA_BIT:
        return f"{command} (sync), delta"
    return f"{command} ({COMMANDS[command]})"


# Calls


def _call(draft: MessageDraft, first: int) -> None:
    mode = first >> 4 & 3
    if mode >= len(NODE_SIZES):
        raise MessageBroken(
            f"At byte {draft.at - 1}: the command says that node ids have size {mode}, which does not exist."
        )
    node = _node(draft, NODE_SIZES[mode])
    size = 2 if first & WIDE_METHOD_BIT else 1
    method = draft.peek(size, "the method")
    name = draft.known.method_text(node.path, method)
    plain = number_text(method)
    draft.put("method", size, plain if name == plain else f"{plain} = {name}")
    whole = draft.end
    if node.path_at:
        draft.end = node.path_at
    try:
        texts = _raw_argument(draft) if first & RAW_BIT else _arguments(draft)
    except MessageBroken as error:
        draft.broken(error)
    else:
        draft.summary = f"{node.name}.{name}({', '.join(texts)})"
    draft.ignored()
    draft.end = whole
    if node.path_at:
        draft.text("path")
        draft.ignored()
    draft.evidence += 6.0 if node.path_at else 2.0 if node.path is not None else 0.02 if first & RAW_BIT else 0.5


def _node(draft: MessageDraft, size: int) -> _Node:
    word = draft.peek(size, "the node")
    if not word & PATH_BIT:
        path = draft.known.path(draft.sender, word)
        draft.put("node", size, draft.known.node_text(draft.sender, word))
        draft.doubtful |= word >= LIKELY_IDS
        return _Node(path, path or f"node {word}", 0)
    at = draft.base + (word & ~PATH_BIT)
    if not draft.at + size <= at < draft.end:
        raise MessageBroken(
            f"At byte {draft.at}: the node's path should begin at byte {at}, but it can only be"
            f" between byte {draft.at + size} and the packet's end at {draft.end}."
        )
    path, _ = draft.text_at(at, draft.end)
    draft.put("node", size, f"path at {at - draft.base} = {path}")
    draft.doubtful |= not is_likely_path(path)
    return _Node(path, path, at)


def _arguments(draft: MessageDraft) -> list[str]:
    count = draft.number("argument count", 1)
    texts = [compressed(draft, f"argument {k + 1}") for k in range(count)]
    draft.evidence += min(count, 3)
    return texts


def _raw_argument(draft: MessageDraft) -> list[str]:
    """Everything that is left is one array of bytes; where nothing is, there is no argument."""
    if not draft.left:
        return []
    return [f"PackedByteArray({draft.opaque('argument 1')})"]


# Paths


def _simplify(draft: MessageDraft) -> None:
    draft.expect(SUM_DIGITS + 1 + 4 + 1, "the rest of it")
    start = draft.at
    md5, _ = draft.text_at(start, start + SUM_DIGITS + 1)
    draft.put("method list", SUM_DIGITS + 1, draft.known.sum_text(md5))
    number = draft.number("id", 4)
    path = draft.text("path")
    draft.known.simplify(draft.sender, number, path, md5)
    draft.summary = f"{number} = {path}"
    draft.doubtful |= len(md5) != SUM_DIGITS or not HEX.issuperset(md5) or not is_likely_path(path)
    draft.evidence = 10.0
    draft.ignored()


def _confirm(draft: MessageDraft) -> None:
    matched = draft.peek(1, "whether the method lists match")
    draft.put("methods match", 1, f"{matched} ({'yes' if matched else 'no'})")
    draft.expect(1, "the path")
    remark = "" if matched else ", but the method lists differ"
    if _confirms_a_number(draft):
        number = draft.peek(4, "the id")
        owner = draft.receiver
        draft.put("id", 4, draft.known.node_text(owner, number))
        draft.summary = draft.known.node_text(owner, number) + remark
        draft.doubtful |= not draft.known.sends_numbers or number >= LIKELY_IDS
    else:
        path = draft.text("path")
        draft.summary = path + remark
        draft.doubtful |= draft.known.sends_numbers or not is_likely_path(path)
    draft.doubtful |= matched > 1
    draft.evidence = 3.0
    draft.ignored()


def _confirms_a_number(draft: MessageDraft) -> bool:
    """Whether a number follows and no path; a path of three characters is as long as a number."""
    if draft.end - draft.base != CONFIRM_SIZE:
        return False
    number = int.from_bytes(draft.data[draft.at : draft.at + 4], "little")
    if draft.known.path(draft.receiver, number) is not None:
        return True
    rest = draft.data[draft.at : draft.end]
    looks_like_path = rest[3] == 0 and rest[:3].isascii() and rest[:3].decode("ascii").isprintable()
    return not looks_like_path


# System messages


def _system(draft: MessageDraft, first: int) -> None:
    draft.kind = "system"
    draft.put("command", 1, _command_text(first))
    draft.doubtful |= first != SYSTEM
    number = draft.peek(1, "the system message")
    if number >= len(SYSTEM_WORDS):
        raise MessageBroken(f"At byte {draft.at}: system message {number} does not exist; there are 0 to 3.")
    draft.kind = SYSTEM_WORDS[number]
    draft.put("message", 1, f"{number} ({draft.kind})")
    if number == AUTH:
        draft.summary = f"auth: {draft.opaque('data')}" if draft.left else "auth is done"
        draft.evidence = 0.1
        return
    peer = draft.peek(4, "the peer", signed=True)
    if number == RELAY:
        _relay(draft, peer)
        return
    draft.put("peer", 4, peer_text(peer))
    draft.summary = f"{draft.kind} {peer}"
    draft.doubtful |= peer <= 0
    draft.evidence = 2.0
    draft.ignored()


def _relay(draft: MessageDraft, peer: int) -> None:
    """A packet that the server passes on: to the server with its target, from there with its source."""
    if draft.from_server:
        draft.put("source", 4, peer_text(peer))
        draft.sender = peer
        way = f"from {peer}"
    elif draft.from_server is None:
        draft.put("source or target", 4, peer_text(peer))
        draft.sender = draft.receiver = None
        way = f"relayed, {peer}"
    else:
        draft.put("target", 4, peer_text(peer))
        draft.receiver = peer
        way = f"to {peer_text(peer)}"
    first = draft.peek(1, "the packet inside")
    if first & COMMAND_BITS == SYSTEM:
        raise MessageBroken(f"At byte {draft.at}: a system message cannot be relayed.")
    try:
        with draft.group("packet", draft.end, lambda: draft.summary or draft.kind):
            _ordinary(draft, first)
    finally:
        draft.kind = f"relayed {draft.kind}"
        draft.summary = f"{way}: {draft.summary}" if draft.summary else ""
    draft.evidence += 1.0
