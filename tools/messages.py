"""List every message of the program with real examples: what it says, where, and what a person is told to do.

    python tools/messages.py [SECTION | CODE ...]

Sections: findings, engines, repairs, ways, notices, facts, texts; all without an argument. The examples come from the
golden bytes of the tests, from bytes made for a message that these have not, and from the damages that the doctor is
tested with. ``texts`` are the strings of the source, so that none is left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

import corpus  # noqa: E402
from document.doctor.cases import DAMAGES, cases  # noqa: E402
from message_texts import texts  # noqa: E402

from viewer.base.diagnostic import Code, Diagnostic  # noqa: E402
from viewer.container.frames import FramingKind  # noqa: E402
from viewer.document.advice import advice  # noqa: E402
from viewer.document.doctor import Cause, diagnose  # noqa: E402
from viewer.document.doctor.encoder_rules import RULES  # noqa: E402
from viewer.document.document import Document  # noqa: E402
from viewer.document.engines.lines import lines  # noqa: E402
from viewer.document.engines.verdicts import verdicts, why  # noqa: E402
from viewer.document.explain.explain import facts  # noqa: E402
from viewer.document.export.findings_export import finding_path, printable  # noqa: E402
from viewer.document.packets.conversation import Flow  # noqa: E402
from viewer.document.packets.conversation import explain as explain_packet  # noqa: E402
from viewer.document.pieces.message import Protocol  # noqa: E402
from viewer.document.reading import ReadOptions  # noqa: E402
from viewer.document.viewmodel.notices import notice  # noqa: E402
from viewer.document.viewmodel.row_data import short_words  # noqa: E402
from viewer.variant.dialect import load  # noqa: E402

Named = tuple[str, Document]
MOST_FILE = 1 << 17
EXAMPLES = 8
"""Examples of one message that differ in more than their numbers and names."""
NAMES = re.compile(
    r"“[^”]*”|0x[0-9A-F]+|-?\d[\d.]*|\b(?:Pool|Packed)?[A-Z]\w*(?:Array|2|3|4|2i|3i|4i|D)\b"
    r"|\b(?:Godot|Pandemonium)(?: \d\S*)?"
)

MADE: tuple[tuple[str, str, FramingKind], ...] = (
    ("godot3", "0300", FramingKind.BARE),
    ("godot3", "13000000 01000000 0300", FramingKind.BARE),
    ("godot3", "13000000 02000000 00000000", FramingKind.BARE),
    ("godot3", "0400", FramingKind.STORED),
    ("godot3", "ffffffff", FramingKind.STORED),
    ("godot3", "04000000 00000000 0000", FramingKind.STORED),
    ("godot3", "0c000000 02000000 05000000", FramingKind.STORED),
    ("godot3", "09000000 02000000 05000000 00 04000000 00000000", FramingKind.STORED),
    ("godot3", "04000000 03000000 616263", FramingKind.BARE),
    ("godot3", "04000000 05000000 6162636465", FramingKind.BARE),
    ("godot3", "04000000 0300", FramingKind.BARE),
    ("godot3", "12000000 0100", FramingKind.BARE),
    ("godot3", "0f000000 02000080", FramingKind.BARE),
    ("godot3", "0f000000 01000080 00000000 00000000 0300", FramingKind.BARE),
    ("godot3", "17000000 02000000 02000000 61000000 0300", FramingKind.BARE),
    ("godot3", "18000000 01000000 0000", FramingKind.BARE),
    ("godot3", "14000000 05000000 6162636465", FramingKind.BARE),
    ("godot3", "12000000 03000000" + 3 * "04000000 01000000 61000000 00000000", FramingKind.BARE),
    ("godot4", "1c000100 0200", FramingKind.BARE),
    ("godot4", "1c000200 0200", FramingKind.BARE),
    ("godot4", "1b000300 0200", FramingKind.BARE),
    ("godot4", "1c000300 00000000 00000000", FramingKind.BARE),
    ("godot4", "04000000 02000000 c3280000", FramingKind.BARE),
    ("godot4", "04000000 01000000 c3000000", FramingKind.BARE),
    ("pandemonium5", "1b000000 17000000 04000000 00000000", FramingKind.BARE),
    ("pandemonium5", "1b000100 02000000 00000000", FramingKind.BARE),
    ("godot2", "13000000 02000000 00000000 05000000", FramingKind.BARE),
    ("godot2", "0f000000 04000000 00000000 02000000 02000000 01000000 ff000000", FramingKind.BARE),
    ("godot2", "0f000000 04000000 02000000 02000000 02000000 00000000", FramingKind.BARE),
    ("godot2", "17000000 01000000 02000000", FramingKind.BARE),
)
"""Bytes for messages that no golden ones have: dialect, bytes, framing."""
OTHER = (
    b"hello, this is a text\n",
    b"\tshort",
    b"\x89PNG\r\n\x1a\n" + bytes(40),
    b'{"a": 1}',
    b"PK\x03\x04" + bytes(40),
)
"""What is no stored value at all."""


def documents() -> Iterator[Named]:
    """Golden bytes as documents, the broken ones first."""
    yield "empty", Document(b"")
    for dialect, digits, framing in MADE:
        yield (
            f"made {dialect} {digits}",
            Document(bytes.fromhex(digits), choice=ReadOptions(load(dialect), framing=framing)),
        )
    for engine in corpus.ENGINES:
        dialect = load(engine.dialect)
        for row in corpus.malformed(engine.folder):
            yield f"{engine} {row['id']}", Document(bytes.fromhex(row["hex"]), choice=ReadOptions(dialect))
        for row in corpus.vectors(engine.folder):
            yield f"{engine} {row['id']}", Document(corpus.vector_bytes(row), choice=ReadOptions(dialect))
        for saved in (*corpus.files(engine.folder), *corpus.wrapped(engine.folder)):
            if saved.path.stat().st_size < MOST_FILE:
                yield str(saved), Document.open(saved.path)
        for row in corpus.broken_wraps(engine.folder):
            yield f"{engine} {row['id']}", Document(bytes.fromhex(row["hex"]))
    yield from _packets()


def _packets() -> Iterator[Named]:
    """Payloads of the captures, whole and cut."""
    for k, row in enumerate(corpus.payloads()[:400:10]):
        raw = bytes.fromhex(row["payload_hex"])
        for cut in (raw, raw[:-1], raw[: len(raw) // 2], raw + b"\1", b"\7" + raw[1:]):
            for protocol in (None, *Protocol):
                flow = Flow(protocol=protocol)
                yield f"packet {k} {cut[:8].hex()}", Document(cut, explain=partial(explain_packet, flow=flow))


def shape(sentence: str) -> str:
    """A sentence without the numbers and names of its case."""
    return NAMES.sub("_", sentence)


class Kinds:
    """Keeps the examples of messages that differ in more than numbers and names."""

    def __init__(self, most: int = EXAMPLES) -> None:
        self._most = most
        self._seen: dict[object, set[str]] = {}

    def is_new(self, kind: object, sentence: str) -> bool:
        """Whether an example of this kind says something new; the first ones do."""
        seen = self._seen.setdefault(kind, set())
        if len(seen) >= self._most or shape(sentence) in seen:
            return False
        seen.add(shape(sentence))
        return True


def examples() -> dict[Code, list[tuple[str, Document, Diagnostic]]]:
    """Examples of each code."""
    found: dict[Code, list[tuple[str, Document, Diagnostic]]] = {code: [] for code in Code}
    kinds = Kinds()
    for name, document in documents():
        for diagnostic in document.findings.all():
            if kinds.is_new(diagnostic.code, diagnostic.message):
                found[diagnostic.code].append((name, document, diagnostic))
    return found


def list_findings(wanted: list[str]) -> Iterator[str]:
    """Each code with its examples, the bytes they are about, and what to do."""
    for code, some in examples().items():
        if wanted and code.slug not in wanted:
            continue
        yield f"{code.slug} ({code.severity.word})"
        if not some:
            yield f"  template: {code.template}"
        for name, document, found in some:
            raw = bytes(document.buffer[found.span.start : found.span.end])
            path = finding_path(document, found) or ""
            place = f"0x{found.span.start:X}..0x{found.span.end:X} {path if len(path) < 80 else path[:80] + '…'}"
            yield f"  says:  {printable(found.message)}"
            yield f"  short: {printable(short_words(found))}"
            yield f"  where: {place}   bytes: {raw[:12].hex(' ')}{' …' if len(raw) > 12 else ''}   [{name[:80]}]"
        yield f"  to do: {advice(code)}"


def list_engines() -> Iterator[str]:
    """What each engine line says of broken bytes, in each way of saying it."""
    kinds = Kinds(most=4)
    for name, document in islice(documents(), 0, None, 3):
        for verdict in verdicts(document):
            said = why(verdict, placed=True)
            if said and kinds.is_new((verdict.engine.key, verdict.outcome, verdict.condition), said):
                yield f"{verdict.engine.name} {verdict.label}: {printable(said)}   [{name[:60]}]"
    for engine in lines():
        yield f"{engine.name}: {engine.source}"


def list_repairs() -> Iterator[str]:
    """Each cause with what the doctor says of bytes that were damaged so."""
    said: dict[Cause, list[str]] = {cause: [] for cause in Cause}
    kinds = Kinds()
    found = [case for cause in DAMAGES for case in cases(cause, 4)]
    damaged = [(case.data, case.choice) for case in found]
    damaged += [(case.expected[:-6], case.choice) for case in found[:20]]
    for data, choice in (*damaged, *((other, ReadOptions()) for other in OTHER)):
        for repair in diagnose(Document(data, choice=choice)):
            label = f" [{repair.edit.label}]" if repair.edit is not None else ""
            words = f"{printable(repair.reason)}{label} {repair.note}"
            if kinds.is_new(repair.cause, words):
                said[repair.cause].append(words)
    for cause, reasons in said.items():
        yield f"{cause.slug}: {cause.sentence}"
        yield from (f"  {reason}" for reason in reasons or ["(no example)"])
    yield from (f"{rule.slug}: {rule.sentence}" for rule in RULES)


def list_ways() -> Iterator[str]:
    """Why a way to read bytes has its rank."""
    kinds = Kinds(most=1000)
    for name, document in documents():
        document = Document(bytes(document.buffer[:]))
        for way in document.candidates[:4]:
            if kinds.is_new("", way.reason):
                yield f"{way.dialect.name}, {way.framing.label}: {way.reason}   [{name[:60]}]"


def list_notices() -> Iterator[str]:
    """What stands above a document."""
    kinds = Kinds(most=1000)
    found = ((name, Document(bytes(each.buffer[:]))) for name, each in documents())
    for name, document in (*documents(), *found, *((repr(raw), Document(raw)) for raw in OTHER)):
        told = notice(document)
        if told is not None and kinds.is_new("", told.sentence):
            yield f"{told.severity.word}: {told.sentence} [{told.remedy.value}]   [{name[:60]}]"


def list_facts() -> Iterator[str]:
    """What is known of the format."""
    for fact in facts():
        yield f"{', '.join(sorted(fact.about))}: {fact.text} ({fact.source}) {' '.join(fact.engines)}"
    for dialect in dict.fromkeys(line.dialect.key for line in lines()):
        for row in load(dialect).rows:
            if row.about:
                yield f"{dialect} {row.name}: {row.about}"


def list_texts() -> Iterator[str]:
    """Every text of the source."""
    for path, line, text in texts(ROOT / "viewer"):
        yield f"{path.relative_to(ROOT)}:{line}: {text}"


SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "findings": partial(list_findings, []),
    "engines": list_engines,
    "repairs": list_repairs,
    "ways": list_ways,
    "notices": list_notices,
    "facts": list_facts,
    "texts": list_texts,
}


def main() -> None:
    """Print the list, or some sections or codes of it."""
    asked = sys.argv[1:] or list(SECTIONS)
    codes = [word for word in asked if word not in SECTIONS]
    for name in asked:
        if name in SECTIONS:
            print(f"\n== {name}")
            for line in SECTIONS[name]():
                print(line)
    for line in list_findings(codes) if codes else ():
        print(line)


if __name__ == "__main__":
    main()
