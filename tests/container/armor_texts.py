"""The same bytes in every dress that text has for them, and what may become of them."""

from __future__ import annotations

import base64
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
    "hex": ("hex", DATA.hex()),
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
    "xxd": ("hexdump", dump(lambda at, each: f"{at:08x}: {each.hex(' ', -2):<39}  {seen(each)}\n")),
    "xxd with line breaks of Windows": (
        "hexdump",
        dump(lambda at, each: f"{at:08x}: {each.hex(' ', -2):<39}  {seen(each)}\r\n"),
    ),
    "hexdump -C": ("hexdump", dump(canonical) + f"{len(DATA):08x}\n"),
    "Wireshark": ("hexdump", dump(lambda at, each: f"{at:04x}   {each.hex(' '):<47}   {seen(each)}\n")),
    "tcpdump": ("hexdump", dump(lambda at, each: f"\t0x{at:04x}:  {each.hex(' ', -2):<39}  {seen(each)}\n")),
    "od": ("hexdump", dump(lambda at, each: f"{at:06x} {each.hex(' ')}\n") + f"{len(DATA):06x}\n"),
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
