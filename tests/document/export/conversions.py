"""Values and files of real engines carried over to other engine lines, and what the real engines read there.

``python tools/convert_proofs.py`` tries all of them and prints the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import corpus
import engine
import engine4
from corpus import SavedFile
from variant.corpus_values import godot3_value, same
from variant.small_values import golden

from viewer.base.record import replace
from viewer.container.frames import FramingKind
from viewer.container.layer import Secret
from viewer.document.compare.comparing import compare
from viewer.document.compare.difference_words import difference_line
from viewer.document.document import Document
from viewer.document.export.converting import CannotConvertError, ConvertedFile
from viewer.document.export.other_engine import for_engine
from viewer.document.reading import ReadOptions
from viewer.document.wraps import UnwrapOptions
from viewer.variant.convert.conversion_record import ConversionRecord
from viewer.variant.convert.conversion_tally import ConvertError
from viewer.variant.convert.number_forms import element_words
from viewer.variant.convert.substitutes import Substitute, Substitutes, homeless
from viewer.variant.convert.translate import TranslationChoice, translate
from viewer.variant.dialect import Dialect, Precision, load
from viewer.variant.encode import encode
from viewer.variant.literal.printing import format_literal
from viewer.variant.read import read
from viewer.variant.scan import scan
from viewer.variant.value import Array, Dictionary, Value

BOM = b"\xef\xbb\xbf"
"""Both engines drop it where a text begins with it."""
OF_HARNESS = "core/io/json.cpp"
"""Where Godot 4 complains when it is asked for its JSON of an array of objects, which it has read."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that an engine wrote, in another engine line.

    Args:
        name: which, for a person.
        before, after: it.
        data: its bytes there.
        told: what the report says is lost.
        is_exact: whether the report says that nothing but names changes.
    """

    name: str
    before: Value
    after: Value
    data: bytes
    told: tuple[str, ...]
    is_exact: bool


def values_of(folder: str) -> Iterator[tuple[Value, Dialect, Precision]]:
    """The golden values of an engine."""
    for vectors in (one for one in corpus.ENGINES if one.folder == folder):
        for value in golden(vectors):
            yield value, load(vectors.dialect), Precision(vectors.precision)


def carried(folder: str, target: str, substitutes: Substitutes | None = None) -> Iterator[Carried | str]:
    """All golden values of an engine in another line; as a sentence those that were refused."""
    line = load(target)
    for number, (value, source, precision) in enumerate(values_of(folder)):
        record = ConversionRecord()
        narrows = precision is Precision.DOUBLE
        choice = TranslationChoice(substitutes or {}, record, f"[{number}]", narrows)
        try:
            found = translate(value, source, line, choice=choice)
        except ConvertError as error:
            yield f"{folder} -> {target}: {error}"
            continue
        raw = encode(found.value, line)
        yield Carried(f"{folder}[{number}]", value, found.value, raw, found.losses, record.is_exact)


def choices(folder: str, target: str) -> Iterator[Substitutes]:
    """Each choice that is offered for types that a line lacks, made for all types that have it."""
    source = next(load(one.dialect) for one in corpus.ENGINES if one.folder == folder)
    offered = homeless(source, load(target))
    for what in Substitute:
        names = [name for name, several in offered.items() if what in several]
        if names and what is not Substitute.REFUSE:
            yield dict.fromkeys(names, what)


def lost_on_the_way(one: Carried, source: str, target: str) -> str:
    """What is not said of a value that is another one when it comes back; nothing where all is said."""
    back = translate(one.after, load(target), load(source)).value
    if same(read(scan(one.data, load(target))), one.after) is False:
        return f"{one.name}: reads otherwise than it was written"
    if same(plain(back, source), plain(one.before, source)) or not one.is_exact or one.told:
        return ""
    return f"{one.name}: {short(one.before, source)} comes back as {short(back, source)}"


def plain(value: Value, line: str) -> Value:
    """A value without what is none: Godot 2's mark of sharing, and a type of elements that says nothing."""
    data = value.data
    if isinstance(data, Dictionary):
        return Value(value.type, replace(data, shared=False))
    if isinstance(data, Array):
        held = data.element_type if element_words(data.element_type, load(line)) else None
        return Value(value.type if held else "Array", replace(data, shared=False, element_type=held))
    return value


def short(value: Value, line: str) -> str:
    return format_literal(value, load(line))[:80]


def is_told_whole(value: Value, raw: bytes, line: str) -> bool:
    """Whether an engine has it just so: not objects of another process, bits of a NaN, or a mark that it drops."""
    text = format_literal(value, load(line))
    return BOM not in raw and not any(word in text for word in ("Object", "RID", "nan"))


def is_merged(one: Carried) -> bool:
    """Whether the report says that the engine makes one of two keys."""
    return any("occurs twice" in said for said in one.told)


def misread(found: Sequence[Carried], line: str, godot: engine4.Godot | None = None) -> list[str]:
    """What a real engine reads otherwise than it was meant."""
    wrong = []
    if line == "godot3":
        found = [one for one in found if not is_merged(one)]
        told = engine.read_back([engine.Request(one.data) for one in found])
        for one, answer in zip(found, told, strict=True):
            if answer.error or not same(godot3_value(answer.value), one.after):
                wrong.append(f"{one.name}: {short(one.after, line)}: {answer.error or answer.value}"[:200])
        return wrong
    assert godot is not None
    found = [one for one in found if not is_merged(one)]
    answers = godot.read([engine4.Request(one.data, "bare", forms=True) for one in found])
    for one, heard in zip(found, answers, strict=True):
        if OF_HARNESS in heard.fault and not heard.refused:
            continue
        if heard.fault or not same(read(scan(heard.values[0].data, load(line))), one.after):
            wrong.append(f"{one.name}: {short(one.after, line)}: {heard.fault}"[:200])
    return wrong


# Files


def secret_of(saved: SavedFile) -> tuple[engine4.Opened, bytes, Secret | None]:
    """How an encrypted file is opened."""
    held = saved.sidecar.get("container")
    if isinstance(held, dict) and "password" in held:
        return "password", held["password"].encode(), Secret.of_password(held["password"])
    if isinstance(held, dict) and "key_hex" in held:
        return "key", bytes.fromhex(held["key_hex"]), Secret.of_hex(held["key_hex"])
    return "plain", b"", None


def opened(data: bytes, secret: Secret | None, line: str | None = None) -> Document:
    """A file with its key, read as a line where one is named."""
    return Document(data, choice=ReadOptions(load(line) if line else None, opening=UnwrapOptions(secret=secret)))


@dataclass(frozen=True, slots=True)
class CarriedFile:
    """A file that Godot 3 wrote, for Godot 4.

    Args:
        saved: it.
        document: as it was.
        made: for Godot 4.
        secret: its key.
    """

    saved: SavedFile
    document: Document
    made: ConvertedFile
    secret: Secret | None


def carried_files(largest: int) -> Iterator[CarriedFile | str]:
    """All files that Godot 3 wrote, for Godot 4; as a sentence those that cannot be."""
    for saved in (*corpus.files("godot3"), *corpus.wrapped("godot3")):
        raw, secret = saved.path.read_bytes(), secret_of(saved)[2]
        if len(raw) > largest:
            continue
        document = opened(raw, secret)
        try:
            yield CarriedFile(saved, document, for_engine(document, "godot4"), secret)
        except CannotConvertError as error:
            yield f"{saved}: {error}"


def file_fault(one: CarriedFile, godot: engine4.Godot) -> str:
    """What Godot 4 reads otherwise, or what does not come back; nothing where all is well."""
    new = opened(one.made.data, one.secret, None if one.document.text is not None else "godot4")
    if one.document.text is None and (fault := engine_fault(one, new, godot)):
        return f"{one.saved}: {fault}"
    back = opened(for_engine(new, "godot3").data, one.secret, one.document.dialect.key)
    found = compare(one.document, back)
    if found.changes and not one.made.lost:
        return f"{one.saved}: comes back otherwise: {difference_line(found, found.changes[0])}"
    return ""


def engine_fault(one: CarriedFile, new: Document, godot: engine4.Godot) -> str:
    """What Godot 4 says of a file, or has otherwise than it was written."""
    way, secret, _ = secret_of(one.saved)
    codec = new.layers[1].codec if len(new.layers) > 1 else ""
    data = one.made.data
    if codec == "gcpf":
        way = f"compressed:{data[4]}"  # type: ignore[assignment]  # one of five
    elif codec and codec != "gdec":
        way, data = "plain", bytes(new.buffer[:])
    framing: engine4.Framing = "stored" if new.framing.kind is FramingKind.STORED else "concatenated"
    if new.framing.big_endian:
        framing = "big-endian"
    if not new.frames:
        return ""
    if any("Object(" in format_literal(read(frame.table), new.dialect) for frame in new.frames):
        return "" if one.made.lost else "it holds objects of Godot 3, and nothing says so"
    (answer,) = godot.read([engine4.Request(data, framing, opened=way, secret=secret, forms=True)])
    if answer.fault:
        return answer.fault
    if len(answer.values) != len(new.frames):
        return f"{len(answer.values)} values, not {len(new.frames)}"
    for frame, value in zip(new.frames, answer.values, strict=True):
        meant, heard = read(frame.table), read(scan(value.data, load("godot4")))
        if is_told_whole(meant, b"", "godot4") and not same(meant, heard):
            return f"{short(meant, 'godot4')} is read as {short(heard, 'godot4')}"
    return ""
