"""The text of a layout becomes one; what is wrong in it is said with its file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from viewer.base import assets
from viewer.base.toml_text import TomlProblem, read_toml, table_lines
from viewer.document.readers.checksums import WIDTHS
from viewer.document.readers.file_layout import (
    COUNTS,
    DEEPEST,
    END,
    FITS,
    FOLDER,
    KEYS,
    NUMBERS,
    PLACES,
    SHOWN_AS,
    SIZED,
    TOP_KEYS,
    TYPES,
    VARINT,
    Amount,
    FieldCondition,
    Layout,
    LayoutError,
    LayoutField,
    all_fields,
    parse_amount,
    parse_condition,
)

LONGEST_LAYOUT = 1 << 16
MOST_OF_THEM = 1000
"""Fields of one layout, with those of layouts inside it."""
SAYING = (*NUMBERS, VARINT, "text", "value")
"""What can say something that a condition is about."""
LONGEST_ENDING = 8
CLOSE = 0.5
"""How alike a word must be to one that there is, 0 to 1."""
HIGHEST_ALIGN = 1 << 16
Others: TypeAlias = Callable[[str], "tuple[str, str] | None"]
"""The text of a layout and its place, by its key."""


def parse_layout(key: str, text: str, place: str, others: Others | None = None) -> Layout:
    """Read a layout.

    Args:
        key: what it is called.
        text: its TOML.
        place: the name of its file, for what is wrong.
        others: finds the layouts that may be named in it.

    Raises:
        LayoutError: it is not TOML, lacks something, or contradicts itself.
    """
    table = _toml(text, place)
    return _Parser(place, text, others or shipped_text, (key,)).layout(key, table)


def shipped_text(key: str) -> tuple[str, str] | None:
    """The text of a layout of the program, and the name of its file."""
    name = f"{key}.toml"
    return (assets.text(FOLDER, name), name) if name in assets.names(FOLDER) else None


def _toml(text: str, place: str) -> Mapping[str, Any]:
    try:
        return read_toml(text, place, LONGEST_LAYOUT, "A layout")
    except TomlProblem as error:
        raise LayoutError(str(error)) from error


class _Parser:
    """Reads the tables of one file, and knows in which line each field begins."""

    def __init__(self, place: str, text: str, others: Others, inside: tuple[str, ...], is_big: bool = False) -> None:
        self._place = place
        self._lines = table_lines(text)
        self._others = others
        self._inside = inside
        self._is_big = is_big
        self._seen = 0
        self._line = 1
        self._overs: list[tuple[str, int]] = []
        self._names: set[str] = set()
        self.count = 0

    def _wrong(self, words: str) -> LayoutError:
        return LayoutError(f"{self._place}, line {self._line}: {words}")

    def layout(self, key: str, table: Mapping[str, Any]) -> Layout:
        """The layout."""
        name, dialects, files = self._head(table)
        fields = self.fields_of(table, {})
        self._check_first(fields, files)
        has_values = any(each.type == "value" for each in all_fields(fields))
        if not dialects and has_values:
            raise self._wrong("A layout with values needs the dialects that they may be in.")
        return Layout(key, name, tuple(dialects), fields, files)

    def _head(self, table: Mapping[str, Any]) -> tuple[str, list[str], str]:
        unknown = sorted(table.keys() - TOP_KEYS)
        name, dialects, files = table.get("name"), table.get("dialects", []), table.get("files", "")
        if not isinstance(name, str) or not name:
            raise self._wrong('A layout needs a name: name = "…".')
        if unknown:
            raise self._wrong(f"A layout has no “{unknown[0][:40]}”; {_nearest(unknown[0], sorted(TOP_KEYS))}.")
        if not isinstance(dialects, list) or not all(isinstance(each, str) for each in dialects):
            raise self._wrong('The dialects of a layout are a list of names: dialects = ["godot4"].')
        wrong = [each for each in dialects if f"{each}.toml" not in assets.names("dialects")]
        if wrong and not any(path.stem == wrong[0] for path in assets.user_files("dialects", ".toml")):
            raise self._wrong(f"There is no dialect “{wrong[0]}”.")
        if not isinstance(files, str):
            raise self._wrong('The files of a layout are recognised by a pattern of their names: files = "slot*.save".')
        return name, dialects, files

    def fields_of(self, table: Mapping[str, Any], known: dict[str, str]) -> tuple[LayoutField, ...]:
        """The fields of a layout; *known* are the types of the fields before, by their names."""
        self._is_big = self._big(table, self._is_big)
        fields = self._fields(table.get("field"), known, 0)
        for name, line in self._overs:
            if name not in self._names:
                self._line = line
                raise self._wrong(f"There is no field “{name}” in this layout, which the checksum would cover.")
        return fields

    def _check_first(self, fields: tuple[LayoutField, ...], files: str) -> None:
        """There must be something by which a file is told."""
        self._line = self._lines[0] if self._lines else 1
        first = fields[0]
        if first.type == "mark" and first.at is None and first.repeat is None and not first.when:
            return
        has_values = any(each.type == "value" for each in all_fields(fields))
        if files and not (files.strip("*?") and has_values):
            raise self._wrong(
                "The first field must be a mark, by which such a file is known; only a layout with values "
                'may have the names of its files instead: files = "slot*.save".'
            )
        if not files and not any(each.tells for each in all_fields(fields)):
            raise self._wrong(
                "The first field must be a mark, by which such a file is known; without one, "
                'a text that must begin that way (is = "res://*") or a checksum tells it, or files = "slot*.save" '
                "where it has values."
            )

    def _fields(self, found: object, known: dict[str, str], depth: int) -> tuple[LayoutField, ...]:
        if not isinstance(found, list) or not found:
            raise self._wrong("Fields are missing here: write [[field]] with a name and a type.")
        if depth > DEEPEST:
            raise self._wrong(f"Groups are nested at most {DEEPEST} levels deep.")
        out: list[LayoutField] = []
        for each in found:
            self._line = self._lines[min(self._seen, len(self._lines) - 1)] if self._lines else 1
            self._seen += 1
            self.count += 1
            if self.count > MOST_OF_THEM:
                raise self._wrong(f"A layout has at most {MOST_OF_THEM} fields.")
            if not isinstance(each, dict):
                raise self._wrong("A field is a table: write [[field]].")
            line = self._line
            out.append(self._field(each, known, depth))
            self._line = line
            self._names.add(out[-1].name)
            known[out[-1].name] = out[-1].type
        takes_all = ((each.type == "rest" or each.repeat == END) and not each.when for each in out)
        ends = next((place for place, takes in enumerate(takes_all) if takes), len(out))
        if any(each.at is None for each in out[ends + 1 :]):
            raise self._wrong(f"Nothing can follow “{out[ends].name}”, which takes everything after it.")
        return tuple(out)

    def _field(self, table: Mapping[str, Any], known: dict[str, str], depth: int) -> LayoutField:
        name, kind = table.get("name"), table.get("type")
        unknown = sorted(table.keys() - KEYS)
        if unknown:
            raise self._wrong(f"A field has no “{unknown[0][:40]}”; {_nearest(unknown[0], sorted(KEYS))}.")
        if not isinstance(name, str) or not name:
            raise self._wrong('A field needs a name: name = "…".')
        if not isinstance(kind, str) or kind not in TYPES:
            raise self._wrong(f"“{str(kind)[:40]}” is not a type; {_nearest(str(kind), TYPES)}.")
        is_big = self._big(table, self._is_big)
        text, raw = self._marked(table, kind)
        length, prefix = self._length(table, kind, known)
        if kind == "mark" and (length is not None or (prefix and not _counts(prefix, len(raw)))):
            raise self._wrong("The length of a mark is the type of the number in front of it: u32.")
        repeat, last = self._repeat(table, kind, known)
        before = dict(known)
        inner = self._inner(table, kind, known, depth, repeat is not None)
        called = self._called(table, {**before, **{each.name: each.type for each in inner}})
        return LayoutField(
            name,
            "group" if kind == "layout" else kind,
            is_big,
            text,
            raw,
            length,
            prefix,
            self._ending(table, kind, length is not None or bool(prefix)),
            self._align(table, kind),
            repeat,
            last,
            called,
            self._amount(table, "at", before),
            self._must(table, kind),
            self._when(table, before),
            self._number_names(table, kind),
            self._bits(table, kind),
            self._shown_as(table, kind),
            self._over(table, kind),
            inner,
            self._flag(table, "optional"),
        )

    def _big(self, table: Mapping[str, Any], otherwise: bool) -> bool:
        order = table.get("order", "big" if otherwise else "little")
        if order not in ("little", "big"):
            raise self._wrong(f"“{order}” is not a byte order; write little or big.")
        return bool(order == "big")

    def _flag(self, table: Mapping[str, Any], key: str) -> bool:
        found = table.get(key, False)
        if not isinstance(found, bool):
            raise self._wrong(f"“{key}” is true or false.")
        return found

    def _only_for(self, table: Mapping[str, Any], key: str, fits: bool, what: str) -> bool:
        """Whether a key is there, where it has a meaning."""
        if key in table and not fits:
            raise self._wrong(f"“{key}” belongs to {what} only.")
        return key in table

    def _marked(self, table: Mapping[str, Any], kind: str) -> tuple[str, bytes]:
        """What is shown of a mark, and its bytes."""
        self._only_for(table, "text", kind == "mark", "a mark")
        self._only_for(table, "hex", kind == "mark", "a mark")
        text, digits = table.get("text", ""), table.get("hex", "")
        if not isinstance(text, str) or not isinstance(digits, str):
            raise self._wrong("“text” and “hex” are texts.")
        if kind == "mark" and bool(text) == bool(digits):
            raise self._wrong('A mark needs the text that is there, text = "…", or its bytes, hex = "89 50".')
        try:
            return text or digits, bytes.fromhex(digits) if digits else text.encode()
        except (ValueError, UnicodeEncodeError) as error:
            raise self._wrong("Bytes are written as pairs of hex digits: 89 50 4E 47.") from error

    def _length(self, table: Mapping[str, Any], kind: str, known: Mapping[str, str]) -> tuple[Amount | None, str]:
        """How long a field is: an amount, or the type of the number in front."""
        found = table.get("length")
        self._only_for(table, "length", kind in SIZED, "a text, bytes, a part or a value")
        if isinstance(found, str) and found in COUNTS and found not in known:
            if kind in ("unknown", "padding"):
                raise self._wrong(f"The length of {kind} bytes is a number or a field before it.")
            return None, found
        length = self._amount(table, "length", known, "a number, 0 or more, a field before this one or u8 to u64")
        if length is None and (kind in ("bytes", "file") or (kind == "text" and "until" not in table)):
            raise self._wrong(
                f"A field of {kind} needs a length: a number, a field before it, or u8 to u64 in front"
                f"{'; or until = …, which ends it' if kind == 'text' else ''}."
            )
        if kind == "padding" and length is None and "align" not in table:
            raise self._wrong("Padding needs a length, or align: it goes up to a multiple of that many bytes.")
        return length, ""

    def _amount(
        self, table: Mapping[str, Any], key: str, known: Mapping[str, str], what: str = "a number or a field before"
    ) -> Amount | None:
        found = table.get(key)
        if found is None:
            return None
        amount = Amount(((found, 1),)) if isinstance(found, str) and found in known else parse_amount(found)
        if amount is None:
            raise self._wrong(f"“{key}” is {what}, or a sum such as count * 4 - 2, not “{str(found)[:40]}”.")
        lost = next((name for name in amount.names if name not in known and name not in PLACES), None)
        if lost is not None:
            raise self._wrong(f"“{key}” names “{lost[:40]}”, but no field before this one has that name.")
        wrong = next((name for name in amount.names if not _counts_things(known.get(name, "u64"))), None)
        if wrong is not None:
            raise self._wrong(f"“{key}” names “{wrong[:40]}”, which is not a whole number.")
        return amount

    def _ending(self, table: Mapping[str, Any], kind: str, is_sized: bool) -> bytes:
        found = table.get("until", "")
        if kind != "text" or not self._only_for(table, "until", not is_sized, "a text without a length"):
            return b""
        if not isinstance(found, str) or not 0 < len(found.encode("utf-8", "surrogatepass")) <= LONGEST_ENDING:
            raise self._wrong('“until” is what ends the text: "\\n" for a line, "\\u0000" for a text of C.')
        return found.encode("utf-8", "surrogatepass")

    def _align(self, table: Mapping[str, Any], kind: str) -> int:
        if not self._only_for(table, "align", kind in ("padding", "text"), "padding and a text"):
            return 0
        found = table["align"]
        if isinstance(found, bool) or not isinstance(found, int) or not 0 < found <= HIGHEST_ALIGN:
            raise self._wrong("“align” is a number of bytes from 1 to 65536.")
        return found

    def _repeat(
        self, table: Mapping[str, Any], kind: str, known: Mapping[str, str]
    ) -> tuple[Amount | str | None, FieldCondition | None]:
        found, last = table.get("repeat"), None
        if "until" in table and kind != "text":
            first = table.get("field")
            inner = first[0] if kind == "group" and isinstance(first, list) and first else table
            of = inner.get("type") if isinstance(inner, dict) else None
            last = parse_condition(table["until"], None if of == "value" else of == "text")
            if last is None or kind not in (*NUMBERS, VARINT, "group", "value"):
                raise self._wrong(
                    "“until” is what the last number says, or the first field of the last group: until = 0."
                )
        if found in (FITS, END) and found not in known:
            return str(found), last
        amount = self._amount(table, "repeat", known)
        return (END if last is not None and amount is None else amount), last

    def _called(self, table: Mapping[str, Any], known: Mapping[str, str]) -> str:
        called, own = table.get("called", ""), table.get("name") if table.get("type") == "value" else ""
        if not isinstance(called, str) or (called and called not in known and called != own):
            raise self._wrong(f"No field “{str(called)[:40]}” comes before this one.")
        return called

    def _must(self, table: Mapping[str, Any], kind: str) -> FieldCondition | None:
        if not self._only_for(table, "is", kind in SAYING, "a number, a text or a value"):
            return None
        return self._condition(table["is"], kind, "is")

    def _condition(self, found: object, kind: str, key: str) -> FieldCondition:
        condition = parse_condition(found, None if kind == "value" else kind == "text")
        if condition is None:
            wants = 'a text such as "res://*"' if kind == "text" else '3, "1..3", "&4" or "not 0"'
            raise self._wrong(f"“{key}” is {wants}, or a list of these, not “{str(found)[:40]}”.")
        return condition

    def _when(self, table: Mapping[str, Any], known: Mapping[str, str]) -> tuple[tuple[str, FieldCondition], ...]:
        found = table.get("when", {})
        if not isinstance(found, dict):
            raise self._wrong("“when” says what fields before must say: when = { version = 2 }.")
        for name in found:
            if known.get(name) not in SAYING:
                raise self._wrong(
                    f"“when” names “{name[:40]}”, but no number, text or value before this one has that name."
                )
        return tuple((name, self._condition(each, known[name], "when")) for name, each in found.items())

    def _number_names(self, table: Mapping[str, Any], kind: str) -> dict[int, str]:
        if not self._only_for(table, "names", _is_whole(kind), "a whole number"):
            return {}
        found = table["names"]
        if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
            raise self._wrong('“names” says what numbers mean: names = { 0 = "easy", 1 = "hard" }.')
        wrong = next((key for key in found if not re.fullmatch(r"-?\d{1,20}", key, re.ASCII)), None)
        if wrong is not None:
            raise self._wrong(f"“{wrong[:40]}” is not a number that could have a name.")
        return {int(key): each for key, each in found.items()}

    def _bits(self, table: Mapping[str, Any], kind: str) -> tuple[tuple[str, int, int], ...]:
        if not self._only_for(table, "bits", _is_whole(kind) and kind != VARINT, "a whole number"):
            return ()
        found, out = table["bits"], []
        for name, each in found.items() if isinstance(found, dict) else [("", "")]:
            match = re.fullmatch(r"(\d\d?)(?:\.\.(\d\d?))?", str(each), re.ASCII)
            low = int(match[1]) if match else -1
            high = int(match[2]) if match and match[2] else low
            if match is None or isinstance(each, bool) or not low <= high < 8 * NUMBERS[kind][0]:
                top = 8 * NUMBERS[kind][0] - 1
                raise self._wrong(f'“bits” names bits 0 to {top}: bits = {{ packed = 0, level = "1..3" }}.')
            out.append((name, low, high))
        return tuple(out)

    def _shown_as(self, table: Mapping[str, Any], kind: str) -> str:
        if not self._only_for(table, "as", kind in (*NUMBERS, VARINT), "a number"):
            return ""
        found = table["as"]
        is_time = found in ("seconds", "milliseconds")
        if found not in SHOWN_AS or (not is_time and not _is_whole(kind)) or (found == "uid" and kind != "u64"):
            raise self._wrong(
                f"“{str(found)[:40]}” is not how such a number is shown; there are {', '.join(SHOWN_AS)}."
            )
        return str(found)

    def _over(self, table: Mapping[str, Any], kind: str) -> tuple[str, str] | None:
        if not self._only_for(table, "over", kind in WIDTHS, "a checksum"):
            if kind in WIDTHS:
                raise self._wrong(
                    'A checksum needs the fields that it covers: over = "body", or the first and the last.'
                )
            return None
        found = table["over"]
        names = found if isinstance(found, list) else [found, found]
        if len(names) != 2 or not all(isinstance(each, str) for each in names):
            raise self._wrong('“over” is the name of a field, or of the first and the last: over = ["a", "b"].')
        self._overs += [(each, self._line) for each in names]
        return names[0], names[1]

    def _inner(
        self, table: Mapping[str, Any], kind: str, known: dict[str, str], depth: int, is_repeated: bool
    ) -> tuple[LayoutField, ...]:
        """The fields inside one."""
        self._only_for(table, "field", kind == "group", "a group")
        self._only_for(table, "layout", kind == "layout", "a field of type layout")
        if kind == "group":
            return self._fields(table.get("field"), dict(known) if is_repeated else known, depth + 1)
        return self._of_other(table.get("layout"), depth) if kind == "layout" else ()

    def _of_other(self, key: object, depth: int) -> tuple[LayoutField, ...]:
        """The fields of another layout."""
        found = self._others(key) if isinstance(key, str) else None
        if found is None or not isinstance(key, str):
            raise self._wrong(f"There is no layout “{str(key)[:40]}”.")
        if key in self._inside or depth + len(self._inside) > DEEPEST:
            raise self._wrong(f"The layout “{key}” would be inside itself.")
        text, place = found
        table = _toml(text, place)
        parser = _Parser(place, text, self._others, (*self._inside, key))
        parser.count = self.count
        fields = parser.fields_of(table, {})
        self.count = parser.count
        return fields


def _nearest(word: str, words: Sequence[str]) -> str:
    """Which word is likely meant, or which there are."""
    from difflib import get_close_matches  # only where something is wrong

    close = get_close_matches(word, words, 1, CLOSE)
    return f"{close[0]} is likely meant" if close else f"there are {', '.join(words)}"


def _counts_things(kind: str) -> bool:
    """Whether what a field says may be a whole number."""
    return kind == "value" or _is_whole(kind)


def _is_whole(kind: str) -> bool:
    return kind == VARINT or (kind in NUMBERS and NUMBERS[kind][1] != "f")


def _counts(prefix: str, size: int) -> bool:
    return prefix in NUMBERS and size < 1 << 8 * NUMBERS[prefix][0]
