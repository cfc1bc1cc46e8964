"""A bulk edit as the answers to four questions: which values, where, only which of them, and what they become."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from enum import Enum
from itertools import count, islice

from viewer.base.progress import Cancelled
from viewer.base.record import dataclass
from viewer.document.bulk.frame_values import BulkError, FrameValues
from viewer.document.bulk.operations import LiteralDialect
from viewer.document.bulk.planning import shortened
from viewer.document.bulk.rule_parser import parse_rule
from viewer.document.bulk.steps import PatternRun
from viewer.document.document import Document
from viewer.variant.dialect import HOLDING, PAIRED
from viewer.variant.items import Item
from viewer.variant.literal.arithmetic import ArithmeticProblem, is_arithmetic, is_relative, written_out
from viewer.variant.literal.numbers import FLOAT_WORD, NUMBER
from viewer.variant.literal.parse import LiteralError, parse_literal

LOOKED_AT = 20_000
"""So many nodes of each file are looked at for the names that stand in it."""
MOST_NAMES = 300
MOST_PLACES = 8
"""So many collections around a value are offered."""
LOOKS = 64
"""After so many looks for a value that is meant nobody looks any more; a look is some thousand values, or a frame."""
ONE_WORD = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class ValueChoice(Enum):
    """Which values are meant; the value is how a form says it."""

    NAMED = "Values called"
    NAMED_LIKE = "Values whose name contains"
    EQUAL = "Values that are"
    HOLDING = "Texts that contain"
    TYPED = "Values of type"


class FormTest(Enum):
    """What must be so; the value is how a form says it."""

    ALWAYS = "always"
    LESS = "is less than"
    MORE = "is more than"
    SAME = "is"
    OTHER = "is not"
    LEAST = "is at least"
    MOST = "is at most"
    CONTAINS = "contains"


class Become(Enum):
    """What they become; the value is how a form says it."""

    SET = "becomes"
    PLUS = "grows by"
    MINUS = "shrinks by"
    TIMES = "is multiplied by"
    LEAST = "is raised to at least"
    MOST = "is lowered to at most"


SIGNS = {
    FormTest.LESS: "<",
    FormTest.MORE: ">",
    FormTest.SAME: "==",
    FormTest.OTHER: "!=",
    FormTest.LEAST: ">=",
    FormTest.MOST: "<=",
    FormTest.CONTAINS: "contains",
}
IT = ""
TEXTS = ("String", "StringName")
MEASURES = (FormTest.LESS, FormTest.MORE, FormTest.LEAST, FormTest.MOST)
"""Tests of how large a number is."""
SUMS = (Become.MINUS, Become.TIMES, Become.LEAST, Become.MOST)
"""What only a number does."""
WHAT_IS_MISSING = {
    ValueChoice.NAMED: "Say what the values are called.",
    ValueChoice.NAMED_LIKE: "Say what their names contain.",
    ValueChoice.EQUAL: "Say what the values are now.",
    ValueChoice.HOLDING: "Say what the texts contain.",
    ValueChoice.TYPED: "Say which type they have.",
}
OPERAND_IS_MISSING = {
    FormTest.LESS: "Say below which number.",
    FormTest.MORE: "Say above which number.",
    FormTest.SAME: "Say what it must be.",
    FormTest.OTHER: "Say what it must not be.",
    FormTest.LEAST: "Say the lowest number that is meant.",
    FormTest.MOST: "Say the highest number that is meant.",
    FormTest.CONTAINS: "Say what it must contain.",
}
NEW_IS_MISSING = {
    Become.SET: "Say what they become.",
    Become.PLUS: "Say by how much they grow.",
    Become.MINUS: "Say by how much they shrink.",
    Become.TIMES: "Say what they are multiplied by.",
    Become.LEAST: "Say to which number they are raised.",
    Become.MOST: "Say to which number they are lowered.",
}


@dataclass(frozen=True, slots=True)
class FormAnswers:
    """What a person chose in the form.

    Args:
        which, what: which values, and the name, text or type that is meant.
        scope: the path below which they lie, empty for the whole file.
        subject: what the test is about: the name of an entry beside the value, empty for the value itself.
        test, operand: the test, and what is compared with.
        become, new: what happens to the value, and the new value or the number for it.
    """

    which: ValueChoice
    what: str
    new: str
    become: Become = Become.SET
    scope: str = ""
    test: FormTest = FormTest.ALWAYS
    operand: str = ""
    subject: str = IT


def missing(answers: FormAnswers) -> str:
    """What is still to be said, or otherwise, in a sentence about the first such field; empty where nothing is."""
    operand, new = answers.operand.strip(), answers.new.strip()
    if not answers.what.strip():
        return WHAT_IS_MISSING[answers.which]
    if answers.test is not FormTest.ALWAYS and not operand:
        return OPERAND_IS_MISSING[answers.test]
    if answers.test in MEASURES and not _is_number(operand) and operand[:1] not in ('"', "'"):
        return f"“{shortened(operand)}” is not a number, such as 50; texts are compared with one in quotes."
    if not new:
        return NEW_IS_MISSING[answers.become]
    if answers.become in SUMS and not _is_number(new) and not new.endswith(")"):
        return f"“{shortened(new)}” is not a number, such as 2."
    return ""


def _is_number(typed: str) -> bool:
    return NUMBER.fullmatch(typed) is not None or FLOAT_WORD.fullmatch(typed) is not None


def expression(document: Document, answers: FormAnswers) -> str:
    """The bulk edit that the answers mean, empty while one of them is missing.

    A word that is no value as the engine writes it is meant as a text.
    """
    what, is_tested = answers.what.strip(), answers.test is not FormTest.ALWAYS
    if missing(answers):
        return ""
    meant, first = _pattern(document, answers, what)
    tests = [first] if first else []
    if is_tested:
        operand, sign = _operand(document, answers.operand), SIGNS[answers.test]
        subject = _word(answers.subject) if answers.subject != IT else "value"
        tests.append(f"{subject} {sign} {operand}")
    if answers.test is FormTest.CONTAINS and _is_number(operand):  # texts hold its digits, lists the number
        tests[-1] = f"({subject} contains {json.dumps(operand)} or {tests[-1]})"
    elif is_tested and len(tests) == 1 and answers.subject == IT:
        meant, tests = f"{meant} {sign} {operand}", []
    if tests:
        meant = f"{meant} if {' and '.join(tests)}"
    return f"{meant} -> {_new(document, answers, meant)}"


def _pattern(document: Document, answers: FormAnswers, what: str) -> tuple[str, str]:
    """The pattern of the values that are meant, and the condition that belongs to it."""
    scope = answers.scope
    match answers.which:
        case ValueChoice.NAMED:
            step = f"..{what}" if _is_one_word(what) else f"..[{json.dumps(what, ensure_ascii=False)}]"
            return f"{scope}{step}", ""
        case ValueChoice.NAMED_LIKE:
            return f"{scope}..*", f"key contains {json.dumps(what, ensure_ascii=False)}"
        case ValueChoice.EQUAL:
            return f"{scope}..*", f"value == {_operand(document, what)}"
        case ValueChoice.HOLDING:
            types = " or ".join(f'type == "{name}"' for name in TEXTS if name in document.dialect.by_name)
            return f"{scope}..[{types}]", f"value contains {json.dumps(what, ensure_ascii=False)}"
        case ValueChoice.TYPED:
            return f"{scope}..[type == {json.dumps(what)}]", ""


def _new(document: Document, answers: FormAnswers, meant: str) -> str:
    """The new value of the values that are *meant*: the beginning of the line."""
    if answers.become is Become.SET and is_arithmetic(answers.new):
        return _counted_out(document, answers.new.strip(), meant)
    new = _operand(document, answers.new)
    match answers.become:
        case Become.SET:
            return new
        case Become.PLUS:
            return f"value + {new}"
        case Become.MINUS:
            return f"value - {new}"
        case Become.TIMES:
            return f"value * {new}"
        case Become.LEAST:
            return f"max(value, {new})"
        case Become.MOST:
            return f"min(value, {new})"


def _counted_out(document: Document, typed: str, meant: str) -> str:
    """Arithmetic means what it means in a cell: for texts itself, for numbers what it comes to."""
    try:
        out = written_out(typed, "value")
    except ArithmeticProblem:
        return _operand(document, typed)
    of_type = _first_type(document, meant)
    if of_type in TEXTS:
        return json.dumps(typed, ensure_ascii=False)
    return out if is_relative(typed) or of_type in ("int", "float") else _operand(document, typed)


def _first_type(document: Document, meant: str) -> str:
    """The type of the first value that is meant; empty where none is found soon."""
    asked = count()

    def goes_on(_: int) -> bool:
        return next(asked) < LOOKS

    try:
        rule = parse_rule(f"{meant} -> 0", LiteralDialect(document.dialect, document.precision))
        frames = range(len(document.frames)) if rule.frame is None else (rule.frame,)
        for index in frames[:LOOKS]:
            hunt = PatternRun(FrameValues(document, index), goes_on)
            for item in rule.matches(hunt):
                if rule.condition is None or hunt.holds(rule.condition, item, is_beside=True):
                    return hunt.ground.type(item)
    except (BulkError, Cancelled, IndexError):
        return ""
    return ""


def _operand(document: Document, typed: str) -> str:
    """What was typed as a value of the language: a literal as it is, any other word as a text."""
    typed = typed.strip()
    try:
        parse_literal(typed, document.dialect, precision=document.precision)
    except LiteralError:
        return json.dumps(typed, ensure_ascii=False)
    return typed


def _is_one_word(name: str) -> bool:
    return not name[0].isdigit() and all(sign in ONE_WORD for sign in name)


def _word(name: str) -> str:
    """A name as a word of the language, in the quotes that keep it from being one of the language's own."""
    return f"`{name}`" if "`" not in name else json.dumps(name)


def names_in(document: Document, within: Item | None = None) -> list[str]:
    """The names of entries near the beginning of a file, or *within* a collection of it, the most frequent first."""
    counts: dict[str, int] = {}
    for index in range(len(document.frames)) if within is None else (within.frame,):
        ground = FrameValues(document, index)
        nodes = range(len(ground.table)) if within is None else _below(ground, within.node)
        for node in islice(nodes, LOOKED_AT):
            row = ground.row(node) if not ground.is_name(node) else None
            if row is None or row.kind not in PAIRED:
                continue
            for key in islice(ground.table.children(node), 0, 2 * MOST_NAMES, 2):
                name = ground.key_data(key)
                if isinstance(name, str) and (name in counts or len(counts) < MOST_NAMES):
                    counts[name] = counts.get(name, 0) + 1
        if len(counts) >= MOST_NAMES:
            break
    return sorted(counts, key=lambda name: -counts[name])


def _below(ground: FrameValues, node: int) -> Iterator[int]:
    """A node and those in it, the upper ones first."""
    waiting = deque([node])
    while waiting:
        node = waiting.popleft()
        yield node
        waiting.extend(ground.table.children(node)[:LOOKED_AT])


def places_around(document: Document, item: Item) -> list[Item]:
    """The collections below which a change may be kept, the nearest first: a value that is one, and what it lies in."""
    ground = FrameValues(document, item.frame)
    table, node = ground.table, item.node
    row = ground.row(node) if not item.part and not ground.is_name(node) else None
    places = [Item(item.frame, node)] if row is not None and row.kind in HOLDING else []
    while node and len(places) < MOST_PLACES:
        node = table.parent[node]
        places.append(Item(item.frame, node))
    return places


def names_beside(document: Document, item: Item) -> list[str]:
    """The names of the entries that stand beside a value, without its own."""
    ground = FrameValues(document, item.frame)
    above = ground.parent(item)
    if above is None or above.part or not ground.has_pairs(above.node):
        return []
    own = ground.key_node(item.node) if not item.part else None
    keys = [key for key in ground.table.children(above.node)[: 2 * MOST_NAMES : 2] if key != own]
    return [name for name in map(ground.key_data, keys) if isinstance(name, str)]


def own_name(document: Document, item: Item) -> str:
    """The name that a value stands under, empty where it has none."""
    if item.node < 0 or item.frame < 0 or item.frame >= len(document.frames):
        return ""
    name = FrameValues(document, item.frame).key(Item(item.frame, item.node))
    return name if isinstance(name, str) else ""


def own_type(document: Document, item: Item) -> str:
    """The name of a value's type, empty where it has none."""
    if item.node < 0 or item.frame < 0 or item.frame >= len(document.frames):
        return ""
    row = FrameValues(document, item.frame).row(item.node)
    return row.name if row is not None else ""
