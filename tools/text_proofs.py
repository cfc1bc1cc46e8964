"""Prove what is said of texts: that they go round, that what engines refuse is told, that mistakes are mended.

    python tools/text_proofs.py roundtrip [COUNT]
    python tools/text_proofs.py refusals [FLIPS] [SEED]
    python tools/text_proofs.py values [COUNT] [FOLDER]
    python tools/text_proofs.py mistakes [held|tuned|later-held|later-tuned] [SEED]
    python tools/text_proofs.py shares [COUNT] [SEED]

``roundtrip`` makes COUNT texts of each kind: what they say is read, all stays as it is but what is changed, and what is
written anew says the same. ``refusals`` breaks texts, by every truncation and by FLIPS wrong bytes, and asks Godot 3
and Godot 4 for each one: what they refuse must have an error with its line and column. ``values`` asks both engines
what COUNT made texts of JSON and settings say, and the texts that they wrote, and those in FOLDER, then the same of 150
edited ones. ``mistakes`` asks the doctor for ten cases of each kind of mistake, those by which it is judged or those by
which it was tuned, and for sound texts. ``shares`` counts, of COUNT texts with one mistake and as many with 2 to 4 at
once, how often the first offer gives the text back, by what can be seen of the offer: the numbers of
:mod:`viewer.text.mend_shares`, and beside them those of kinds that are held back. Ends with 1 where a goal is missed.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import engine  # noqa: E402
import engine4  # noqa: E402
from document.readers.resource_edits import FOLDER, scripts  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from text import later_mistakes, made_texts, mistake_kinds, several_mistakes  # noqa: E402
from text.engine_texts import OTHERS, files  # noqa: E402
from text.mistake_judge import entries, judged  # noqa: E402
from text.plain_values import of_document, of_json  # noqa: E402
from text.test_engine_json import REFUSED, ask3, ask4  # noqa: E402
from text.test_engines_read_texts import unordered  # noqa: E402

from viewer.base.diagnostic import Code, Severity  # noqa: E402
from viewer.document.doctor import diagnose, text_repairs  # noqa: E402
from viewer.document.document import Document  # noqa: E402
from viewer.document.edits.setting import set_literal  # noqa: E402
from viewer.document.outline import is_key, type_row  # noqa: E402
from viewer.text.engine_notation import EngineNotation  # noqa: E402
from viewer.text.float_spelling import engine_float  # noqa: E402
from viewer.text.mend_shares import MendForm, likelihood  # noqa: E402
from viewer.text.utf8 import bad_utf8  # noqa: E402
from viewer.variant.dialect import load_text_values  # noqa: E402
from viewer.variant.items import Item  # noqa: E402
from viewer.variant.literal.parse import parse_literal  # noqa: E402
from viewer.variant.literal.printing import format_literal  # noqa: E402
from viewer.variant.read import read  # noqa: E402

ROUNDS, FLIPS = 5000, 20_000
GOAL = 98.0
SHOWN = 3
"""So many cases of each disagreement are printed."""
TEXTS_OF_A_KIND, SHORT = 6, 700
LINES = ("godot3", "godot4")
_PLACE = re.compile(r"Line \d+, column \d+ \(byte \d+\): ")


# Round trips


def literal(document: Document) -> str:
    """All that a text says."""
    return format_literal(read(document.frames[0].table, 0), document.dialect)


def change(document: Document, draw: random.Random) -> bytes:
    """The text with one value set to another; every byte but those of the value must stay."""
    text, table = document.text, document.frames[0].table
    before, after = bytes(document.to_be_written()[:]), b""
    nodes = [node for node in range(1, len(table)) if not is_key(table, node)]
    for node in draw.sample(nodes, len(nodes)):
        row = type_row(document, Item(0, node))
        if row is None or row.name not in OTHERS:
            continue
        span = text.span_of(table.span(node).start) if text is not None else None
        assert span is not None
        document.apply(set_literal(document, Item(0, node), draw.choice(OTHERS[row.name])))
        after = bytes(document.to_be_written()[:])
        assert after[: span.start] == before[: span.start], before
        assert after.endswith(before[span.end :]), before
        break
    return after or before


def json_round(draw: random.Random) -> None:
    text, _ = made_texts.json_text(draw)
    document = opened(text)
    assert of_document(document) == [of_json(json.loads(text, parse_float=engine_float))], text
    assert of_document(opened(change(document, draw))) == of_document(document), text


Make = Callable[[random.Random, str], tuple[bytes, str]]


def engine_round(draw: random.Random, make: Make, line: str) -> None:
    """What an engine's text says, before and after a change, and spelled anew."""
    text, said = make(draw, line)
    document = opened(text)
    dialect = load_text_values(line)
    if document.dialect.name == dialect.name:  # of settings without a sign it is not known
        assert literal(document) == said, text
    again = literal(opened(change(document, draw)))
    assert again == literal(document), text
    notation = EngineNotation(b"", document.dialect, True)
    spelled = notation.value(parse_literal(again, document.dialect), b"", 9)
    assert format_literal(parse_literal(spelled.decode(), document.dialect), document.dialect) == again, text


def opened(text: bytes) -> Document:
    """A text that is read without a word, and saved as it is."""
    document = Document(text)
    assert document.text is not None, text
    wrong = [found.message for found in document.findings.all() if found.severity >= Severity.WARNING]
    assert not wrong, (wrong, text)
    assert bytes(document.to_be_written()[:]) == text
    return document


def roundtrip(count: str = str(ROUNDS)) -> bool:
    """Texts of each kind, made by hypothesis, which shrinks what fails."""
    kinds: dict[str, Callable[[random.Random], None]] = {"JSON": json_round}
    for line in LINES:
        for kind, make in (("ConfigFile", made_texts.config_text), (".tres", made_texts.resource_text)):
            kinds[f"{kind} of {line}"] = lambda draw, make=make, line=line: engine_round(draw, make, line)
    is_good = True
    for name, proof in kinds.items():
        each = int(count) // (1 if name == "JSON" else len(LINES))

        try:
            rounds(proof, each)
        except AssertionError as error:
            print(f"{name}: fails: {str(error)[:2000]}")
            is_good = False
        else:
            print(f"{name}: {each} round trips")
    return is_good


def rounds(proof: Callable[[random.Random], None], count: int) -> None:
    """Try a proof so many times."""

    @settings(max_examples=count, deadline=None, database=None)
    @given(st.randoms(use_true_random=True))
    def tried(draw: random.Random) -> None:
        proof(draw)

    tried()


# What engines refuse

Ask = Callable[[Sequence[bytes]], list[str | None]]
"""Why an engine refuses each text, None where it does not."""


def of_godot3(mode: engine.Mode | None, texts: Sequence[bytes]) -> list[str | None]:
    """Settings or JSON; resources where no mode is given."""
    if mode is None:
        told = engine.loaded(texts, FOLDER / "godot3" / "scripts")
        return ["refused" if each is None else None for each in told]
    answers = engine.read_back([engine.Request(text, mode) for text in texts])
    return [None if each.values else each.error for each in answers]


def of_godot4(godot: engine4.Godot, task: str, texts: Sequence[bytes]) -> list[str | None]:
    if task == "resource":
        beside, told = scripts("godot4"), []
        for text in texts:
            found, messages = godot.loaded(text, "res://text.tres", beside)
            told.append(" ".join(messages) or "refused" if found is None else None)
        return told
    answers = (godot.parsed if task == "json" else godot.settings)(texts)
    return [each.fault or "refused" if each.refused else None for each in answers]


def sound(kind: str, line: str, ask: Ask, draw: random.Random) -> list[bytes]:
    """Texts of a kind that an engine reads, and that need no other file: some that it wrote, some that were made."""
    made: dict[str, Callable[[], bytes]] = {
        "JSON": lambda: made_texts.json_text(draw)[0],
        "ConfigFile": lambda: made_texts.config_text(draw, line)[0],
        ".tres": lambda: made_texts.resource_text(draw, line)[0],
    }
    texts = [made[kind]() for _ in range(8 * TEXTS_OF_A_KIND)]
    if kind != "JSON":
        endings = (".cfg", ".godot") if kind == "ConfigFile" else (".tres",)
        texts += [path.read_bytes() for path in files(line, *endings)]
        texts = [text for text in texts if b"ext_resource" not in text and b"script" not in text]
    texts = [text for text in texts if 60 < len(text) < 3000]
    return [text for text, why in zip(texts, ask(texts), strict=True) if why is None]


def flipped(text: bytes, draw: random.Random) -> bytes:
    """A text with one byte that is wrong: half of them as a person hits them."""
    raw = bytearray(text)
    at = draw.randrange(len(raw))
    old = raw[at]
    while raw[at] == old:
        raw[at] = draw.choice(b'{}[]()",:;=\\ \n\t019.-eaztTN#&') if draw.random() < 0.5 else draw.randrange(256)
    return bytes(raw)


def is_told(text: bytes) -> bool:
    """Whether there is an error; each one in a text must have its line and column."""
    document = Document(text)
    found = document.findings.all()
    for each in found:
        if each.code in (Code.TEXT_BROKEN, Code.TEXT_SLIP):
            assert _PLACE.match(each.message), each.message
    return document.text is None or any(each.severity is Severity.ERROR for each in found)


def share(name: str, cases: Sequence[bytes], ask: Ask) -> bool:
    """How often an error stands where an engine refuses, and how often where it does not."""
    refused = told = false = strange = 0
    missed, wrong = [], []
    for text, why in zip(cases, ask(cases), strict=True):
        says = is_told(text)
        if why is None:
            false += says and not bad_utf8(text)
            wrong += [text] if says and not bad_utf8(text) else []
            strange += says and bool(bad_utf8(text))
            continue
        refused += 1
        told += says
        missed += [] if says else [(why, text)]
    percent = 100 * told / max(refused, 1)
    print(f"{name}: {len(cases)} cases, {refused} refused, of these told {told} ({percent:.1f} %); ", end="")
    read_all = len(cases) - refused
    print(f"of {read_all} that it reads {false} are called wrong, and {strange} that are not UTF-8", flush=True)
    for why, text in missed[:SHOWN]:
        print("   missed:", why[:200], text)
    for text in wrong[:SHOWN]:
        print("   wrong:", text)
    return percent >= GOAL


def refusals(count: str = str(FLIPS), seed: str = "1") -> bool:
    draw, is_good = random.Random(int(seed)), True
    with engine4.Godot() as godot:
        kinds: dict[tuple[str, str], Ask] = {
            ("JSON", "godot3"): partial(of_godot3, "json"),
            ("ConfigFile", "godot3"): partial(of_godot3, "config"),
            (".tres", "godot3"): partial(of_godot3, None),
            ("JSON", "godot4"): partial(of_godot4, godot, "json"),
            ("ConfigFile", "godot4"): partial(of_godot4, godot, "config"),
            (".tres", "godot4"): partial(of_godot4, godot, "resource"),
        }
        for (kind, line), ask in kinds.items():
            texts = sound(kind, line, ask, draw)
            short = draw.sample([text for text in texts if len(text) < SHORT], TEXTS_OF_A_KIND)
            cuts = [text[:cut] for text in short for cut in range(len(text))]
            wrong = [flipped(draw.choice(texts), draw) for _ in range(int(count) // len(kinds))]
            is_good &= share(f"{kind} {line}, cut off", cuts, ask)
            is_good &= share(f"{kind} {line}, one byte wrong", wrong, ask)
    return is_good


# What engines read

EDITS = 150
Say = Callable[[Sequence[bytes]], list[Any]]
"""What an engine reads in each text, :data:`REFUSED` where it reads nothing."""
Mean = Callable[[Sequence[Document]], list[Any]]
"""What each document says, in the same form."""


def literals(documents: Sequence[Document]) -> list[str]:
    return [literal(document) for document in documents]


def tiles(document: Document) -> bool:
    """Whether the places of all values lie in each other or beside each other, from the beginning to the end."""
    text = document.text
    assert text is not None
    size = len(bytes(document.to_be_written()[:]))
    ends = [size]
    for span, _ in text.values_in(0, size):
        while ends and span.start >= ends[-1] and len(ends) > 1:
            ends.pop()
        if span.end > ends[-1] or span.start < 0:
            return False
        ends.append(span.end)
    return True


def agreed(name: str, texts: Sequence[bytes], say: Say, mean: Mean, draw: random.Random) -> bool:
    """How often what we read is what an engine reads, before and after edits."""
    opened_ = [Document(text) for text in texts]
    known = [document for document in opened_ if document.text is not None and document.frames]
    same = sum(bytes(document.to_be_written()[:]) == text for document, text in zip(opened_, texts, strict=True))
    tiled = sum(map(tiles, known))
    edited = [change(Document(text), draw) for text in draw.choices([t for t in texts if b"script" not in t], k=EDITS)]
    print(f"{name}: {len(texts)} texts, {same} saved as they are, {tiled} of {len(known)} tiled; ", end="", flush=True)
    is_good = same == len(texts) and tiled == len(known) == len(texts)
    for what, cases in (("as they are", [bytes(d.to_be_written()[:]) for d in known]), ("edited", edited)):
        ours, theirs = mean([Document(case) for case in cases]), say(cases)
        read_ = [
            (case, one, other) for case, one, other in zip(cases, ours, theirs, strict=True) if other is not REFUSED
        ]
        others = [each for each in read_ if each[1] != each[2]]
        equal = len(read_) - len(others)
        print(f"{what} {equal} of {len(read_)} equal, {len(cases) - len(read_)} refused; ", end="", flush=True)
        is_good &= not others
        for case, one, other in others[:SHOWN]:
            print(f"\n   {case[:300]!r}\n   ours {str(one)[:300]}\n   theirs {str(other)[:300]}")
    print()
    return is_good


def values(count: str = "300", folder: str = "") -> bool:
    draw, is_good = random.Random(7), True
    more = sorted(Path(folder).rglob("*.*")) if folder else []

    def found(*endings: str) -> list[bytes]:
        told = (path.read_bytes() for path in more if path.suffix in endings)
        return [text for text in told if Document(text).text is not None]

    made = [made_texts.json_text(draw)[0] for _ in range(int(count))] + found(".json")
    paired = [text for text in made if b"\\ud" not in text]  # Godot 3 reads no pairs of surrogates
    of_texts: Mean = lambda documents: [of_document(each)[0] for each in documents]  # noqa: E731
    is_good &= agreed("JSON, Godot 3", paired, ask3, of_texts, draw)
    with engine4.Godot() as godot:
        is_good &= agreed("JSON, Godot 4", made, ask4(godot), of_texts, draw)
        for line in LINES:
            made = [made_texts.config_text(draw, line)[0] for _ in range(int(count))]
            texts = [text for text in made if Document(text).dialect.name == load_text_values(line).name]
            texts += [path.read_bytes() for path in files(line, ".cfg", ".godot")]
            say, mean = settings_of(godot, line)
            is_good &= agreed(f"ConfigFile, {line}", texts, say, mean, draw)
    return is_good


def settings_of(godot: engine4.Godot, line: str) -> tuple[Say, Mean]:
    """How settings are asked of an engine, and how ours are put in its form: without nulls, which it drops."""

    def kept(told: Any) -> Any:
        sections = (
            (name, [pair for pair in held["Dictionary"] if pair[1] is not None]) for name, held in told["Dictionary"]
        )
        return unordered({"Dictionary": [[name, {"Dictionary": pairs}] for name, pairs in sections if pairs]})

    def say4(texts: Sequence[bytes]) -> list[Any]:
        return [REFUSED if each.refused else kept(each.value) for each in godot.settings(texts)]

    def say3(texts: Sequence[bytes]) -> list[Any]:
        answers = engine.read_back([engine.Request(text, "config") for text in texts])
        return [kept(each.value) if each.values else REFUSED for each in answers]

    def mean4(documents: Sequence[Document]) -> list[Any]:
        return [kept(each.value) for each in godot.texts(literals(documents))]

    def mean3(documents: Sequence[Document]) -> list[Any]:
        stored = [engine.Request(raw, "bytes2var") for raw in engine.encode(literals(documents))]
        return [kept(each.value) for each in engine.read_back(stored)]

    return (say4, mean4) if line == "godot4" else (say3, mean3)


# The doctor

CASES, SOUND_TEXTS = 10, 300
CAUSE_GOAL, RESTORED_GOAL = 90.0, 85.0
LISTS = {
    "held": mistake_kinds.HELD,
    "tuned": mistake_kinds.TUNED,
    "later-held": later_mistakes.LATER_HELD,
    "later-tuned": later_mistakes.LATER_TUNED,
}


def mistakes(which: str = "held", seed: str = "1") -> bool:
    """How often the doctor tells the true cause first, and gives back what was meant."""
    kinds = LISTS[which]
    total = [0, 0]
    for kind in kinds:
        told = [judged(kind, case) for case in mistake_kinds.cases(kind, CASES, int(seed))]
        counts = [sum(each[k] for each in told) for k in range(2)]
        total = [one + other for one, other in zip(total, counts, strict=True)]
        if not which.endswith("held"):
            print(f"{kind.name}: cause first {counts[0]}, restored {counts[1]} of {CASES}", flush=True)
            for line in list(dict.fromkeys(each[2] for each in told if not (each[0] and each[1])))[:SHOWN]:
                print(f"   {line}")
    shares = [100 * each / (CASES * len(kinds)) for each in total]
    accused = _accused(random.Random(int(seed)))
    print(f"cause first {shares[0]:.1f} %, restored {shares[1]:.1f} %; {accused} of {SOUND_TEXTS} sound texts accused")
    return shares[0] >= CAUSE_GOAL and shares[1] >= RESTORED_GOAL and not accused


def _accused(draw: random.Random) -> int:
    makes = list(mistake_kinds.SAVES.values())
    texts = (makes[number % len(makes)](draw) for number in range(SOUND_TEXTS))
    return sum(bool(diagnose(Document(text.encode()))) for text in texts)


SHARE_CASES = 200


def shares(count: str = str(SHARE_CASES), seed: str = "2") -> bool:
    """How often a first offer is right, by its form: of kinds that tell the shares, and of others."""
    forms = list[MendForm]()

    def heard(form: MendForm, rank: int = 0) -> float:
        if not rank:
            forms.append(form)
        return likelihood(form, rank)

    text_repairs.likelihood = heard  # type: ignore[attr-defined]
    told: dict[bool, dict[str, list[bool]]] = {False: {}, True: {}}
    for is_held, most in product((False, True), (1, several_mistakes.MOST_AT_ONCE)):
        right = list[bool]()
        for case in several_mistakes.several(several_mistakes.kinds(is_held), int(count), most, int(seed)):
            forms.clear()
            right.append(_is_given_back(case))
            name = forms[0].name if forms else "no text, or nothing"
            told[is_held].setdefault(name, []).append(right[-1])
        what = f"{'held' if is_held else 'tuned'}, {'one mistake' if most < 2 else f'2 to {most} mistakes'}"
        print(f"{what}: {sum(right)} of {len(right)} given back by the first offer", flush=True)
    for name in sorted({*told[False], *told[True]}):
        sums = [(sum(told[held].get(name, [])), len(told[held].get(name, []))) for held in (False, True)]
        print(f"   {name}: tuned {sums[0][0]} of {sums[0][1]}, held {sums[1][0]} of {sums[1][1]}")
    return True


def _is_given_back(case: mistake_kinds.MistakeCase) -> bool:
    document = Document(case.broken)
    edit = next((each.edit for each in diagnose(document) if each.edit is not None), None)
    if edit is None:
        return False
    document.apply(edit)
    again = Document(bytes(document.to_be_written()[:]))
    found = entries(again)
    return bool(found) and found == entries(Document(case.sound)) and again.text is not None and not again.text.damages


COMMANDS: dict[str, Callable[..., bool]] = {
    "roundtrip": roundtrip,
    "refusals": refusals,
    "values": values,
    "mistakes": mistakes,
    "shares": shares,
}


def main(arguments: Sequence[str]) -> int:
    command = COMMANDS.get(arguments[0]) if arguments else None
    if command is None:
        print(__doc__)
        return 2
    return 0 if command(*arguments[1:]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
