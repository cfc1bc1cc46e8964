"""Logs: bytes as programs print them and people copy them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from random import Random
from urllib.parse import quote_from_bytes

from document.doctor.heldout.made import Made, Maker, source

Print = Callable[[bytes, Random], str]


def _maker(told: Print, known: bool = True) -> Maker:
    def make(random: Random) -> Made:
        some = source(random)
        return Made(told(some.data, random).encode(), some, tuple(some.leaves) if known else (), known)

    return make


def _rows(data: bytes, size: int = 16) -> list[tuple[int, bytes]]:
    return [(at, data[at : at + size]) for at in range(0, len(data), size)]


def _ascii(data: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)


def _c_array(data: bytes, random: Random) -> str:
    rows = ",\n  ".join(", ".join(f"0x{byte:02x}" for byte in row) for _, row in _rows(data, 12))
    return f"unsigned char save[] = {{\n  {rows}\n}};\nunsigned int save_len = {len(data)};\n"


def _log_lines(data: bytes, random: Random) -> str:
    second = random.randrange(60)
    return "".join(f"[12:03:{second:02}] RECV {row.hex()}\n" for _, row in _rows(data, 32))


def _tcpdump(data: bytes, random: Random) -> str:
    lines = []
    for at, row in _rows(data):
        pairs = " ".join(row[k : k + 2].hex() for k in range(0, len(row), 2))
        lines.append(f"\t0x{at:04x}:  {pairs:<39}  {_ascii(row)}\n")
    return "".join(lines)


def _powershell(data: bytes, random: Random) -> str:
    head = "           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n\n"
    return head + "".join(f"{at:08X}   {row.hex(' ').upper():<47}  {_ascii(row)}\n" for at, row in _rows(data))


def _truncated(data: bytes, random: Random) -> str:
    return data[: max(40, len(data) // 2)].hex(" ") + " ..."


def _octal(data: bytes, random: Random) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\{byte:03o}" for byte in data)


def _json_text(data: bytes, random: Random) -> str:
    return json.dumps({"event": "save", "payload": data.decode("latin-1")})


def _json_base64(data: bytes, random: Random) -> str:
    return json.dumps({"id": random.randrange(1000), "data": base64.b64encode(data).decode(), "ok": True})


def _quoted_printable(data: bytes, random: Random) -> str:
    text = "".join(chr(byte) if 33 <= byte < 127 and byte != 61 else f"={byte:02X}" for byte in data)
    lines, line = [], ""
    at = 0
    while at < len(text):
        size = 3 if text[at] == "=" else 1
        if len(line) + size > 75:
            lines.append(line + "=")
            line = ""
        line += text[at : at + size]
        at += size
    return "\n".join([*lines, line]) + "\n"


def _uuencoded(data: bytes, random: Random) -> str:
    lines = [binascii.b2a_uu(row).decode() for _, row in _rows(data, 45)]
    return "begin 644 save.bin\n" + "".join(lines) + "`\nend\n"


def _wrapped_base64(data: bytes, random: Random) -> str:
    text = base64.b64encode(data).decode()
    return "".join(f"> {text[at : at + 64]}\n" for at in range(0, len(text), 64))


MAKERS: dict[str, Maker] = {
    "python-bytes": _maker(lambda data, random: repr(data)),
    "python-bytearray": _maker(lambda data, random: repr(bytearray(data))),
    "gdscript-bytes": _maker(lambda data, random: "PoolByteArray(" + ", ".join(map(str, data)) + ")"),
    "c-array": _maker(_c_array),
    "decimal-lines": _maker(lambda data, random: "".join(f"{byte}\n" for byte in data)),
    "erlang-binary": _maker(lambda data, random: "<<" + ",".join(map(str, data)) + ">>"),
    "rust-hex-list": _maker(lambda data, random: "[" + ", ".join(f"{byte:#04x}" for byte in data) + "]"),
    "hex-colons": _maker(lambda data, random: data.hex(":")),
    "hex-sql": _maker(lambda data, random: f"X'{data.hex().upper()}'"),
    "hex-postgres": _maker(lambda data, random: f"\\x{data.hex()}"),
    "hex-words": _maker(lambda data, random: " ".join(row[::-1].hex() for _, row in _rows(data, 4))),
    "hex-one-digit-lost": _maker(lambda data, random: " ".join(f"{byte:x}" for byte in data)),
    "hex-in-log-lines": _maker(_log_lines),
    "tcpdump-lines": _maker(_tcpdump),
    "powershell-lines": _maker(_powershell),
    "hex-cut-by-log": _maker(_truncated, known=False),
    "binary-digits": _maker(lambda data, random: " ".join(f"{byte:08b}" for byte in data)),
    "octal-escapes": _maker(_octal),
    "percent-escapes": _maker(lambda data, random: quote_from_bytes(data)),
    "html-escapes": _maker(lambda data, random: "".join(f"&#{byte};" for byte in data)),
    "json-text": _maker(_json_text),
    "json-base64": _maker(_json_base64),
    "data-address": _maker(
        lambda data, random: "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    ),
    "base64-quoted-lines": _maker(_wrapped_base64),
    "base64-first-letter-lost": _maker(lambda data, random: base64.b64encode(data).decode()[1:], known=False),
    "base64-lower-case": _maker(lambda data, random: base64.b64encode(data).decode().lower(), known=False),
    "base32": _maker(lambda data, random: base64.b32encode(data).decode()),
    "base85": _maker(lambda data, random: base64.b85encode(data).decode()),
    "ascii85": _maker(lambda data, random: base64.a85encode(data, adobe=True).decode()),
    "quoted-printable": _maker(_quoted_printable),
    "uuencoded": _maker(_uuencoded),
}
"""The kinds by name."""
