"""The command line's doctor: what went wrong, what would mend it, and files that are mended."""

from __future__ import annotations

import base64
import json
import random
import re
import struct
from pathlib import Path

import pytest
from command_line import BROKEN, SAMPLE, Run
from corpus import DATA
from document.doctor.judging import load_cases
from document.doctor.measure import CASES

from viewer.base.record import replace
from viewer.cli.doctor_command import (
    BARE_ROW,
    HEALTHY,
    MORE_LIKELY,
    OTHER_ENGINE,
    SOUND_SO_FAR,
    UNEXPLAINED,
    UNREAD,
    UNSURE,
    _told,
    lines,
    verdict,
)
from viewer.container.frames import FramingKind
from viewer.document.doctor import Answer, ByteSample, Cause, Repair
from viewer.document.doctor.repair import LARGE, SHORT, Support
from viewer.document.reading import ReadOptions
from viewer.document.splice import Edit, Splice
from viewer.variant.dialect import load

TEXTS = struct.pack("<4I", 19, 3, 4, 9) + b"~>~>~>~>~\0\0\0" + struct.pack("<4I", 2, 7, 4, 5) + b"hello\0\0\0"
MENDED = "The length of a text was written with its bytes swapped."


def test_tells_what_went_wrong_with_the_bytes_before_and_after(run: Run) -> None:
    code, out, err = run("doctor", BROKEN)
    assert (code, err) == (1, "")
    assert out.startswith(f"1. {MENDED} (length-swapped, 94%)\n")
    assert "   0x44: 00 00 00 04 -> 04 00 00 00\n" in out


def test_says_that_nothing_is_wrong(run: Run) -> None:
    assert run("doctor", SAMPLE) == (
        0,
        "Nothing seems to be wrong.\n"
        "This is about File.get_var of Godot 3, read as 2 values with a length in front of each, a guess.\n",
        "",
    )


def test_what_lies_around_sound_values_is_not_called_right(run: Run, tmp_path: Path) -> None:
    printed = tmp_path / "printed.txt"
    printed.write_text(f"[{' '.join(map(str, Path(SAMPLE).read_bytes()))}]\n")
    lines = run("doctor", printed).lines
    needs = "A game needs the bytes themselves: `unwrap` writes them to a file."
    assert lines[0] == f"The form is: list of bytes of Go. {needs}"
    assert lines[1] == "Nothing seems to be wrong with the values inside."


def test_who_made_a_form_that_is_hardly_meant_is_told_what_to_do(run: Run, tmp_path: Path) -> None:
    quoted = b"".join(bytes([byte]) if chr(byte).isalnum() and byte < 128 else b"\\x%02x" % byte for byte in TEXTS)
    for text, advice in (
        (base64.b64encode(TEXTS).replace(b"+", b" "), "%2B"),
        (b'"' + quoted + b'"', "%q"),
    ):
        shown = tmp_path / "shown.txt"
        shown.write_bytes(text)
        assert advice in run("doctor", shown).lines[1]


def test_what_no_engine_writes_is_named_where_nothing_is_wrong(run: Run, tmp_path: Path) -> None:
    odd = tmp_path / "odd.bin"
    odd.write_bytes(struct.pack("<8I", 19, 3, 1, 255, 1, 1, 2, 7))
    looked = run("doctor", odd)
    assert (looked.code, looked.lines[0]) == (0, HEALTHY)
    assert looked.lines[-2] == "An engine reads it without an error; `check` lists 1 warning."
    assert not any("warning" in line for line in run("doctor", SAMPLE).lines)


def test_fill_behind_a_value_is_called_the_unused_end_of_a_buffer(run: Run, tmp_path: Path) -> None:
    for name, data in (
        ("frame", struct.pack("<I", 1024) + TEXTS.ljust(1024, b"\xcd")),
        ("bare", TEXTS + b"\xcd" * 900),
    ):
        filled = tmp_path / f"{name}.bin"
        filled.write_bytes(data)
        told = run("doctor", filled).lines[1]
        assert "is CD to the end, as the unused end of a buffer: write only what was filled" in told
        assert ("before its frame does" if name == "frame" else "before the data does") in told


def test_what_is_read_in_another_way_is_told_in_words() -> None:
    bare = ReadOptions(load("godot3"), None, FramingKind.BARE)
    gone = ByteSample(0, "00 00 00 00"), ByteSample(0, "")
    told = list(lines(1, Repair(Cause.PREFIX_EXTRA, "It.", "So.", 0.5, None, bare, "", *gone, keeps=1, loses=2)))
    alone = Repair(Cause.PREFIX_EXTRA, "It.", "So.", 0.5, None, bare, keeps=0, loses=1)
    assert list(lines(1, alone))[2] == ("   If so, the value that can be read now is wrong.")
    assert told[2:] == [
        "   If so, 2 of the 3 values that can be read now are wrong.",
        "   0x0: 00 00 00 00 -> nothing",
        "   Read it as Godot 3, bare: one value without a length in front.",
    ]


def test_values_that_a_wrong_rule_of_an_encoder_made_are_not_lost() -> None:
    rule = Repair(Cause.ENCODER_RULE, "It.", "So.", 0.9, keeps=3, loses=1, support=Support(1, 5, 40.0))
    slip = replace(rule, support=Support(0, 1, 40.0))
    assert list(lines(1, rule))[2] == "   If so, 1 of the 4 values that can be read now is wrong."
    assert list(lines(1, slip))[2] == "   If so, 1 of the 4 values that can be read now is wrong."
    gone = replace(slip, takes_out=1)
    assert list(lines(1, gone))[2] == "   It loses 1 of 4 values that can be read now."
    old = replace(gone, cause=Cause.STALE_TAIL)
    assert list(lines(1, old))[2] == (
        "   It loses 1 of 4 values that can be read now."  # no edit: nothing is known of what goes
    )


def test_it_is_said_in_how_many_places_more_bytes_change() -> None:
    shown = ByteSample(0, "01"), ByteSample(0, "00")
    some = tuple(Splice(at, b"\1", b"\0") for at in (8, 4, 0))
    told = [
        list(lines(1, Repair(Cause.MASKED, "It.", "So.", 0.9, Edit("mend", some[-n:]), None, "", *shown)))[2]
        for n in (1, 2, 3)
    ]
    wide = ByteSample(0, "01 00 00 00 01"), ByteSample(0, "00 00 00 00 00")
    both = Repair(Cause.MASKED, "It.", "So.", 0.9, Edit("mend", some), None, "", *wide)
    assert list(lines(1, both))[2] == "   0x0: 01 00 00 00 01 -> 00 00 00 00 00 (and in 1 place more)"
    assert told == [
        "   0x0: 01 -> 00",
        "   0x0: 01 -> 00 (and in 1 place more)",
        "   0x0: 01 -> 00 (and in 2 places more)",
    ]


def test_of_several_bare_values_it_is_said_what_one_call_reads(run: Run, tmp_path: Path) -> None:
    row = tmp_path / "row.bin"
    row.write_bytes(TEXTS * 3)
    size = len(TEXTS)
    assert run("doctor", row).lines[0] == BARE_ROW.format(f"0x0, 0x{size:X}, 0x{2 * size:X}")
    row.write_bytes(TEXTS * 6)
    assert "and 2 places more without lengths between them" in run("doctor", row).lines[0]
    row.write_bytes(TEXTS)
    assert run("doctor", row).lines[0] == HEALTHY


def test_bytes_that_belong_to_no_value_are_told_where_nothing_is_wrong(run: Run, tmp_path: Path) -> None:
    field, stored = tmp_path / "field.bin", struct.pack("<I", len(TEXTS)) + TEXTS
    field.write_bytes(stored * 3 + struct.pack("<I", 0x10C) + stored * 3 + b"\1\0")
    first, then = run("doctor", field).lines[:2]
    assert first == HEALTHY
    assert then.startswith(f"4 bytes at 0x{3 * len(stored):X} belong to no value, nor do 2 bytes elsewhere: fields of")


@pytest.mark.parametrize("cut", range(1, 24))
def test_bytes_that_end_anywhere_are_answered(run: Run, tmp_path: Path, cut: int) -> None:
    short = tmp_path / "short.bin"
    values = struct.pack("<If", 3, 1.5) + struct.pack("<Iff", 5, 1.0, 2.0) + TEXTS
    short.write_bytes((struct.pack("<II", 19, 3) + values)[:-cut])
    assert run("doctor", short, "--dialect", "godot3").out


def test_what_hardly_any_game_stores_is_pointed_at(run: Run, tmp_path: Path) -> None:
    odd = tmp_path / "odd.bin"
    numbers = [struct.pack("<II", 3, 0x803F), struct.pack("<If", 3, 1.5)]
    for count, more in ((1, ""), (3, ", and more")):
        some = [numbers[0]] * count + [numbers[1]] * 4
        odd.write_bytes(struct.pack("<II", 19, len(some) + 1) + b"".join(some) + TEXTS)
        lines = run("doctor", odd, "--dialect", "godot3").lines
        assert lines[0] == HEALTHY
        assert lines[1].startswith(
            "Hardly any game stores what is here: a float of 4.6e-41 (with its bytes turned around"
        )
        assert " at 0x8" in lines[1]
        assert lines[1].endswith(f"{more}.")


def test_who_runs_godot_is_told_to_say_so_where_another_engine_is_guessed(run: Run, tmp_path: Path) -> None:
    save = SAMPLE.with_name("pandemonium4.save")
    assert run("doctor", save).lines[-1] == OTHER_ENGINE
    assert OTHER_ENGINE not in run("doctor", save, "--dialect", "pandemonium4").lines
    assert OTHER_ENGINE not in run("doctor", SAMPLE).lines
    picture = tmp_path / "picture.bmp"
    picture.write_bytes(b"BM" + struct.pack("<5I", 446, 0, 54, 40, 10) + bytes(range(200)) * 2)
    assert OTHER_ENGINE not in run("doctor", picture).lines


def test_what_an_engine_may_refuse_besides_is_no_rival() -> None:
    note = Repair(Cause.OBJECTS_NOT_ALLOWED, "There are objects in it.", "So.", 0.02)
    assert next(lines(1, note)) == "1. There are objects in it. (objects-not-allowed, 2%)"
    assert next(lines(2, note)) == "2. Besides, there are objects in it. (objects-not-allowed, 2%)"


def test_beside_what_is_likely_nothing_is_told_that_hardly_anything_speaks_for() -> None:
    """Nor that the search was cut short, where what it found is sure."""
    some = [Repair(Cause.BYTE_LOST, f"It {k}.", "So.", share) for k, share in enumerate((0.96, 0.03, 0.004, 0.001))]
    told = list(_told(Answer(tuple(some), SHORT), True, HEALTHY))
    assert [line for line in told if not line.startswith(" ")] == [
        "1. It 0. (byte-lost, 96%)",
        "2. It 1. (byte-lost, 3%)",
    ]
    unsure = list(_told(Answer(tuple(some[1:]), SHORT), True, HEALTHY))
    assert (len([line for line in unsure if "byte-lost" in line]), unsure[-1]) == (3, SHORT)


def test_how_likely_something_else_is_stands_below_the_explanations() -> None:
    """But for what hardly is, where nothing needs to have happened, and beside what is no damage."""
    some = (Repair(Cause.BYTE_LOST, "It.", "So.", 0.7), Repair(Cause.BIT_FLIPPED, "It was.", "So.", 0.14))
    told = list(_told(Answer(some, SHORT, False, 0.16), True, HEALTHY))
    assert told[-2:] == ["Something else (16%).", SHORT]
    for answer in (Answer(some, "", False, 0.09), Answer(some, "", True, None)):
        assert not any("omething else" in line for line in _told(answer, True, HEALTHY))
    note = Repair(Cause.TOO_DEEP, "It.", "So.", 0.95)
    assert list(_told(Answer((note,), "", False, 1.0), True, HEALTHY)) == list(lines(1, note))


def test_that_something_else_is_likelier_is_said_before_the_explanations() -> None:
    told = list(_told(Answer((Repair(Cause.DAMAGED, "It.", "So.", 0.3),), "", False, 0.7), True, HEALTHY))
    assert told[0] == MORE_LIKELY.format("70%")
    assert not any("Something else" in line for line in told)


def test_of_foreign_bytes_it_is_not_said_that_something_happened_to_them(run: Run, tmp_path: Path) -> None:
    noise = tmp_path / "noise.bin"
    noise.write_bytes(random.Random(3).randbytes(4096))
    out = run("doctor", noise).out
    assert "no-variant" in out
    assert "omething else" not in out
    assert json.loads(run("doctor", noise, "--json").out)["unexplained"] is None


def test_of_bytes_that_read_it_is_said_so_though_not_everything_was_tried() -> None:
    assert list(_told(Answer((), SHORT), False, SOUND_SO_FAR)) == [SOUND_SO_FAR, SHORT]


def test_a_verdict_rests_on_what_is_said_of_the_bytes_alone() -> None:
    """That a feature is new, or a packet large, says nothing of bytes that belong to no value."""
    feature = Answer((Repair(Cause.NEWER_FEATURE, "It.", "So.", 0.3),), is_read=False)
    own = Answer((Repair(Cause.OWN_FIELDS, "It.", "So.", 0.6),), is_read=False)
    assert [verdict(each, False) for each in (feature, own, replace(feature, is_read=True))] == [
        "unknown",
        "sound",
        "sound",
    ]
    assert verdict(own, True) == "damaged"


def test_it_is_always_said_how_the_bytes_are() -> None:
    unlikely = Answer((Repair(Cause.BYTE_LOST, "It.", "So.", 0.05),), is_read=False)
    assert next(_told(unlikely, False, HEALTHY)) == UNSURE
    assert list(_told(Answer(is_read=False), True, HEALTHY)) == [UNEXPLAINED]
    assert list(_told(Answer((), LARGE, False), True, HEALTHY)) == [LARGE]
    assert list(_told(Answer((), SHORT, False), False, HEALTHY)) == [UNREAD, SHORT]


def test_who_is_told_nothing_likely_is_told_where_an_engine_stops(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.bin"
    broken.write_bytes(struct.pack("<4I", 19, 2, 2, 7) + random.Random(1).randbytes(40))
    asked = ("doctor", broken, "--dialect", "godot3", "--framing", "bare")
    offers = json.loads(run(*asked, "--json").out)["offers"]
    assert all(each["probability"] <= 0.1 for each in offers)
    assert any(line.startswith("An engine stops at 0x10: ") for line in run(*asked).lines)


def test_what_says_the_same_is_told_as_another_way_to_undo_it() -> None:
    repair = Repair(Cause.BYTE_LOST, "It.", "So.", 0.001)
    assert list(lines(3, repair, 1)) == [
        "3. It. (byte-lost, <1%)",
        "   This is the mistake of 1, but it is undone in another way:",
        "   So.",
    ]


def test_bytes_that_were_treated_as_text_are_not_called_sound(run: Run, tmp_path: Path) -> None:
    lost = tmp_path / "lost.save"
    lost.write_bytes(SAMPLE.read_bytes().decode("utf-8", "replace").encode())
    looked = run("doctor", lost)
    assert HEALTHY not in looked.out
    assert "(replacement-chars, " in looked.lines[0]
    assert json.loads(run("doctor", lost, "--json").out)["verdict"] == "damaged"


def test_a_wrap_that_a_game_must_take_off_is_named(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "value.txt"
    text.write_bytes(base64.urlsafe_b64encode(SAMPLE.read_bytes()).rstrip(b"="))
    assert "The form is: base64 with “-” and “_” for “+” and “/”, without “=”" in (run("doctor", text).out)


def test_a_repair_that_reads_the_bytes_in_another_way_says_so(run: Run, tmp_path: Path) -> None:
    packed = tmp_path / "packet.bin"
    save = SAMPLE.read_bytes()
    packed.write_bytes(bytes([7, 22]) + save[4 : 4 + int.from_bytes(save[:4], "little")])
    looked = run("doctor", packed)
    assert "   Read it as " in looked.out
    assert looked.lines[-1] == "After repair 1, bytes2var of Godot 3 reads it: one value without a length."


MIXED = sorted((DATA / "mixed").glob("*.save"))[::8]
WRITTEN = sorted((DATA / "godot4" / "files").glob("plain_*.bin"))


@pytest.mark.parametrize("path", [BROKEN, *MIXED, *WRITTEN], ids=lambda path: path.name)
def test_check_and_doctor_say_the_same(run: Run, path: Path) -> None:
    checked, looked = run("check", path), run("doctor", path)
    assert looked.code == checked.code
    assert (HEALTHY in looked.out) == (checked.code == 0)


def test_check_and_explain_tell_of_a_wrong_encoder_whose_bytes_an_engine_reads(run: Run, tmp_path: Path) -> None:
    """Where something stands there that no engine writes; the exit code is that of the engine."""
    data = next(case.data for case in load_cases(CASES) if case.kind == "prefix-constant-1024")
    odd = tmp_path / "odd.bin"
    odd.write_bytes(data)
    checked = run("check", odd)
    assert checked.code == 0
    assert "Likely (98 %): Your encoder writes 1,024 before each value" in checked.lines[0]
    sound = tmp_path / "sound.bin"
    sound.write_bytes(struct.pack("<8I", 19, 3, 1, 255, 1, 1, 2, 7))
    assert "Likely" not in run("check", sound).out


def test_what_was_read_by_chance_is_not_called_sound(run: Run, tmp_path: Path) -> None:
    """An engine reads a Vector2 at the begin and skips the rest: that is no error, and no value that anybody stored."""
    noise = tmp_path / "noise.bin"
    noise.write_bytes(struct.pack("<I", 5) + random.Random(3).randbytes(400))
    looked = run("doctor", noise)
    assert (looked.code, looked.lines[0]) == (0, UNREAD)
    assert looked.lines[-1].startswith(
        "Read this way, the game gets less than is there: It gets a value of type Vector2"
    )
    assert json.loads(run("doctor", noise, "--json").out)["verdict"] == "unknown"


def test_a_cut_off_save_is_wrong_for_check_and_doctor(run: Run, tmp_path: Path) -> None:
    cut = tmp_path / "cut.save"
    cut.write_bytes(SAMPLE.read_bytes()[:-20])
    checked, looked = run("check", cut), run("doctor", cut)
    assert (checked.code, looked.code) == (1, 1)
    assert HEALTHY not in looked.out


def test_writes_the_mended_bytes_beside(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "mended.bin"
    before = BROKEN.read_bytes()
    assert run("doctor", BROKEN, "--apply", "1", "-o", out).code == 0
    assert out.read_bytes() == before[:0x44] + bytes.fromhex("04000000") + before[0x48:]
    assert BROKEN.read_bytes() == before
    assert run("doctor", out).lines[0] == "Nothing seems to be wrong."


def test_keeps_the_rest_of_a_save_that_nothing_brings_back(run: Run, tmp_path: Path) -> None:
    damaged, out = tmp_path / "damaged.save", tmp_path / "kept.save"
    save = SAMPLE.read_bytes()
    at = len(save) // 2 & ~3
    damaged.write_bytes(save[:at] + bytes.fromhex("9f3ce1d2 77b8046d") + save[at + 8 :])
    assert "(damaged, 30%)" in run("doctor", damaged).lines[1]
    assert run("doctor", damaged, "--apply", "1", "-o", out).code == 0
    assert run("check", out, "--engine", "godot3").code == 0
    assert len(out.read_bytes()) > 0.9 * len(save)


@pytest.mark.parametrize("number", ["0", "99", "one", "-1"])
def test_a_number_that_no_repair_has_is_refused(run: Run, tmp_path: Path, number: str) -> None:
    found = run("doctor", BROKEN, f"--apply={number}", "-o", tmp_path / "out")
    assert found.failed_with("--apply is the number of a repair", number)
    assert not (tmp_path / "out").exists()


def test_says_that_there_is_nothing_to_apply(run: Run, tmp_path: Path) -> None:
    found = run("doctor", SAMPLE, "--apply", "1", "-o", tmp_path / "out")
    assert found.failed_with("There is nothing to apply: no repair was found.")


def test_where_to_write_needs_a_repair(run: Run, tmp_path: Path) -> None:
    assert run("doctor", BROKEN, "-o", tmp_path / "out").failed_with("--apply N")


def test_json_has_one_object_for_each_file(run: Run) -> None:
    found = run("doctor", BROKEN, SAMPLE, "--json")
    broken, sound = map(json.loads, found.out.splitlines())
    assert found.code == 1
    assert (broken["file"], broken["verdict"], sound["verdict"], sound["offers"]) == (
        str(BROKEN),
        "damaged",
        "sound",
        [],
    )
    first = broken["offers"][0]
    assert (first["cause"], first["splices"]) == ("length-swapped", [[0x44, 4, "04000000"]])
    assert 0.9 < first["probability"] <= 1
    assert (first["keeps"], first["loses"]) == (9, 0)


def test_json_tells_what_was_cut_off_and_what_is_foreign(run: Run, tmp_path: Path) -> None:
    cut, foreign = tmp_path / "cut.save", tmp_path / "picture.png"
    cut.write_bytes(SAMPLE.read_bytes()[:1024])
    foreign.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    verdicts = [json.loads(line)["verdict"] for line in run("doctor", cut, foreign, "--json").out.splitlines()]
    assert verdicts == ["cut off", "foreign"]


def test_json_has_what_is_promised_of_every_offer(run: Run, tmp_path: Path) -> None:
    cut, unknown = tmp_path / "cut.save", tmp_path / "unknown.bin"
    cut.write_bytes(SAMPLE.read_bytes()[:1024])
    unknown.write_bytes(random.Random(18).randbytes(600))
    found = run("doctor", BROKEN, cut, unknown, SAMPLE, "--json")
    told = [json.loads(line) for line in found.out.splitlines()]
    assert [each["file"] for each in told] == [str(path) for path in (BROKEN, cut, unknown, SAMPLE)]
    assert {each["verdict"] for each in told} <= {"sound", "damaged", "cut off", "foreign", "unknown"}
    for each in told:
        chances = [offer["probability"] for offer in each["offers"]]
        if each["verdict"] in ("sound", "foreign"):
            assert each["unexplained"] is None
        else:
            assert each["unexplained"] == pytest.approx(max(0, 1 - sum(chances)), abs=2e-3)
        assert chances == sorted(chances, reverse=True)
        for offer in each["offers"]:
            assert {"cause", "sentence", "reason", "probability", "keeps", "loses", "splices"} <= offer.keys()
            assert offer["sentence"]
            assert re.fullmatch(r"[a-z0-9-]+", offer["cause"])
            assert 0 <= offer["probability"] <= 1
            for offset, removed, added in offer["splices"]:
                assert offset >= 0
                assert removed >= 0
                assert bytes.fromhex(added) or removed


def test_json_splices_are_what_apply_does(run: Run, tmp_path: Path) -> None:
    raw, out = BROKEN.read_bytes(), tmp_path / "out"
    (first, *_) = json.loads(run("doctor", BROKEN, "--json").out)["offers"]
    for offset, removed, added in sorted(first["splices"], reverse=True):
        raw = raw[:offset] + bytes.fromhex(added) + raw[offset + removed :]
    run("doctor", BROKEN, "--apply", "1", "-o", out)
    assert out.read_bytes() == raw


def test_a_file_that_is_not_there_stops_no_other(run: Run, tmp_path: Path) -> None:
    found = run("doctor", tmp_path / "nowhere", SAMPLE)
    assert found.code == 2
    assert found.lines[:2] == [f"{SAMPLE}:", HEALTHY]
    assert found.err.count("\n") == 1
    assert "nowhere" in found.err


def test_only_one_file_is_mended_at_a_time(run: Run, tmp_path: Path) -> None:
    assert run("doctor", BROKEN, SAMPLE, "--apply", "1", "-o", tmp_path / "out").failed_with("name one")
