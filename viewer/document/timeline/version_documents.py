"""The versions of a timeline as documents, what changed from each to the next, and one value through all of them."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from itertools import pairwise

from viewer.base.progress import Cancelled, Progress
from viewer.base.record import dataclass, replace
from viewer.base.version import VERSION
from viewer.container.frames import FramingKind
from viewer.document import outline
from viewer.document.damage import is_damaged
from viewer.document.disk.files import FileProblem
from viewer.document.disk.private_files import write_private
from viewer.document.document import Document
from viewer.document.path import PathError, parse_path
from viewer.document.reading import ReadOptions
from viewer.document.timeline.step_summary import FIRST, step_summary, usual_places
from viewer.document.timeline.timeline import KeptVersion, Timeline, TimelineProblem
from viewer.document.timeline.version_steps import Lineage, Place, VersionStep, path_of, place_of, version_step
from viewer.variant.literal.preview import part_text, text
from viewer.variant.read import read_shallow

MOST_HELD = 1 << 27
"""Bytes of files whose documents are held."""
MOST_DOCUMENTS = 64
SUMMARIES = "summaries"
LATEST = 12
"""So many versions tell what changes nearly every time."""
VALUE_LIMIT = 120
CLOSED = "Encrypted, and no password is known here"


@dataclass(frozen=True, slots=True)
class FollowedValue:
    """A value as it is in one version.

    Args:
        version: which.
        path: where it is there; empty where it is not.
        text: the value, shortened; empty where there is none.
        number: the same as a number, None for what is none.
        digest: tells its bytes from others: of a long value the text is the same for many; empty where there are none.
        change: what changed inside since the version before, where the text does not tell all of it.
    """

    version: KeptVersion
    path: str
    text: str
    number: float | None
    digest: bytes = b""
    change: str = ""

    def is_as(self, other: FollowedValue) -> bool:
        """Whether it is the same value as in another version, or there is none in both."""
        return (bool(self.path), self.text, self.digest) == (bool(other.path), other.text, other.digest)

    def hides(self, other: FollowedValue) -> bool:
        """Whether the text may not tell in what it differs from another version's."""
        return self.text == other.text or self.text.endswith("…")


class VersionDocuments:
    """Opens versions, and knows what changed between them; both are kept for the next question.

    Args:
        timeline: it.
        choice: how to read them: the password of the open file is in it.
    """

    def __init__(self, timeline: Timeline, choice: ReadOptions | None = None) -> None:
        self._timeline = timeline
        self._choice = choice or ReadOptions()
        self._held: OrderedDict[str, Document] = OrderedDict()
        self._steps: dict[tuple[str, str, int], VersionStep] = {}
        self._words: dict[str, str] | None = None
        self._unsaved = 0
        self._usual: set[Place] | None = None

    def document(self, version: KeptVersion) -> Document:
        """A version, opened; it belongs to no file.

        Raises:
            TimelineProblem: it cannot be read.
        """
        found = self._held.pop(version.content, None)
        if found is None:
            name = f"{self._timeline.file.name} (version {version.number})"
            data = self._timeline.read(version)
            try:
                found = self._read(data, name)
            except FileProblem as problem:
                raise TimelineProblem(str(problem)) from problem
        self._held[version.content] = found
        size = sum(len(each.wraps.outside) + len(each.buffer) for each in self._held.values())
        while len(self._held) > 2 and (size > MOST_HELD or len(self._held) > MOST_DOCUMENTS):
            _, dropped = self._held.popitem(last=False)
            size -= len(dropped.wraps.outside) + len(dropped.buffer)
        return found

    def _read(self, data: bytes, name: str) -> Document:
        """Bytes as a document; read as the version before was, where they are sound so and nobody says otherwise."""
        last, choice = next(reversed(self._held.values()), None), self._choice
        is_plain = last is not None and last.text is None and last.structure is None
        if last is None or not is_plain or not choice.leaves_all_open or choice.preferred is not None:
            return Document(data, name=name, choice=choice)
        framing = last.framing
        same = replace(
            choice,
            dialect=last.dialect,
            precision=last.precision,
            framing=framing.kind,
            big_endian=framing.big_endian if framing.kind is FramingKind.STORED else None,
        )
        found = Document(data, name=name, choice=same)
        is_same = found.wraps.names == last.wraps.names and found.frames and not is_damaged(found)
        return found if is_same else Document(data, name=name, choice=choice)

    def step(self, old: KeptVersion, new: KeptVersion, progress: Progress | None = None) -> VersionStep:
        """What changed from one version to another one.

        Raises:
            TimelineProblem: one of them cannot be read.
            Cancelled: *progress* gave up.
        """
        key = old.content, new.content, new.number
        found = self._steps.get(key)
        if found is None:
            found = version_step(new.number, self.document(old), self.document(new), progress)
            self._steps[key] = found
        return found

    def steps(self, versions: Sequence[KeptVersion], progress: Progress | None = None) -> list[VersionStep]:
        """What changed from each of several versions to the next.

        Args:
            versions: the oldest first.
            progress: told how many are known; returning False gives up.

        Raises:
            TimelineProblem: one of them cannot be read.
            Cancelled: *progress* gave up.
        """
        out = []
        for number, (old, new) in enumerate(pairwise(versions)):
            if progress is not None and not progress(number):
                raise Cancelled
            out.append(self.step(old, new))
        return out

    # Summaries

    def summary(self, old: KeptVersion | None, new: KeptVersion) -> str:
        """What changed from one version to the next, in a few words; a sentence where that cannot be said."""
        if old is None:
            return FIRST
        key = f"{old.content[:24]} {new.content[:24]}"
        if self._words is None:
            self._words = self._known_words()
        if key not in self._words:
            try:
                if any(self.document(version).wraps.blocked is not None for version in (old, new)):
                    return CLOSED if new.is_secret or old.is_secret else "Its wraps cannot be taken off"
                said = step_summary(self.step(old, new), self._usual_places())
            except TimelineProblem as problem:
                return str(problem)
            if new.is_secret or old.is_secret:
                return said  # what was encrypted is not written down in plain
            self._words[key] = said
            self._unsaved += 1
        return self._words[key]

    def _usual_places(self) -> set[Place]:
        """The places that changed nearly every time of late; a person hardly asks for them."""
        if self._usual is None:
            latest = self._timeline.versions[-LATEST:]
            try:
                self._usual = usual_places(self.steps(latest))
            except TimelineProblem:
                self._usual = set()
        return self._usual

    def known_summary(self, old: KeptVersion | None, new: KeptVersion) -> str | None:
        """The same without any work; None where it is not known yet."""
        if old is None:
            return FIRST
        if self._words is None:
            self._words = self._known_words()
        return self._words.get(f"{old.content[:24]} {new.content[:24]}")

    def _known_words(self) -> dict[str, str]:
        try:
            said = json.loads((self._timeline.folder / SUMMARIES).read_bytes())
            if said.pop("version", None) != VERSION:
                return {}
            return {str(key): str(words) for key, words in said.items()}
        except (OSError, ValueError, AttributeError, RecursionError):
            return {}

    def keep_summaries(self) -> None:
        """Write down the summaries that are known, for the next time; nothing of encrypted versions."""
        if not self._unsaved or not self._words:
            return
        live = [version.content[:24] for version in self._timeline.versions]
        pairs = {f"{old} {new}" for old, new in pairwise(live)}
        words = {key: said for key, said in self._words.items() if key in pairs}
        with contextlib.suppress(OSError):
            write_private(self._timeline.folder / SUMMARIES, json.dumps({"version": VERSION, **words}).encode())
            self._unsaved = 0

    # One value

    def followed(
        self, versions: Sequence[KeptVersion], at: int, path: str, progress: Progress | None = None
    ) -> list[FollowedValue]:
        """A value in all versions: the same one, wherever it is in each.

        Args:
            versions: the oldest first.
            at: the place in *versions* of the one that *path* counts in.
            path: of the value.
            progress: told how many versions were looked at; returning False gives up.

        Raises:
            PathError: there is no such value in that version.
            TimelineProblem: a version cannot be read.
            Cancelled: *progress* gave up.
        """
        document = self.document(versions[at])
        item = parse_path(document, path)
        place = place_of(document, item)
        places = self._places(versions, at, place, progress)
        out: list[FollowedValue] = []
        for number, version in enumerate(versions):
            if progress is not None and not progress(number):
                raise Cancelled
            value, before = self._value(version, places.get(number)), out[-1] if out else None
            if before is not None and value.path and not value.is_as(before) and value.hides(before):
                there = places[number], places.get(number - 1) if before.path else None
                value = replace(value, change=self._inside(versions[number - 1], version, *there))
            out.append(value)
        return out

    def _inside(self, old: KeptVersion, new: KeptVersion, place: Place, before: Place | None) -> str:
        """What changed in a collection, in a few words; it is at *place* now, and was at *before*, None for nowhere."""
        step = self.step(old, new)
        changes = tuple(
            each
            for each in step.changes
            if (each.new is not None and each.new[: len(place)] == place)
            or (before is not None and each.new is None and each.old is not None and each.old[: len(before)] == before)
        )
        return step_summary(replace(step, changes=changes)) if changes else ""

    def _places(
        self, versions: Sequence[KeptVersion], at: int, place: Place, progress: Progress | None
    ) -> dict[int, Place]:
        if len(place) > 1 and not any(isinstance(step, int) for step in place[1:]):
            one_value = all(
                len(self.document(version).frames) == 1 for version in (versions[0], versions[-1], versions[at])
            )
            if one_value:
                return dict.fromkeys(range(len(versions)), place)  # keys do not shift
        return Lineage(self.steps(versions, progress)).places(at, place)

    def _value(self, version: KeptVersion, place: Place | None) -> FollowedValue:
        if place is None:
            return FollowedValue(version, "", "", None)
        document, path = self.document(version), path_of(place)
        try:
            item = parse_path(document, path)
        except PathError:
            return FollowedValue(version, "", "", None)
        if item.frame < 0 or item.node < 0:
            return FollowedValue(version, path, "", None)
        table = document.frames[item.frame].table
        if item.part:
            from viewer.variant.items import part

            found = part(table, item.node, item.part)
            data: object = found.value if found is not None else None
            said = part_text(found, VALUE_LIMIT) if found is not None else ""
        else:
            data, said = read_shallow(table, item.node).data, text(table, item.node, VALUE_LIMIT)
        number = float(data) if isinstance(data, int | float) and abs(data) < 1e300 else None
        span = outline.span(document, item)
        digest = hashlib.sha256(document.buffer[span.start : span.end]).digest()
        return FollowedValue(version, path, said, number, digest)
