"""GCPF and the real Godot 3: each reads what the other wrote."""

from __future__ import annotations

import corpus
import pytest
from container import compressed_engine

from viewer.container.blocks import GCPF, BlockForm
from viewer.container.inflate import Method

pytestmark = pytest.mark.engine


def save(name: str) -> bytes:
    """A file that Godot 3 saved."""
    return (corpus.DATA / "godot3" / "files" / name).read_bytes()


def made(method: Method, inside: bytes) -> bytes:
    """Bytes wrapped as the engine does."""
    return BlockForm(GCPF.kind, method, 4096, b"GCPF").wrap(inside)


@pytest.mark.parametrize("method", ["fastlz", "deflate", "zstd", "gzip"])
def test_the_engine_reads_what_was_edited(method: str) -> None:
    plain = []
    for path in sorted((corpus.DATA / "godot3" / "files").glob(f"comp_{method}_*.save")):
        found = GCPF.unwrap(path.read_bytes())
        inside = found.inside
        plain += [(found.form, edit) for edit in (inside + b"12345678", inside[:-3], inside[:7] + b"new" + inside[9:])]
    assert compressed_engine.read([form.wrap(inside) for form, inside in plain]) == [inside for _, inside in plain]


@pytest.mark.parametrize("method", [Method.FASTLZ, Method.DEFLATE, Method.GZIP])
def test_the_engine_writes_the_same_bytes(method: Method) -> None:
    saved = save("medium_1mb.save")
    plain = [saved[:size] for size in (0, 1, 15, 16, 4095, 4096, 4097, 30_000)]
    assert compressed_engine.write(plain, method.value) == [made(method, data) for data in plain]


def test_the_engine_reads_brotli_turned_into_zstd() -> None:
    found = GCPF.unwrap((corpus.DATA / "godot4" / "files" / "compressed_brotli_single.gcpf").read_bytes())
    form = found.form
    assert isinstance(form, BlockForm)
    assert compressed_engine.read([form.as_zstd().wrap(found.inside)]) == [found.inside]
