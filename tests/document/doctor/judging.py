"""Judging: what an offer of the doctor makes of damaged bytes, beside what is known of the damage."""

from __future__ import annotations

import gzip
import json
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from viewer.container.frames import FramingKind
from viewer.document.damage import LOOSE
from viewer.document.detection.detect import looks_like_values
from viewer.document.doctor import Repair, preview
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.splice import Splice, applied
from viewer.document.wraps import UnwrapOptions, take_off
from viewer.variant.dialect import load
from viewer.variant.read import read
from viewer.variant.value import Value

HERE = Path(__file__).parent
TRUTHS = (HERE / "truths.toml", HERE / "heldout" / "truths.toml")
Leaf = tuple[int, int]
"""Start and end of the bytes of one value, in the innermost layer."""


@dataclass(frozen=True, slots=True)
class Known:
    """Damaged bytes and what is known of them.

    Args:
        kind: what was done.
        data: the damaged bytes.
        results: bytes that a right repair gives; none where nobody can know what was there.
        equal_values: whether equal numbers of another width are as good.
        dialect: the key of the dialect of the undamaged bytes.
        framed: whether their values have length prefixes.
        leaves: values whose bytes are whole, in the bytes as the program should unwrap them.
    """

    kind: str
    data: bytes
    results: tuple[bytes, ...]
    equal_values: bool
    dialect: str
    framed: bool
    leaves: tuple[Leaf, ...]

    @property
    def choice(self) -> ReadOptions:
        """How the undamaged bytes are read."""
        return ReadOptions(load(self.dialect), None, FramingKind.STORED if self.framed else FramingKind.BARE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an offer is worth.

    Args:
        slug: the name of its cause.
        probability: how sure the doctor is of it.
        restores: whether it gives the undamaged bytes back.
        true: whether it does, or names what was done.
        harmful: whether sound values that are shown now would be lost, and nothing is restored.
    """

    slug: str
    probability: float
    restores: bool
    true: bool
    harmful: bool


def known(line: str) -> Known:
    """One case from its line of JSON."""
    row: dict[str, Any] = json.loads(line)
    results = ([row["undamaged"]] if row["undamaged"] is not None else []) + row["also_right"]
    return Known(
        row["damage"],
        bytes.fromhex(row["data"]),
        tuple(bytes.fromhex(each) for each in results),
        row["equal_values_suffice"],
        row["dialect"],
        row["framed"],
        tuple((start, end) for start, end in row["intact_leaves"]),
    )


def load_cases(path: Path) -> Iterator[Known]:
    """All cases of a file, which may be compressed with gzip."""
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return map(known, text.decode().splitlines())


def slug(repair: Repair) -> str:
    """The name of what a repair says was done."""
    return str(getattr(repair, "slug", "") or repair.cause.slug)


def probability(repair: Repair) -> float:
    """How sure the doctor is of a repair, 0 to 1."""
    found: Any = getattr(repair, "probability", None) or getattr(repair, "confidence", 0.0)
    return float(found)


@cache
def truths() -> dict[str, list[str]]:
    """The names that are true of each kind of damage, as patterns of :mod:`fnmatch`."""
    found: dict[str, list[str]] = {}
    for path in TRUTHS:
        if path.exists():
            found.update(tomllib.loads(path.read_text(encoding="utf-8")))
    return found


def is_whole(case: Known, document: Document) -> bool:
    """Whether opening the bytes was all that was to be done, whatever is said of the wraps around them."""
    found = bytes(document.buffer[:]) in case.results and is_sound(document)
    return found and len(shown(case, document)) == len(case.leaves)


def is_sound(document: Document) -> bool:
    """Whether all values are sound and fill the bytes, and none is guessed."""
    buffer, framing = document.buffer, document.framing
    sound = all(
        frame.sound and not frame.gaps and frame.table.guess is None and frame.prefix_is_true(buffer, framing)
        for frame in document.frames
    )
    loose = any(found.code in LOOSE for frame in document.frames for found in frame.table.diagnostics)
    return bool(document.frames) and not document.gaps and sound and not loose


def judged(case: Known, document: Document, repair: Repair) -> Verdict:
    """What an offer for a document with the damaged bytes is worth."""
    after = preview(document, repair) if repair.can_be_applied else None
    is_restored = after is not None and restores(case, document, after)
    is_harmful = after is not None and not is_restored and bool(lost(case, document, repair, after))
    named = slug(repair)
    return Verdict(named, probability(repair), is_restored, is_restored or names(case.kind, named), is_harmful)


def names(kind: str, named: str) -> bool:
    """Whether the name of a cause says what was done."""
    return any(fnmatchcase(named, pattern) for pattern in truths().get(kind, [kind]))


def restores(case: Known, document: Document, after: Document) -> bool:
    """Whether these are the undamaged bytes, or as good as they are; what was there already must now read, too."""
    if bytes(document.buffer[:]) in case.results:
        return is_whole(case, after)
    found = {bytes(after.buffer[:]), bytes(take_off(after.buffer[:], UnwrapOptions(), looks_like_values).inside[:])}
    if any(each in case.results for each in found):
        return True
    if not case.equal_values or not case.results:
        return False
    wanted = [values for each in case.results if (values := values_in(each, case.choice)) is not None]
    some = [values for each in found if (values := values_in(each, case.choice)) is not None]
    return any(_equal(a, b) for a in wanted for b in some)


def values_in(data: bytes, choice: ReadOptions) -> list[Value] | None:
    """All values, where each is sound and they fill the bytes; else None."""
    bare = ReadOptions(choice.dialect, choice.precision, choice.framing, UnwrapOptions(()), False)
    document = Document(data, choice=bare)
    if not is_sound(document):
        return None
    return [read(frame.table) for frame in document.frames]


def _equal(one: Any, other: Any) -> bool:
    """Whether values are the same, however deep and in whatever width; a NaN is another."""
    pairs: list[tuple[Any, Any]] = [(one, other)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, tuple | list) and isinstance(b, tuple | list):
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif isinstance(a, bool) or isinstance(b, bool):
            if a is not b:
                return False
        elif isinstance(a, int | float) and isinstance(b, int | float):
            if type(a) is not type(b) or not (a == b or (a != a and b != b)):
                return False
        elif type(a) is not type(b):
            return False
        elif hasattr(a, "__dataclass_fields__"):
            pairs.extend((getattr(a, name), getattr(b, name)) for name in a.__dataclass_fields__)
        elif a != b:
            return False
    return True


def spans(document: Document) -> set[Leaf]:
    """Where the nodes of all values lie that are shown, recovered ones too."""
    found: set[Leaf] = set()
    for frame in document.frames:
        table, start = frame.table, frame.start
        found.update((start + table.start[node], start + table.end(node)) for node in table.nodes)
    return found


def shown(case: Known, document: Document) -> list[Leaf]:
    """The whole values that are shown now."""
    places = spans(document)
    return [leaf for leaf in case.leaves if leaf in places]


def lost(case: Known, document: Document, repair: Repair, after: Document) -> list[Leaf]:
    """The whole values that are shown now and would not be any more, with the same bytes."""
    splices = repair.edit.splices if repair.edit is not None else ()
    buffer, places = bytes(document.buffer[:]), spans(after)
    moved = bytes(applied(document.buffer, splices)[:]) == bytes(after.buffer[:])
    touched, gone = [], []
    for leaf in shown(case, document):
        place = _landed(leaf, splices)
        if place is None or not moved:
            touched.append(leaf)
        elif place not in places:
            gone.append(leaf)
    return sorted(gone + _missing(buffer, touched, bytes(after.buffer[:]), places))


def _landed(leaf: Leaf, splices: Sequence[Splice]) -> Leaf | None:
    """Where a value lies after the splices; None where one of them touches it."""
    start, end = leaf
    for splice in splices:
        stop = splice.offset + len(splice.removed)
        if start < splice.offset < end or (splice.offset < end and stop > start):
            return None
        if stop <= start:
            start, end = start + splice.growth, end + splice.growth
    return start, end


def _missing(buffer: bytes, leaves: list[Leaf], after: bytes, places: set[Leaf]) -> list[Leaf]:
    """Of the values that were written anew, those that are not there, in the same order, with the same bytes."""
    if not leaves:
        return []
    before = [buffer[start:end] for start, end in leaves]
    wanted = set(before)
    now = [piece for start, end in sorted(places) if (piece := after[start:end]) in wanted]
    blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
    starts = [block.a for block in blocks]

    def is_there(index: int) -> bool:
        block = blocks[bisect_right(starts, index) - 1] if starts[0] <= index else None
        return block is not None and index < block.a + block.size

    return [leaf for index, leaf in enumerate(leaves) if not is_there(index)]
