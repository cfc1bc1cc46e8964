"""What was edited by a layout is asked of the real Godot 4.6: packages that it wrote and mounts, caches of ids."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from document.readers.test_shipped_layouts import edit_inside, id_cache, package2, save_of
from engine4 import Godot

from viewer.document.document import Document
from viewer.document.edits.setting import set_literal
from viewer.document.edits.structure import delete
from viewer.document.path import parse_path
from viewer.document.readers.resource_uid import uid_text

pytestmark = pytest.mark.engine4


@pytest.fixture(scope="module")
def godot() -> Iterator[Godot]:
    with Godot() as started:
        yield started


def files_of(some: random.Random, number: int) -> dict[str, bytes]:
    """Files with paths that no other package has: the engine keeps what it has mounted."""
    names = [f"res://of_{number}/{some.choice(['a', 'long name', 'ü'])}_{k}.dat" for k in range(some.randint(1, 5))]
    files = {name: some.randbytes(some.choice([0, 1, 31, 32, 700])) for name in names}
    files[f"res://of_{number}/x.save"] = save_of("few")
    return dict(some.sample(list(files.items()), len(files)))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_new", [False, True])
def test_the_engine_finds_all_files_in_a_package_one_of_which_was_edited(godot: Godot, seed: int, is_new: bool) -> None:
    some = random.Random(seed)
    number = 2 * seed + is_new
    files = files_of(some, number)
    data = godot.packed(files, some.choice([1, 16, 32])) if is_new else package2(files)
    document = Document(data)
    assert not document.findings.all()
    text = some.choice(["many", "x" * 300, "", "ü"])
    save = next(path for path in files if path.endswith(".save"))
    prefix = "of" if is_new else "res_of"
    document.apply(edit_inside(document, f"@{prefix}_{number}_x_save!0.gold", f'"{text}"'))
    assert not document.findings.all()
    found = godot.mounted(bytes(document.buffer[:]), files)
    assert found == {**files, save: save_of(text)}


@pytest.mark.parametrize("name", ["n.txt", "a_much_longer_name_than_before.txt", "ünicode.txt"])
def test_the_engine_finds_a_file_under_its_new_name(godot: Godot, name: str) -> None:
    old, other = f"res://old_{len(name)}/b.txt", f"res://old_{len(name)}/c.txt"
    data = godot.packed({old: b"hello", other: b"others"})
    document = Document(data)
    new = f"new_{len(name)}/{name}"
    document.apply(set_literal(document, parse_path(document, "@entry_0.path"), f'"{new}"'))
    assert not document.findings.all()
    paths = [f"res://{new}", old, other]
    assert godot.mounted(bytes(document.buffer[:]), paths) == {paths[0]: b"hello", old: None, other: b"others"}


def test_the_engine_knows_no_id_of_an_entry_that_was_deleted(godot: Godot) -> None:
    entries = {(1 << 61) + k: f"res://of_deleted_{k}.tscn" for k in range(3)}
    document = Document(id_cache(entries))
    document.apply(delete(document, [parse_path(document, "@res_of_deleted_1_tscn")]))
    assert not document.findings.all()
    package = godot.packed({"res://.godot/uid_cache.bin": bytes(document.buffer[:])})
    wanted = {uid_text(uid): path for uid, path in entries.items()}
    assert godot.ids(package, wanted) == {**wanted, uid_text((1 << 61) + 1): None}


def test_the_engine_knows_the_ids_of_a_cache_that_was_edited(godot: Godot) -> None:
    some = random.Random(4)
    entries = {some.randrange(1 << 62): f"res://{k}.tscn" for k in range(12)}
    for number, (uid, path) in enumerate(list(entries.items())):
        document = Document(id_cache(entries))
        name = path.replace("://", "_").replace(".", "_")
        if number % 2:
            changed, wanted = uid, f"res://moved/{'x' * number}.tscn"
            edit = set_literal(document, parse_path(document, f"@{name}.path"), f'"{wanted}"')
        else:
            changed, wanted = some.randrange(1 << 62), path
            edit = set_literal(document, parse_path(document, f"@{name}.id"), uid_text(changed))
        document.apply(edit)
        assert not document.findings.all()
        package = godot.packed({"res://.godot/uid_cache.bin": bytes(document.buffer[:])})
        assert godot.ids(package, [uid_text(changed)]) == {uid_text(changed): wanted}
