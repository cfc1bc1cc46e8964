"""Godot 4's replication: nodes that a server spawns and properties that it keeps the same everywhere.

Names of properties are not sent: a sync lists the values of all that are synchronised always, a delta those of the ones
that its mask names, counted among the ones that are sent on change.
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.base.diagnostic import Severity, count_bytes
from viewer.document.packets.arguments import compressed
from viewer.document.packets.draft import Broken, Draft
from viewer.document.packets.godot3 import LIKELY_IDS
from viewer.document.packets.paths import PATH_BIT

_Values = Callable[[Draft, list[str], int], None]
CUSTOM_SCENE = 255
SYNC_ITEM, DELTA_ITEM = 8, 16
"""Bytes of an item before its values."""


def read_spawn(draft: Draft) -> None:
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
        raise Broken(
            f"At byte {draft.at}: {count_bytes(4 * count + length)} for synchronizers and name are promised,"
            f" but only {draft.left} are left."
        )
    if length < 1:
        raise Broken(f"At byte {draft.at - 4}: the name's length is zero.")
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


def _name(draft: Draft, length: int) -> str:
    """The node's name, whose length counts its NUL; what stands behind an earlier NUL is ignored."""
    end = draft.at + length
    name = draft.text("name", end)
    if draft.at < end:
        draft.remark(
            Severity.WARNING, f"At byte {draft.at}: {count_bytes(end - draft.at)} stand behind the name's NUL."
        )
        draft.opaque("ignored", end)
    return name


def _custom(draft: Draft) -> str:
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


def read_despawn(draft: Draft) -> None:
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


def read_sync(draft: Draft) -> None:
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


def read_changes(draft: Draft) -> None:
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


def _item(draft: Draft, head: int, values: _Values) -> str:
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


def _sync_values(draft: Draft, texts: list[str], size: int) -> None:
    draft.put("size", 4, str(size))
    draft.expect(size, "the item")
    texts.extend(_values(draft, draft.end, "property"))


def _delta_values(draft: Draft, texts: list[str], size: int) -> None:
    mask = draft.peek(8, "the mask")
    bits = [bit for bit in range(64) if mask >> bit & 1]
    draft.put("mask", 8, f"0x{mask:X} (properties {', '.join(map(str, bits))})" if bits else "0 (no property)")
    draft.put("size", 4, str(size))
    draft.expect(size, "the item")
    for bit in bits:
        if not draft.left:
            raise Broken(f"At byte {draft.at}: the mask names {len(bits)} properties, but no value is left for {bit}.")
        texts.append(f"{bit} = {compressed(draft, f'property {bit}')}")
    if draft.left:
        raise Broken(f"At byte {draft.at}: {count_bytes(draft.left)} follow the values that the mask names.")


def _values(draft: Draft, end: int, name: str) -> list[str]:
    """Values up to *end*."""
    texts: list[str] = []
    while draft.at < end:
        texts.append(compressed(draft, f"{name} {len(texts) + 1}"))
    return texts
