"""Paths: ``[0].player.items[3].position.x`` to an item and back; this is how they are written.

The first segment is the frame, or its name where the values of a file have names: ``main.level``.
A key that is a String and an identifier stands behind a dot, every other key in
brackets as an engine literal; ``#2`` names the second pair with an equal key; ``@header`` and other parts stand behind
an at sign, ``@key`` for a pair's key. Fields of a value stand behind a dot: ``.x``, ``.position.x``.
Sections of a resource as text may be called in short: ``["node Hero"]``.
What is inside a byte array or a text stands behind :data:`INSIDE`, see :mod:`viewer.document.nested.nested_document`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from viewer.base.late_pattern import late_pattern
from viewer.base.record import dataclass
from viewer.base.unseen import escaped
from viewer.document.document import Document
from viewer.document.outline import GAP, PREFIX, field_steps, frame_of, gap_item, key_of, key_text
from viewer.document.pieces.framing import Frame
from viewer.document.splice import Edit
from viewer.variant import items
from viewer.variant.dialect import HOLDING, NAMED, PAIRED
from viewer.variant.items import Item, Role
from viewer.variant.table import NodeTable
from viewer.variant.value import Value

if TYPE_CHECKING:  # keys are written and found when somebody asks for a path
    from viewer.document.pieces.message import MessageField
    from viewer.variant.paths.path_keys import PlainKey

Step: TypeAlias = "PlainKey | str | int"
INSIDE = "!"
"""What stands in a path between a value and what is inside it."""


@dataclass(frozen=True, slots=True)
class ItemPath:
    """The path of an item as it is now, to be written later; it holds nothing of the document.

    Args:
        start: the frame's segment.
        steps: places in arrays, names of keys and what else stands between, in order.
        end: the part's suffix.
    """

    start: str
    steps: tuple[Step, ...]
    end: str

    def __str__(self) -> str:
        return self.start + "".join(map(_written, self.steps)) + self.end


def item_path(document: Document, item: Item) -> ItemPath:
    """What the path of an item is made of."""
    frame = frame_of(document, item)
    if frame is None:
        return ItemPath(_field_path(document, item), (), "")
    if item.node < 0:
        return ItemPath(f"[{item.frame}]", (), f"@{item.part}")
    return ItemPath(f"[{item.frame}]", _steps(frame.table, item.node), part_suffix(frame.table, item))


def format_path(document: Document, item: Item) -> str:
    """The path of an item."""
    return str(item_path(document, item))


def kept_instead(document: Document, item: Item) -> Item | None:
    """What engines keep where a key stands several times: the value of the last one; None where they keep the item."""
    from viewer.variant.paths.path_keys import last_alike, named_alike

    frame, found, node = frame_of(document, item), None, item.node
    has_sections = document.text is not None and document.text.has_sections
    are_joined = document.wraps.names[-1:] == ("config",)  # sections of one name
    while frame is not None and node > 0:
        table, parent = frame.table, frame.table.parent[node]
        row = table.holder_row(parent)
        if row is not None and row.kind in PAIRED and (parent or not has_sections):
            key = node - (node - table.first[parent]) % 2
            is_joined = are_joined and parent > 0 and not table.parent[parent]
            last = last_alike(table, key, named_alike(table, parent) if is_joined else [parent])
            if last > key and last + 1 < len(table):
                found = Item(item.frame, last + 1)
        node = parent
    return found


def segment(table: NodeTable, node: int) -> str:
    """What a node adds to its parent's path: ``.gold``, ``[3]``, ``["any key"]#2``."""
    return "".join(map(_written, reversed(_step(table, node))))


def _steps(table: NodeTable, node: int) -> tuple[Step, ...]:
    """The steps from the root down to *node*."""
    out: list[Step] = []
    while node > 0:
        out += _step(table, node)
        node = table.parent[node]
    return tuple(out[::-1])


def _step(table: NodeTable, node: int) -> tuple[Step, ...]:
    """What leads from its parent to a node, the last part first."""
    parent = table.parent[node]
    row = table.holder_row(parent)
    place = node - table.first[parent]
    if row is None or row.kind not in PAIRED:
        return (place,)
    from viewer.variant.paths.path_keys import key_name

    named = row.kind in NAMED
    return (key_name(table, node - 1, named),) if place % 2 else ("@key", key_name(table, node, named))


def _written(step: Step) -> str:
    return f"[{step}]" if isinstance(step, int) else str(step)


def part_suffix(table: NodeTable, item: Item) -> str:
    """What a part adds to its node's path: ``.x``, ``[3]``, ``@count``."""
    if not item.part:
        return ""
    if item.part.startswith("["):
        return item.part
    found = items.part(table, item.node, item.part)
    is_field = found is not None and found.role is Role.VALUE and found.name != "elements"
    return f".{item.part}" if is_field else f"@{item.part}"


# Paths as they are read: from ``[0].player.items[3].position.x`` to the item that it names.

KEYS_NAMED = 5
NAME_SIGNS = 40
WORD = late_pattern(r"[\w]+")
NO_WORD = late_pattern(r"[^\w]+")
GAP_WORD = late_pattern(rf"{GAP}(\d+)")
LONGEST_NUMBER = 18
BEGINS = ("[", "@")
GOES_ON = ("", ".", "[", "@", "#", INSIDE)
"""What stands behind the name of a value in a path."""


class PathError(ValueError):
    """A path that leads nowhere; the text is one sentence that says where it fails."""


class PathInside(Protocol):
    """What is inside a value, and how an edit of it becomes one of the outermost document."""

    def put_back(self, edit: Edit) -> Edit: ...
    def path_of(self, item: Item) -> str: ...


@dataclass(frozen=True, slots=True)
class PathLevel:
    """Where the last part of a path counts.

    Args:
        document: the document that it is a path in.
        rest: that path.
        nested: what the document is inside of, None for the outermost one.
    """

    document: Document
    rest: str
    nested: PathInside | None = None

    def item(self) -> Item:
        """What the path names.

        Raises:
            PathError: nothing.
        """
        return parse_path(self.document, self.rest)

    def outermost(self, edit: Edit) -> Edit:
        """An edit of this document as one of the outermost one.

        Raises:
            EditError: a value around it cannot hold what comes out.
        """
        return edit if self.nested is None else self.nested.put_back(edit)

    def path_of(self, item: Item) -> str:
        """The path of an item of this document, from the outermost one on."""
        return format_path(self.document, item) if self.nested is None else self.nested.path_of(item)


@dataclass(frozen=True, slots=True)
class _Token:
    """One segment: *sign* is ``.``, ``[``, ``#`` or ``@``; *at* its place in the text."""

    sign: str
    text: str
    at: int


def parse_path(document: Document, text: str) -> Item:
    """The item that a path names.

    Raises:
        PathError: the path is not written as one, or names nothing in this document.
    """
    text = numbered(document, text.strip())
    if not text.startswith(BEGINS):
        raise PathError(f"A path begins with {_beginning(document)}, not with “{text[:20]}”.")
    tokens = _tokens(text)
    head = tokens[0]
    if head.sign == "@":
        return _parse_field(document, tokens)
    index = _number(head.text) if head.sign == "[" else None
    if index is None:
        raise PathError(f"A path begins with a frame in brackets, for example [0], not with “{text[:20]}”.")
    if index >= len(document.frames):
        raise PathError(f"There is no frame [{index}]; the file has {_counted(len(document.frames), 'frame')}.")
    return _Walk(document.frames[index], index, document.has_sections).walk(tokens[1:])


def numbered(document: Document, text: str) -> str:
    """A path that begins with a name as one that begins with its number, or with the sign of a field.

    ``main.level`` is ``[21].level``, and ``header.flags`` is ``@header.flags``; all others stay as they are.
    """
    if document.structure is None or not text or text[0] in BEGINS:
        return text
    found, longest = -1, 0
    for index, name in enumerate(document.value_names):
        for word in {name, escaped(name)}:
            if len(word) > longest and text.startswith(word) and text[len(word) : len(word) + 1] in GOES_ON:
                found, longest = index, len(word)
    if found >= 0:
        return f"[{found}]{text[longest:]}"
    first = WORD.match(text)
    return f"@{text}" if first is not None and _field_named(document.fields, first.group()) is not None else text


def last_segment(text: str) -> tuple[str, str]:
    """A path without its last segment, and that segment; the first is empty where there is only one.

    Raises:
        PathError: the path is not written as one.
    """
    text = text.strip()
    tokens = _tokens(text)
    if not tokens:
        raise PathError("A path begins with a frame in brackets, for example [0].")
    at = tokens[-1].at
    return text[:at], text[at:]


def _beginning(document: Document) -> str:
    """What a path begins with here."""
    if document.structure is None or not document.value_names:
        return "a frame in brackets, for example [0]"
    name = escaped(document.value_names[document.structure.main])
    return f"the name of a value, for example {name[:NAME_SIGNS]}, or a frame in brackets"


def _number(text: str) -> int | None:
    """A place or rank in digits; one of absurd length is beyond everything."""
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text) if len(text) <= LONGEST_NUMBER else 10**LONGEST_NUMBER


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _tokens(text: str) -> list[_Token]:
    out: list[_Token] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            end = closing(text, at)
            out.append(_Token("[", text[at + 1 : end].strip(), at))
            at = end + 1
            continue
        match = WORD.match(text, at + 1)
        if sign not in ".@#" or match is None:
            raise PathError(
                f"“{text[at : at + 12]}” at character {at + 1} is not a segment: write .name, [key], #2 or @part."
            )
        out.append(_Token(sign, match.group(), at))
        at = match.end()
    return out


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at *at* closes; quotes and inner brackets are stepped over."""
    depth, quote, pos = 0, "", at
    while pos < len(text):
        sign = text[pos]
        if quote:
            pos += sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[({":
            depth += 1
        elif sign in "])}":
            depth -= 1
            if depth == 0:
                return pos
        pos += 1
    raise PathError("A bracket is not closed: write ] after the key.")


# Fields of a file: ``@header.flags``, ``@strings.string_3``; ``[2]`` where an earlier one has the same name.

MANY_FIELDS = 1024
"""The entries of a table of more fields are told apart by the number at the end of their name."""
LAST_NUMBER = late_pattern(r".*_(\d{1,9})")
IN_FRONT = 2
"""Before the first entry of a table stands at most its count."""


def _field_path(document: Document, item: Item) -> str:
    """The path of a field, and of bytes that nobody names."""
    number = -1 - item.frame
    fields: Sequence[MessageField] = document.fields
    word = _field_word(fields, number) if document.structure is not None and number < len(fields) else ""
    out = f"@{word or GAP + str(number)}"
    for step in field_steps(item) or ():
        fields = fields[number].children if number < len(fields) else ()
        word, number = _field_word(fields, step) if step < len(fields) else "", step
        out += f".{word}" if word else f"[{step}]"
    return out


def _field_word(fields: Sequence[MessageField], number: int) -> str:
    """The name of a field as paths have it, empty where it does not lead to this one."""
    word = _plain_name(fields[number].name)
    return word if word and not GAP_WORD.fullmatch(word) and _field_named(fields, word) == number else ""


def _field_named(fields: Sequence[MessageField], word: str) -> int | None:
    """The first field of a name as paths have it."""
    places: Iterable[int] = range(len(fields))
    if len(fields) > MANY_FIELDS:
        last = LAST_NUMBER.fullmatch(word)
        near = int(last[1]) if last is not None else 0
        places = (*range(IN_FRONT), *range(near, min(near + IN_FRONT, len(fields))))
    return next((place for place in places if _plain_name(fields[place].name) == word), None)


def _plain_name(name: str) -> str:
    return NO_WORD.sub("_", name).strip("_")


def _parse_field(document: Document, tokens: list[_Token]) -> Item:
    """The item that a path to a field names."""
    fields: Sequence[MessageField] = document.fields
    at = ""
    steps: list[int] = []
    for place, token in enumerate(tokens):
        gap = GAP_WORD.fullmatch(token.text) if not place else None
        digits = gap[1] if gap is not None else token.text if token.sign == "[" else ""
        found = _number(digits)
        if found is None and token.sign in "@.":
            found = _field_named(fields, token.text)
        count = len(fields) if place or fields else len(document.gaps)
        if gap is not None and (found is None or found >= count):
            raise PathError(f"There is no gap {digits[:20]}; the file has {_counted(count, 'gap')}.")
        if found is None or found >= count:
            names = ", ".join(dict.fromkeys(_plain_name(field.name) for field in fields[:KEYS_NAMED])) or "none"
            raise PathError(f"There is no field “{token.text[:20]}” in {at or 'this file'}; it has {names}.")
        at += f"[{token.text}]" if token.sign == "[" else f"{token.sign}{token.text}"
        steps.append(found)
        fields = fields[found].children if found < len(fields) else ()
    number, *inside = steps
    return gap_item(number, inside)


class _Walk:
    """Follows tokens through one frame."""

    def __init__(self, frame: Frame, index: int, has_sections: bool) -> None:
        self._has_sections = has_sections
        self.frame = frame
        self.table = frame.table
        self.index = index
        self.node = 0
        self.part = ""
        self.lone = ""

    def walk(self, tokens: list[_Token]) -> Item:
        """The item behind the last token."""
        if not tokens and not len(self.table):
            if self.frame.gap is None:
                raise PathError(f"Frame [{self.index}] holds no bytes.")
            return Item(self.index, -1, GAP)
        if len(tokens) == 1 and tokens[0].sign == "@" and tokens[0].text in (PREFIX, GAP):
            return self._of_frame(tokens[0].text)
        if not len(self.table):
            raise PathError(f"Frame [{self.index}] holds no value that can be read; [{self.index}] names its bytes.")
        for place, token in enumerate(tokens):
            following = tokens[place + 1] if place + 1 < len(tokens) else None
            rank = _number(following.text) if following is not None and following.sign == "#" else None
            if token.sign == "#" and _number(token.text) is None:
                raise PathError(f"“#{token.text[:20]}” is not a rank: write #2 for the second of two equal keys.")
            if token.sign != "#":
                self._step(token, 1 if rank is None else rank)
        self._needs_value()
        if self.part and items.part(self.table, self.node, self.part) is None:
            raise PathError(f"{self._here()} has no part “{self.part}”; it has {self._part_names()}.")
        return Item(self.index, self.node, self.part)

    def _of_frame(self, name: str) -> Item:
        if name == PREFIX and self.frame.cut.prefix is None:
            raise PathError(f"Frame [{self.index}] has no length prefix.")
        if name == GAP and self.frame.gap is None:
            raise PathError(f"Frame [{self.index}] has no gap.")
        return Item(self.index, -1, name)

    def _needs_value(self) -> None:
        """Raise where the last segment named a key whose value is missing, and not the key itself."""
        if self.lone:
            raise PathError(f"The value of {self.lone} is missing; its key is {self.lone}@key.")

    def _step(self, token: _Token, rank: int) -> None:
        if (token.sign, token.text) != ("@", "key"):
            self._needs_value()
        if self.part:
            self.part += f"[{token.text}]" if token.sign == "[" else f"{token.sign}{token.text}"
        elif token.sign == "@":
            if token.text == "key":
                self._to_key()
            else:
                self.part = token.text
        elif not self._child(token, rank):
            self._field(token)

    def _to_key(self) -> None:
        if self.lone:
            self.lone = ""
            return
        key = key_of(self.table, self.node)
        if key is None:
            raise PathError(f"{self._here()} has no key.")
        self.node = key

    def _child(self, token: _Token, rank: int) -> bool:
        """Step into a child; False where the node is no collection."""
        row = self.table.row(self.node)
        if row is None or row.kind not in HOLDING:
            return False
        if self.table.has_pairs(self.node):
            return self._pair(token, rank, row.kind in NAMED)
        count = self.table.child_count(self.node)
        index = _number(token.text) if token.sign == "[" else None
        if index is None:
            raise PathError(f"{self._here()} is an array of {count}: write [0] to [{max(0, count - 1)}].")
        if index >= count:
            raise PathError(f"There is no element {token.text} in {self._here()}: it has {_counted(count, 'element')}.")
        self.node = self.table.first[self.node] + index
        return True

    def _pair(self, token: _Token, rank: int, is_object: bool) -> bool:
        from viewer.variant.paths.path_keys import alike, counted_key

        counted = counted_key(self.table, self.node, token.text) if token.sign == "[" else None
        wanted, value = self._wanted(token) if counted is None else (f"[{token.text}]", None)
        found = alike(self.table, self.node, wanted, value) if counted is None else (counted,)
        if not found and self._has_sections and not self.node and value is not None:
            found = self._sections(str(value.data))
        which = wanted if rank == 1 else f"{wanted}#{rank}"
        if 0 < rank <= len(found):
            key = found[rank - 1]
            has_value = key + 1 < len(self.table) and self.table.parent[key + 1] == self.node
            self.lone = "" if has_value else self._here() + which
            self.node = key + 1 if has_value else key
            return True
        row = self.table.row(self.node)
        if is_object and row is not None and token.sign == "." and items.part(self.table, self.node, token.text):
            return False
        raise PathError(f"There is no key {which.removeprefix('.')} in {self._here()}; it has {self._key_names()}.")

    def _sections(self, name: str) -> list[int]:
        """The keys of the sections of a resource as text that are called so in short: ``node Hero``."""
        from viewer.text.tags import shortened

        keys = self.table.children(0)[::2]
        return [key for key in keys if shortened(key_text(self.table, key))[0] == name]

    def _wanted(self, token: _Token) -> tuple[str, Value | None]:
        """A key as paths are written, from any way to write it, and its value; None for what no value is written as."""
        if token.sign == ".":
            return f".{token.text}", Value("String", token.text)
        from viewer.variant.literal.lexer import LiteralError
        from viewer.variant.literal.parse import parse_literal
        from viewer.variant.paths.path_keys import alike, value_segment

        try:
            value = parse_literal(token.text, self.table.dialect)
        except LiteralError as error:
            broken = f"[{token.text}]"
            if alike(self.table, self.node, broken, None):
                return broken, None
            raise PathError(f"{broken} is not a key: {error}") from error
        return value_segment(value, self.table.dialect), value

    def _field(self, token: _Token) -> None:
        self.part = f"[{token.text}]" if token.sign == "[" else token.text

    def _here(self) -> str:
        return f"[{self.index}]" + "".join(map(_written, _steps(self.table, self.node)))

    def _part_names(self) -> str:
        names = [found.name for found in items.parts(self.table, self.node)]
        return ", ".join(names[:12]) or "none"

    def _key_names(self) -> str:
        from viewer.variant.paths.path_keys import key_segment

        keys = self.table.children(self.node)[::2]
        names = [key_segment(self.table, key).removeprefix(".") for key in keys[:KEYS_NAMED]]
        more = len(keys) - len(names)
        return (", ".join(names) + (f" and {more} more" if more > 0 else "")) if names else "none"
