"""Our verdict on broken bytes against the engines' own: an error of ours is a refusal of theirs."""

from __future__ import annotations

from corpus import ENGINES, Engine, Row, malformed
from variant.exercise import findings, is_refused

from viewer.base.diagnostic import Severity
from viewer.variant.dialect import load
from viewer.variant.scan import scan
from viewer.variant.table import NodeTable

NOT_ALLOWED = "the engine was told not to allow objects"
NO_SUCH_CLASS = "the engine knows no such class, or cannot make one"
NO_SUCH_SCRIPT = "the script's file is missing"

DISAGREEMENTS = {
    "godot3 obj/full_not_allowed_in_array": NOT_ALLOWED,
    "godot3 obj/full_empty_class_not_allowed": NOT_ALLOWED,
    "godot3 obj/abstract_class": NO_SUCH_CLASS,
    "godot4 obj_unknown_class_allow": NO_SUCH_CLASS,
    "godot4 obj_abstract_class_allow": NO_SUCH_CLASS,
    "godot4 obj_in_array_not_allowed": NOT_ALLOWED,
    "godot4-double obj_unknown_class_allow": NO_SUCH_CLASS,
    "godot4-double obj_abstract_class_allow": NO_SUCH_CLASS,
    "godot4-double obj_in_array_not_allowed": NOT_ALLOWED,
    "godot4-double tarray_script_missing_allow": NO_SUCH_SCRIPT,
    "pandemonium4 obj_in_array_not_allowed": NOT_ALLOWED,
    "godot4.0 obj_empty_class": NOT_ALLOWED,
    "godot4.0 obj_resource_deny": NOT_ALLOWED,
    "godot4.0 obj_in_dict_denied": NOT_ALLOWED,
    "godot4.0 obj_unknown_class": NO_SUCH_CLASS,
    "godot4.0 obj_abstract_class2": NO_SUCH_CLASS,
    "pandemonium3.5 obj_empty_class": NOT_ALLOWED,
    "pandemonium3.5 obj_resource_deny": NOT_ALLOWED,
    "pandemonium3.5 obj_in_dict_denied": NOT_ALLOWED,
    "pandemonium3.5 obj_unknown_class": NO_SUCH_CLASS,
    "pandemonium3.5 obj_abstract_class": NO_SUCH_CLASS,
    "pandemonium3.5 obj_abstract_class2": NO_SUCH_CLASS,
}
"""Where the engine refuses what we accept, for reasons that no bytes can tell. The other way there is none."""

HASH_ORDER = "Godot 2 writes dictionaries in the order of their hashes"
BUILD = "which width of reals an engine writes depends on its build; both read both"
NEW_ID = "the bytes are fine; the engine writes the id that its own wrapper object has just now"
REWRITTEN = "the bytes are fine; an engine told not to allow objects writes every class as EncodedObjectAsID"
NO_SCRIPT = "the script's type does not go with the other type, which only its file can tell"

SILENT = {
    HASH_ORDER: ("godot2 dict_dup_keys_int_float",),
    BUILD: (
        "godot4 v2_flag64",
        "godot4 t2d_flag64",
        "godot4 plane_flag64",
        "godot4 aabb_flag64",
        "godot4 basis_flag64",
        "godot4 v4_flag64",
        "godot4 pv2_flag64",
        "godot4 pv3_flag64",
        "godot4 pv4_flag64",
        "godot4-double quat_unnormalized",
        "godot4-double v4_exact",
        "godot4-double array_v4_then_int",
        "godot4-double array_proj_then_int",
        "godot4-double array_proj_then_padding",
        "godot4-double dict_v4_value",
        "godot4.0 p36_flag64",
    ),
    NEW_ID: (
        "godot4 obj_asid",
        "godot4 obj_asid_bit63",
        "godot4-double obj_asid",
        "godot4-double obj_asid_allow",
        "pandemonium4 obj_asid_bit63",
        "pandemonium4 obj_asid_allow",
        "pandemonium5 obj_asid",
        "pandemonium5 obj_asid_bit63",
        "pandemonium5 obj_asid_allow",
        "pandemonium5 tarray_object_asid",
        "pandemonium5 ptarray_object_asid",
        "godot4.0 obj_asid_5",
        "pandemonium3.5 obj_asid_5",
    ),
    REWRITTEN: (
        "godot4 tarray_class",
        "godot4 tarray_class_elem_asid",
        "godot4 tarray_class_elem_nil",
        "godot4 tarray_script",
        "godot4 tdict_class_class",
        "godot4 tdict_script_builtin",
        "godot4-double tarray_class",
        "godot4-double tarray_class_elem_nil",
        "godot4-double tdict_class_class",
        "godot4-double tdict_script_builtin",
        "pandemonium5 ptarray_object_class_noallow",
    ),
    NO_SCRIPT: ("godot4 tdict_script_builtin_allow", "godot4-double tdict_script_builtin_allow"),
}
"""Accepted bytes that the engine would write otherwise and that we have nothing to say about, by reason."""


def inputs(engine: Engine) -> list[Row]:
    """The broken inputs that have a verdict, or that kill the engine."""
    return [row for row in malformed(engine.folder) if not row.get("nondeterministic")]


def kills(row: Row) -> bool:
    return bool(row.get("crash")) or row.get("outcome") == "crash"


def is_accepted(row: Row) -> bool:
    return row["outcome"] == "accepted" if "outcome" in row else row["error"] == 0


def is_stored(row: Row) -> bool:
    """Whether the input is a frame with its length in front, not a bare value."""
    return "get_var" in row.get("api", "")


def frame_of(row: Row) -> bytes | None:
    """The bytes of the value; None where the length in front of it cannot be followed."""
    raw = bytes.fromhex(row["hex"])
    if not is_stored(row):
        return raw
    length = int.from_bytes(raw[:4], "little")
    return raw[4 : 4 + length] if 4 + length <= len(raw) and len(raw) >= 4 else None


def table_of(engine: Engine, row: Row) -> NodeTable | None:
    frame = frame_of(row)
    return None if frame is None else scan(frame, load(engine.dialect))


def we_accept(engine: Engine, row: Row) -> bool:
    table = table_of(engine, row)
    return table is not None and not is_refused(table)


def test_our_verdict_is_the_engines_but_for_what_no_bytes_can_tell() -> None:
    different = {
        f"{engine} {row['id']}"
        for engine in ENGINES
        for row in inputs(engine)
        if not kills(row) and we_accept(engine, row) != is_accepted(row)
    }
    assert different == set(DISAGREEMENTS)


def test_we_refuse_nothing_that_an_engine_accepts() -> None:
    assert [
        f"{engine} {row['id']}"
        for engine in ENGINES
        for row in inputs(engine)
        if not kills(row) and is_accepted(row) and not we_accept(engine, row)
    ] == []


def test_verdicts_agree_in_99_of_100_where_objects_are_allowed() -> None:
    judged = sum(not kills(row) for engine in ENGINES for row in inputs(engine))
    assert judged > 2100
    assert sum(reason != NOT_ALLOWED for reason in DISAGREEMENTS.values()) <= judged / 100


def test_what_kills_an_engine_is_an_error() -> None:
    deadly = [(engine, row) for engine in ENGINES for row in inputs(engine) if kills(row)]
    assert len(deadly) == 9
    assert [row["id"] for engine, row in deadly if we_accept(engine, row)] == []


def test_what_the_engine_would_write_otherwise_has_a_finding() -> None:
    silent = {
        f"{engine} {row['id']}"
        for engine in ENGINES
        for row in inputs(engine)
        if not kills(row) and is_accepted(row) and is_changed(row) and not is_mentioned(engine, row)
    }
    assert silent == {name for names in SILENT.values() for name in names}


def is_changed(row: Row) -> bool:
    """Whether the engine, having read the bytes, writes others; not known of stored frames and very long ones."""
    if is_stored(row) or "canonical" in row:
        return not is_stored(row) and row["canonical"] is False
    written = row.get("reencoded_hex") or row["hex"]
    return bool(written != row["hex"] and "bytes" not in written)


def is_mentioned(engine: Engine, row: Row) -> bool:
    """Whether there is a finding, or bytes behind the value, which are the document's to mention."""
    table = table_of(engine, row)
    assert table is not None
    said = [found for found in findings(table) if found.severity < Severity.ERROR]
    return bool(said) or table.end_of_data < len(table.buffer)


def test_what_the_engine_writes_the_same_has_no_warning_but_where_another_engine_minds() -> None:
    minded = {"lenient-utf8", "lost-text", "nan-bits", "shared-bit"}
    assert [
        f"{engine} {row['id']} {found.code.slug}"
        for engine in ENGINES
        for row in inputs(engine)
        if not kills(row) and is_accepted(row) and row.get("reencoded_hex") == row["hex"]
        for found in findings(scan(bytes.fromhex(row["hex"]), load(engine.dialect)))
        if found.severity is Severity.WARNING and found.code.slug not in minded
    ] == []
