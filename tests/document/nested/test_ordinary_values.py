"""No sign on what is ordinary: a sign in the tree promises that there is something inside."""

from __future__ import annotations

import base64
import hashlib
import random
import struct
import uuid
import zlib
from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest
from document.nested.nested_saves import WAYS, nested_save, packed

from viewer.document.document import Document
from viewer.document.nested.inside_evidence import inside_of
from viewer.document.nested.inside_hint import may_hold
from viewer.document.nested.nested_document import candidates, nested_documents
from viewer.document.nested.value_content import content
from viewer.document.path import format_path
from viewer.variant.dialect import load
from viewer.variant.encode import encode
from viewer.variant.literal.parse import parse_literal
from viewer.variant.value import Array, Value

GODOT4 = load("godot4")
LARGEST = 1 << 18
NO_VALUES = (".json", ".jsonl", ".md", ".txt", ".toml", ".pcap", ".pcapng")
WORDS = [
    "sword",
    "north",
    "of",
    "the",
    "old",
    "mill",
    "you",
    "find",
    "(again)",
    "a",
    "[rusty]",
    "key:",
    "3",
    "{gold}",
    "coins,",
    "50",
    "%",
    "off;",
    "what",
    "now?",
]


def marked(document: Document) -> Iterator[tuple[str, str]]:
    """What the values of a document are said to hold, by their paths."""
    for item in candidates(document):
        words = inside_of(document, item)
        if words:
            yield format_path(document, item), words


def ordinary_files() -> Iterator[tuple[Path, Document]]:
    """Files of real engines: saves, resources, and what the doctor mends."""
    for path in sorted(corpus.DATA.rglob("*")):
        if path.is_file() and not path.name.removesuffix(".gz").endswith(NO_VALUES) and path.stat().st_size <= LARGEST:
            yield path, Document(path.read_bytes(), path)


def test_no_byte_array_and_no_text_of_the_games_is_marked() -> None:
    seen: set[bytes] = set()
    for path, document in ordinary_files():
        held = [content(document, item) for item in candidates(document)]
        seen.update(raw for raw in held if raw is not None)
        assert not list(marked(document)), path
    assert len(seen) > 1000


def ordinary_text(rng: random.Random) -> str:
    raw = rng.randbytes(rng.randrange(3, 120))
    words = " ".join(rng.choices(WORDS, k=rng.randrange(1, 30)))
    return rng.choice(
        (
            words,
            words.title() + ".",
            f"{words.capitalize()}({rng.random()}, {rng.randrange(9)})",
            str(uuid.UUID(bytes=rng.randbytes(16))),
            raw.hex(),
            hashlib.sha256(raw).hexdigest(),
            base64.b64encode(raw).decode(),
            base64.urlsafe_b64encode(raw).decode(),
            base64.b64encode(words.encode()).decode(),
            base64.b64encode(hashlib.sha512(raw).digest()).decode(),
            f"user://saves/{raw.hex()[:9]}.save",
            f"res://levels/{rng.randrange(99)}/Level.tscn::{rng.randrange(9)}",
            f"{rng.randrange(1, 28)}:{rng.randrange(60):02}:{rng.random():.3f}",
            f"[b]{words}[/b]",
            f"[{words}]",
            "{" + words + "}",
            f"{{0}} of {{{rng.randrange(9)}}}",
            f"<a href='{words}'>",
            f"eyJhbGciOiJIUzI1NiJ9.{base64.urlsafe_b64encode(raw).decode()}.{raw.hex()}",
            "".join(chr(rng.randrange(32, 0x2FFF)) for _ in range(rng.randrange(1, 60))),
            "A" * rng.randrange(24, 80),
            f"Vector3 {rng.random()} {rng.random()}",
            f"Name({words})",
        )
    )


def ordinary_bytes(rng: random.Random) -> bytes:
    size = rng.randrange(0, 400)
    raw = rng.randbytes(size)
    return rng.choice(
        (
            raw,
            bytes(size),
            bytes([rng.randrange(256)]) * size,
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + raw,
            b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + raw,
            b"RIFF" + struct.pack("<I", size) + b"WAVEfmt " + raw,
            b"OggS\x00\x02" + bytes(8) + raw,
            b"".join(struct.pack("<i", rng.randrange(-9, 30)) for _ in range(size // 4)),
            b"".join(struct.pack("<I", rng.choice((0, 1, 2, 3, 4, 27, 28))) for _ in range(size // 4)),
            b"".join(struct.pack("<f", rng.uniform(-2, 2)) for _ in range(size // 4)),
            b"".join(struct.pack("<H", rng.randrange(400)) for _ in range(size // 2)),
            struct.pack("<I", size) + raw,
            struct.pack("<II", size + 4, 4) + raw,
            bytes(rng.choice((0, 0, 0, 1, 2, 4, 18, 27, 28, 255)) for _ in range(size)),
            ordinary_text(rng).encode(),
            zlib.crc32(raw).to_bytes(4, "little") + raw,
            hashlib.sha512(raw).digest(),
            bytes.fromhex("78da") + raw,
            bytes(rng.choice(b"\x00\x01\x02") for _ in range(size)),
        )
    )


@pytest.mark.parametrize("seed", range(2))
def test_no_made_up_ordinary_value_is_marked(seed: int) -> None:
    rng = random.Random(seed)
    texts = [Value("String", ordinary_text(rng)) for _ in range(800)]
    arrays = [Value("PackedByteArray", ordinary_bytes(rng)) for _ in range(800)]
    document = Document(encode(Value("Array", Array((*texts, *arrays))), GODOT4))
    assert not [(words, content(document, at)) for at in candidates(document) if (words := inside_of(document, at))]


def test_what_is_marked_passes_the_quick_look() -> None:
    for seed in range(24):
        document = Document(nested_save("godot3" if seed % 2 else "godot4", seed).data)
        shown = [document, *(nested.document for nested in nested_documents(document, pytest.fail))]
        assert len(shown) == 4
        for each in shown[:-1]:
            for item in candidates(each):
                assert not inside_of(each, item) or may_hold(each.frames[item.frame].table, item.node)


@pytest.mark.parametrize("way", WAYS)
def test_a_short_value_is_marked_too(way: str) -> None:
    value = parse_literal('{"a": 1, "b": [2, 3]}', GODOT4)
    document = Document(encode(Value("Array", Array((packed(value, way, GODOT4),))), GODOT4))
    assert len(list(marked(document))) == 1
