"""The same bytes in every form that text has for them, and what may become of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

DATA = bytes.fromhex(
    "12000000 02000000 04000000 02000000 68700000 02000000 03000000 04000000 01000000 70000000 07000000"
    "0000803f 00000040 6162 27 22 5c 0a"
)
BASE64 = base64.b64encode(DATA).decode()


def rows(size: int, write: Callable[[bytes], str], turn: str) -> str:
    return turn.join(write(DATA[at : at + size]) for at in range(0, len(DATA), size))


def c_items(data: bytes) -> str:
    return ", ".join(f"0x{byte:02x}" for byte in data)


def python_items(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


def seen(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)


def dump(line: Callable[[int, bytes], str]) -> str:
    return "".join(line(at, DATA[at : at + 16]) for at in range(0, len(DATA), 16))


def canonical(at: int, data: bytes) -> str:
    left, right = data[:8].hex(" "), data[8:].hex(" ")
    return f"{at:08x}  {left:<23}  {right:<23}  |{seen(data)}|\n"


def words(data: bytes) -> str:
    """What ``hexdump`` shows of some bytes: words of the machine."""
    return " ".join(f"{int.from_bytes(data[at : at + 2], 'little'):04x}" for at in range(0, len(data), 2))


def cells(data: bytes, size: int, mark: str = "0x", between: str = "\t") -> str:
    """What a debugger shows of some bytes: numbers with their lowest byte first."""
    numbers = (int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size))
    return between.join(f"{mark}{number:0{2 * size}x}" for number in numbers)


def octal(data: bytes) -> str:
    return " ".join(f"{int.from_bytes(data[at : at + 2], 'little'):06o}" for at in range(0, len(data), 2))


def signs(data: bytes) -> str:
    named = {0: "\\0", 7: "\\a", 10: "\\n"}
    return "".join(f"{named.get(each) or (chr(each) if 32 <= each < 127 else f'{each:03o}'):>4}" for each in data)


def caret(data: bytes, ends: str = "\n") -> str:
    """What ``cat -v`` shows of some bytes."""
    return "".join(ends if each == 10 else chr(each) if each == 9 else caret_of(each) for each in data)


def caret_of(byte: int) -> str:
    if byte > 127:
        return f"M-{caret_of(byte - 128)}"
    return chr(byte) if 32 <= byte < 127 else f"^{chr(byte ^ 64)}"


def angled(data: bytes) -> str:
    """What ``less`` shows of some bytes."""
    return "".join(f"<{each:02X}>" if each > 127 else caret(bytes([each])) for each in data)


def signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


REGULAR = {
    "base64": ("base64", BASE64),
    "base64 with a line break": ("base64", BASE64 + "\n"),
    "base64 in quotes": ("base64", f'"{BASE64}"'),
    "base64 of MIME": ("base64", rows(45, lambda each: base64.b64encode(each).decode(), "\r\n") + "\r\n"),
    "base64 without filling": ("base64", BASE64.rstrip("=")),
    "base64 for URLs": ("base64", base64.urlsafe_b64encode(DATA + b"\xff\xfe\xfb").decode()),
    "base64 in JSON": ("base64", f'{{"blob":"{BASE64}","name":"slot1","version":2}}'),
    "base64 in a config": ("base64", f'[save]\nname=Böb\ndata="{BASE64}"\nversion=3\n'),
    "base64 of a line": ("base64", f"[save]\ndata={BASE64}\n"),
    "base64 with blanks": ("base64", base64.b64encode(bytes(3) + DATA + b"\xfb\xef\xbe").decode().replace("+", " ")),
    "base64 in percent signs": ("percent", BASE64.replace("/", "%2F") + "%3D"),
    "percent signs": ("percent", "".join(chr(each) if 48 <= each < 58 else f"%{each:02X}" for each in DATA)),
    "percent signs of a form": ("percent", "%00%01%02+%2B%ff%00abc"),
    "hex": ("hex", DATA.hex()),
    "hex of C#": ("hex", DATA.hex("-").upper()),
    "hex in capitals": ("hex", DATA.hex(" ").upper() + "\n"),
    "hex in fours": ("hex", DATA.hex(" ", -4)),
    "hex with 0x": ("hex", c_items(DATA)),
    "hex with \\x": ("hex", python_items(DATA)),
    "hex in lines": ("hex", rows(8, lambda each: each.hex(" "), "\n") + "\n"),
    "hex in halves": ("hex", rows(16, lambda each: f"{each[:8].hex(' ')}  {each[8:].hex(' ')}".rstrip(), "\n")),
    "hex of SQL": ("hex", f"X'{DATA.hex()}'"),
    "hex with one 0x": ("hex", f"0x{DATA.hex()}"),
    "hex with colons": ("hex", DATA.hex(":")),
    "list": ("list", str(list(DATA))),
    "list without blanks": ("list", str(list(DATA)).replace(" ", "") + "\n"),
    "PoolByteArray": ("list", f"PoolByteArray( {', '.join(map(str, DATA))} )"),
    "PackedByteArray": ("list", f"PackedByteArray({', '.join(map(str, DATA))})"),
    "PackedByteArray of a list": ("list", f"var data := PackedByteArray({list(DATA)})\n"),
    "PackedByteArray of base64": ("list", f'PackedByteArray("{BASE64}")'),
    "list of Go": ("list", f"[{' '.join(map(str, DATA))}]\n"),
    "list of Java": ("list", str([*map(signed, DATA), -1])),
    "array of Java": ("list", f"{{{', '.join(map(str, map(signed, DATA)))}}}".replace(" 0,", " -2,")),
    "list of Kotlin": ("list", f"byteArrayOf({', '.join(map(str, DATA))})"),
    "vector of Rust": ("list", f"let data = vec!{list(DATA)};"),
    "array of numpy": ("list", f"array([{', '.join(f'{each:>3}' for each in DATA)}], dtype=uint8)"),
    "binary of Erlang": ("list", f"<<{','.join(map(str, DATA))}>>"),
    "Uint8Array of Node": ("list", f"Uint8Array({len(DATA)}) {list(DATA)}"),
    "Buffer of Node": ("list", f'{{"type":"Buffer","data":{list(DATA)}}}'.replace(" ", "")),
    "Buffer of Node in JSON": ("list", f'[{{"peer": 1, "raw": {{"type": "Buffer", "data": {list(DATA)}}}, "n": [1]}}]'),
    "Buffer of Node, its type last": ("list", f'{{"data": {list(DATA)}, "type": "Buffer"}}'),
    "list with indices": ("list", f"{{{','.join(f'{chr(34)}{at}{chr(34)}:{each}' for at, each in enumerate(DATA))}}}"),
    "array of PHP": (
        "list",
        "Array\n(\n" + "".join(f"    [{at}] => {each}\n" for at, each in enumerate(DATA, 1)) + ")\n",
    ),
    "slice of Go": ("c-array", f"[]byte{{{c_items(DATA)}}}"),
    "array of C#": ("c-array", f"var data = new byte[] {{ {c_items(DATA)} }};"),
    "C of xxd": (
        "c-array",
        f"unsigned char x[] = {{\n  {rows(12, c_items, f',{chr(10)}  ')}\n}};\nunsigned int x_len = {len(DATA)};\n",
    ),
    "C with a size": ("c-array", f"const uint8_t x[{len(DATA)}] = {{{c_items(DATA)}}};"),
    "C with comments": ("c-array", "static const char x[] = {\n 1, 2, // two, 2\n 0x3, 4 /* { 9 */ , 0, 0};\n"),
    "Python": ("python-bytes", repr(DATA)),
    "Python in hex": ("python-bytes", f'data = bytes(b"{python_items(DATA)}")\n'),
    "Python in lines": (
        "python-bytes",
        "(\n    " + rows(16, lambda each: f"b'{python_items(each)}'", "\n    ") + "\n)\n",
    ),
    "escapes": ("escaped", repr(DATA)[2:-1]),
    "escapes in quotes": ("escaped", f'"{python_items(DATA[:-6])}abc"'),
    "short escapes": ("escaped", "a\\0\\0\\0\\1bc\\0\\0"),
    "cat -v": ("caret", caret(DATA + b"\x7f\xff\x85\xe9")),
    "cat -v with a line break": ("caret", caret(b"\0\n\0\0" + DATA) + "\r\n"),
    "cat -A": ("caret", caret(b"\0\n\0\0" + DATA, "$\n")),
    "less": ("caret", angled(b"\xff\0\0\n" + DATA) + "\n"),
    "vi": ("caret", angled(b"\xff\0\0\n" + DATA + b"\xe9").lower()),
    "angles": ("caret", "".join(chr(each) if 48 <= each < 123 else f"<{each:02x}>" for each in DATA)),
    "JSON string": ("json-string", json.dumps((DATA + b"\xff").decode("latin-1"))),
    "JSON string with letters": ("json-string", json.dumps((DATA + b"\xe9").decode("latin-1"), ensure_ascii=False)),
    "Buffer of Node on a console": ("in-text", f"<Buffer {DATA.hex(' ')}>"),
    "hex in a log": ("in-text", f"2024-01-02 12:00:01 INFO got {DATA.hex()}\n"),
    "hex in SQL": ("in-text", f"INSERT INTO saves VALUES (7, X'{DATA.hex()}', 'Bob');"),
    "bytea of PostgreSQL": ("in-text", f"E'\\\\x{DATA.hex()}'::bytea"),
    "list of Go in a log": ("in-text", f"2024/01/02 recv: [{' '.join(map(str, DATA))}] from 10.0.0.1\n"),
    "list in JSON": ("in-text", f'{{"id": 5, "payload": {list(DATA)}}}'),
    "Python in a log": ("in-text", f"INFO recv {DATA!r}\n"),
    "escapes in a log": ("in-text", f'recv data="{python_items(DATA)}" from 10.0.0.1\n'),
    "xxd": ("hexdump", dump(lambda at, each: f"{at:08x}: {each.hex(' ', -2):<39}  {seen(each)}\n")),
    "xxd with line breaks of Windows": (
        "hexdump",
        dump(lambda at, each: f"{at:08x}: {each.hex(' ', -2):<39}  {seen(each)}\r\n"),
    ),
    "hexdump -C": ("hexdump", dump(canonical) + f"{len(DATA):08x}\n"),
    "Wireshark": ("hexdump", dump(lambda at, each: f"{at:04x}   {each.hex(' '):<47}   {seen(each)}\n")),
    "tcpdump": ("hexdump", dump(lambda at, each: f"\t0x{at:04x}:  {each.hex(' ', -2):<39}  {seen(each)}\n")),
    "hexdump": ("word-dump", dump(lambda at, each: f"{at:07x} {words(each)}\n") + f"{len(DATA):07x}\n"),
    "od": ("word-dump", dump(lambda at, each: f"{at:07o} {octal(each)}\n") + f"{len(DATA):07o}\n"),
    "od -x": ("word-dump", dump(lambda at, each: f"{at:07o} {words(each)}\n") + f"{len(DATA):07o}\n"),
    "od -t x1": ("word-dump", dump(lambda at, each: f"{at:07o} {each.hex(' ')}\n") + f"{len(DATA):07o}\n"),
    "od -c": ("word-dump", dump(lambda at, each: f"{at:07o}{signs(each)}\n") + f"{len(DATA):07o}\n"),
    "gdb": ("memory-dump", "(gdb) x/6xw buf\n" + dump(lambda at, each: f"0x55555{at:03x}:\t{cells(each, 4)}\n")),
    "gdb with names": ("memory-dump", dump(lambda at, each: f"0x4052a0{at:02x} <buf+{at + 1}>:\t{cells(each, 1)}\n")),
    "lldb": ("memory-dump", dump(lambda at, each: f"0x16fdff2{at:02x}: {cells(each, 2, between=' ')}\r\n")),
    "WinDbg": ("memory-dump", dump(lambda at, each: f"00007ff6`123400{at:02x}  {cells(each, 4, '', ' ')}\n")),
    "od -A x -t x1": ("hexdump", dump(lambda at, each: f"{at:06x} {each.hex(' ')}\n") + f"{len(DATA):06x}\n"),
}
CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "a byte": lambda data: data[:4] + b"\xfe" + data[5:],
    "more at the end": lambda data: data + b"0123456789abcdefXYZ9\x00",
    "less at the end": lambda data: data[:-3],
    "less at the start": lambda data: data[3:],
    "more at the start": lambda data: b"\x00\x80\xff\x31" + data,
    "some in the middle": lambda data: data[:5] + b"1A\x000\\'\"\n" + data[5:],
    "half of it": lambda data: data[: max(len(data) // 2, 4)],
    "three times as much": lambda data: data * 3,
    "all others": lambda data: bytes(byte ^ 0xFF for byte in data),
}
