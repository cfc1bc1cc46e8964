"""From JSON back to bytes: a dump (see :mod:`viewer.document.export.dump`), edited or not, or a plain value.

Counts, lengths, fill and length prefixes are made anew. Bytes that a dump keeps beside a value are used as long as they
still decode to it; a dump that nobody edited gives the same file.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from viewer.base.record import dataclass
from viewer.container.frames import FramingKind
from viewer.document.export.deep_json import JsonError, dumps, loads
from viewer.document.export.dump import FORMAT
from viewer.document.export.dump_nodes import (
    default_head,
    head_bytes,
    leaf_bytes,
    name_bytes,
    read_head,
    read_leaf,
    with_count,
)
from viewer.variant.dialect import PAIRED, Dialect, DialectError, Kind, Precision, load
from viewer.variant.encode import EncodeError, encode
from viewer.variant.literal.names import resolve
from viewer.variant.native import NativeError, from_native, to_native
from viewer.variant.value import Array, Dictionary, ObjectFull, Value

# Places in a dump: what stands there, checked, or one sentence that says where something else stands.

Node: TypeAlias = "dict[str, object]"
Place: TypeAlias = "tuple[Place, str] | None"
"""Where in the JSON: the place above and one more step; spelt only for an error."""


OF_TEXT = "-text"
"""How the dialects end of values that were read from a text."""


class UndumpError(ValueError):
    """JSON that gives no bytes: one sentence that says where."""


def list_in(node: Node, key: str, place: Place) -> list[object]:
    """A list in an object of the dump, empty where it is not there.

    Raises:
        UndumpError: something else stands there.
    """
    found = node.get(key, [])
    if not isinstance(found, list):
        raise error_at((place, f".{key}"), "A list belongs here.")
    return found


def span_in(node: Node, place: Place) -> tuple[int, int] | None:
    """The first byte of an object and the one behind its last, None where it says none.

    Raises:
        UndumpError: something else stands there.
    """
    span = node.get("span")
    if span is None:
        return None
    if isinstance(span, list) and len(span) == 2 and all(type(offset) is int for offset in span):
        return span[0], span[1]
    raise error_at((place, ".span"), "A span is two offsets, [start, end].")


def from_hex(digits: object, place: Place) -> bytes:
    """The bytes that hexadecimal digits stand for.

    Raises:
        UndumpError: something else stands there.
    """
    try:
        if isinstance(digits, str):
            return bytes.fromhex(digits)
    except ValueError:
        pass
    raise error_at(place, "Bytes in hexadecimal digits belong here.")


def error_at(place: Place, reason: str) -> UndumpError:
    """The error with its place, spelt as a path; the middle of a very long one is left out."""
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step)
    path = "$" + "".join(reversed(steps))
    return UndumpError(f"At {path if len(path) < 400 else f'{path[:200]}…{path[-100:]}'}: {reason}")


DEFAULT_DIALECT = "godot4"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A node that is still to be written."""

    node: object
    is_name: bool
    place: Place


def encode_json(
    text: str,
    dialect: Dialect | None = None,
    precision: Precision | None = None,
    framing: FramingKind | None = None,
    big_endian: bool | None = None,
) -> bytes:
    """The bytes that a JSON text stands for.

    Args:
        text: what ``dump --json`` printed, or a value in the engine's JSON or plain JSON.
        dialect, precision, framing, big_endian: how to write; None takes what the dump says, for a plain value Godot
            4, single, bare and little-endian length prefixes. In another dialect than the dump's the odd bytes that
            it keeps are not used.

    Raises:
        UndumpError: it is no JSON, a dump of a later form, or stands for no value of the dialect.
    """
    try:
        root = loads(text)
    except JsonError as error:
        raise UndumpError(f"This is not JSON. {error}") from error
    if isinstance(root, dict) and {"frames", "dialect", "framing"} <= root.keys():
        if "structure" in root:
            from viewer.document.export.undump_structure import encode_structured

            check_format(root)
            return encode_structured(root)
        return DumpWriter(root, dialect, precision, framing, big_endian).file()
    try:
        value = from_native(root, dialect or load(DEFAULT_DIALECT))
        raw = encode(value, dialect or load(DEFAULT_DIALECT), precision or Precision.SINGLE)
    except (NativeError, EncodeError) as error:
        raise UndumpError(str(error)) from error
    return (len(raw).to_bytes(4, "big" if big_endian else "little") if framing is FramingKind.STORED else b"") + raw


def check_format(root: Node) -> None:
    """Refuse what a later version wrote; dumps from before there was a number have none.

    Raises:
        UndumpError: this is not the form that is read here.
    """
    found = root.get("format", FORMAT)
    if type(found) is not int or found < 1:
        raise UndumpError("At $.format: A whole number from 1 on belongs here.")
    if found > FORMAT:
        raise UndumpError(
            f"This dump has format {found}, which a later version of the program writes; this one reads "
            f"format {FORMAT}."
        )


class DumpWriter:
    """Writes one dump."""

    def __init__(
        self,
        root: Node,
        dialect: Dialect | None,
        precision: Precision | None,
        framing: FramingKind | None,
        big_endian: bool | None,
    ) -> None:
        self.root = root
        check_format(root)
        told = self._word("dialect", "")
        if told.endswith(OF_TEXT):
            raise UndumpError("This is the dump of a text, which has not all of it: change the text with “set”.")
        try:
            self.dialect = dialect or load(told)
        except DialectError as error:
            raise UndumpError(f"At $.dialect: {error}") from error
        self.keeps = self.dialect.key == told
        self.precision = precision or Precision(self._known("precision", "single", [each.value for each in Precision]))
        self.framing = framing or FramingKind(self._known("framing", "bare", [each.value for each in FramingKind]))
        self.reframed = framing is not None and framing.value != self._word("framing", "bare")
        was_big = self._word("byte_order", "little") == "big"
        self.big = was_big if big_endian is None else big_endian
        self.reordered = self.big is not was_big

    def _word(self, key: str, default: str) -> str:
        word = self.root.get(key, default)
        if not isinstance(word, str):
            raise UndumpError(f"At $.{key}: A text belongs here.")
        return word

    def _known(self, key: str, default: str, known: Collection[str]) -> str:
        word = self._word(key, default)
        if word not in known:
            raise UndumpError(f"At $.{key}: “{word[:40]}” is none of {', '.join(known)}.")
        return word

    # The file

    def file(self) -> bytes:
        """All frames, and the gaps where they were."""
        gaps = [self._gap(gap, k) for k, gap in enumerate(list_in(self.root, "gaps", None))]
        gaps.sort(key=lambda gap: -gap[0])
        out: list[bytes] = []
        for index, frame in enumerate(list_in(self.root, "frames", None)):
            place = (None, f".frames[{index}]")
            if not isinstance(frame, dict):
                raise error_at(place, "A frame is an object.")
            span = span_in(frame, place)
            while gaps and span is not None and gaps[-1][0] < span[0]:
                out.append(gaps.pop()[1])
            out.append(self._frame(frame, place, span))
        return b"".join([*out, *(raw for _, raw in reversed(gaps))])

    def _gap(self, gap: object, index: int) -> tuple[int, bytes]:
        place = (None, f".gaps[{index}]")
        if not isinstance(gap, dict):
            raise error_at(place, "A gap is an object.")
        span = span_in(gap, place)
        if span is None:
            raise error_at(place, "A gap needs its span, to know its place.")
        return span[0], from_hex(gap.get("hex"), (place, ".hex"))

    def _frame(self, frame: Node, place: Place, span: tuple[int, int] | None) -> bytes:
        root = frame.get("root")
        payload = b"" if root is None else self.tree(root, (place, ".root"))
        payload += b"".join(
            from_hex(gap, (place, f".gaps_hex[{k}]")) for k, gap in enumerate(list_in(frame, "gaps_hex", place))
        )
        prefixed = self.framing is FramingKind.STORED
        if "prefix" in frame and not self.reframed:
            prefixed = frame["prefix"] is not None
        if not prefixed:
            return payload
        as_it_was = "prefix_hex" in frame and not self.reordered
        if as_it_was and span is not None and len(payload) == span[1] - span[0] - 4:
            return from_hex(frame["prefix_hex"], (place, ".prefix_hex")) + payload
        if len(payload) > 0xFFFFFFFF:
            raise error_at(place, "A frame may be at most 4 GiB long.")
        return len(payload).to_bytes(4, "big" if self.big else "little") + payload

    # Nodes

    def tree(self, root: object, place: Place) -> bytes:
        """The bytes of a node with all that is in it.

        Raises:
            UndumpError: it is none that the dialect can hold.
        """
        out: list[bytes] = []
        stack = [_Entry(root, False, place)]
        while stack:
            entry = stack.pop()
            try:
                out.append(self._own_bytes(entry, stack))
            except NativeError as error:
                inner = ".value" if _is_node(entry.node) else ""
                raise error_at((entry.place, inner + error.path[1:]), str(error).partition(": ")[2]) from error
            except EncodeError as error:
                raise error_at(entry.place, str(error)) from error
        return b"".join(out)

    def _own_bytes(self, entry: _Entry, stack: list[_Entry]) -> bytes:
        """The bytes of a leaf, or of a head whose children go onto the stack."""
        node = entry.node
        if isinstance(node, bytes):
            return node
        if not isinstance(node, dict) or not _is_node(node):
            value = from_native(node, self.dialect)
            return name_bytes(value) if entry.is_name else encode(value, self.dialect, self.precision)
        if "children" in node:
            if entry.is_name:
                raise error_at(entry.place, "The name of a property must be a text.")
            return self._inner(node, entry.place, stack)
        return self._leaf(node, entry)

    def _leaf(self, node: Node, entry: _Entry) -> bytes:
        raw, native = self._kept(node, entry.place), node["value"]
        if raw and native is None and node.get("damaged") is True:
            return raw
        old = read_leaf(raw, self.dialect, entry.is_name) if raw else None
        if raw and old is not None and _same(to_native(old, self.dialect), native):
            return raw
        value = from_native(native, self.dialect)
        if node.get("type") == "float" and value.type == "int" and isinstance(native, int):
            value = Value("float", float(native))
        if entry.is_name:
            return raw if raw and old is not None and old.data == value.data else name_bytes(value)
        if raw and old is not None and self._equal(old, value):
            return raw
        return encode(value, self.dialect, self.precision, raw)

    def _equal(self, old: Value, value: Value) -> bool:
        try:
            return leaf_bytes(old, self.dialect, self.precision) == encode(value, self.dialect, self.precision)
        except EncodeError:
            return False

    def _inner(self, node: Node, place: Place, stack: list[_Entry]) -> bytes:
        children = list_in(node, "children", place)
        raw = self._kept(node, place)
        kept = bool(raw) and node.get("damaged") is True
        head = Value(str(node.get("type")), None) if kept else self._head_value(node, place)
        row = self.dialect.by_name.get(head.type)
        if row is None:
            raise error_at((place, ".type"), f"{self.dialect.name} has no such type.")
        entries = [
            entry
            for k, child in enumerate(children)
            for entry in _entries(child, row.kind, k == len(children) - 1, (place, f".children[{k}]"))
        ]
        self._put_gaps(entries, node, place)
        stack.extend(reversed(entries))
        if kept:
            return raw
        if raw:
            old, stored = read_head(raw, self.dialect)
            if old.type == head.type and _same(to_native(old, self.dialect), to_native(head, self.dialect)):
                if len(children) == node.get("present", stored or 0):
                    return raw
                if stored is not None:
                    return with_count(raw, len(children))
        return head_bytes(head, len(children), self.dialect, self.precision, raw)

    def _put_gaps(self, entries: list[_Entry], node: Node, place: Place) -> None:
        """Put the bytes that recovery skipped between the children."""
        for k, gap in reversed(list(enumerate(list_in(node, "gaps", place)))):
            where = (place, f".gaps[{k}]")
            before = gap.get("before") if isinstance(gap, dict) else None
            if not isinstance(gap, dict) or not isinstance(before, int) or before < 0:
                raise error_at(where, "A gap says how many children come before it.")
            entries.insert(before, _Entry(from_hex(gap.get("hex"), (where, ".hex")), False, where))

    def _head_value(self, node: Node, place: Place) -> Value:
        """The head of a collection or object, empty."""
        if "head" in node:
            head = from_native(node["head"], self.dialect)
            data = head.data
            if (isinstance(data, Array) and not data.elements) or (isinstance(data, Dictionary) and not data.pairs):
                return head
            if isinstance(data, ObjectFull) and not data.properties:
                return head
            raise error_at((place, ".head"), "A head is an empty collection, or an object without properties.")
        name = node.get("type")
        row = resolve(name, self.dialect) if isinstance(name, str) else None
        if row is None:
            raise error_at((place, ".type"), f"{self.dialect.name} has no such type.")
        default = default_head(row)
        if default is None:
            raise error_at(place, f"{row.name} with children needs a head that says what it is.")
        return default

    def _kept(self, node: Node, place: Place) -> bytes:
        """The odd bytes of a node, empty where there are none or they are of another dialect."""
        return from_hex(node["bytes"], (place, ".bytes")) if "bytes" in node and self.keeps else b""


def _entries(child: object, kind: Kind, is_last: bool, place: Place) -> list[_Entry]:
    """What an entry of a list of children stands for: a node, or a key and its value."""
    if not isinstance(child, dict) or "node" not in child:
        raise error_at(place, "A child is an object with a node.")
    is_object = kind is Kind.OBJECT
    node, key = child["node"], child.get("key")
    if kind not in PAIRED:
        return [_Entry(node, False, (place, ".node"))]
    if key is not None:
        return [_Entry(key, is_object, (place, ".key")), _Entry(node, False, (place, ".node"))]
    if not is_last:
        raise error_at(place, "A pair needs a key.")
    return [_Entry(node, is_object, (place, ".node"))]


def _is_node(node: object) -> bool:
    """Whether this is a node of a dump; else it is a value in the engine's JSON."""
    return isinstance(node, dict) and ("children" in node or "value" in node)


def _same(one: object, other: object) -> bool:
    return dumps(one) == dumps(other)
