"""Make ``cases.json.gz`` again: a game's payloads, written by three encoders with one wrong rule each.

Needs Node, Go and Mono (``apt-get install nodejs golang-go mono-mcs mono-runtime``); run as ``python make.py``. Every
encoder reads the payloads as tokens (``dict 2`` is followed by two pairs) from its standard input and writes them by
every rule it has. The rule ``none`` is the right one, and ``wide`` is right too: every number in 64 bits. ``narrow``
(every float in 32) is what is left of floats whose other bits were not written.
"""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CASES = HERE / "cases.json.gz"
RIGHT = ("none", "wide", "narrow")
MAJORS = (3, 4)


class Of(tuple[str, str]):
    """A token and its arguments, of a type that Python has not."""


def vector(kind: str, *numbers: float) -> Of:
    """A vector, colour or packed array of *numbers*."""
    return Of((kind, " ".join(map(str, numbers))))


def color(*channels: int) -> Of:
    """A colour of four *channels* from 0 to 255."""
    return vector("color", *(channel / 255 for channel in channels))


NO_TEXT = Of(("nostr", ""))
"""What a language of texts that may be null has in place of one."""


def payloads() -> dict[str, Any]:
    """A game server's packets by name, from 60 bytes to 4 KB."""
    rng = random.Random(20)

    def near(middle: float, spread: float) -> float:
        return round(rng.uniform(middle - spread, middle + spread), 3)

    def entity(number: int) -> dict[str, Any]:
        return {
            "id": 4000 + number,
            "kind": rng.choice(["goblin", "wolf", "npc", "chest"]),
            "pos": vector("vec3", near(0, 300), near(12, 4), near(0, 300)),
            "vel": vector("vec2", near(0, 3), near(0, 3)),
            "hp": near(0.5, 0.5),
            "hostile": rng.random() < 0.5,
            "tint": color(rng.randrange(256), rng.randrange(256), 255, 255),
            "target": None if rng.random() < 0.6 else 4000 + rng.randrange(20),
        }

    names = [
        "Ægir",
        "Zoë",
        "Bob",
        "Łukasz",
        "さくら",
        "ana_maria",
        "xX_Rex_Xx",
        "Jürgen",
        "K-2",
        "Иван",
        "mo",
        "Sophie",
        "José",
    ]
    return {
        "move": {"t": "move", "seq": 812, "pos": vector("vec3", 12.25, 0.1, -7.75), "run": True, "yaw": 1.5707},
        "login": {
            "op": "login",
            "user": "Zoë",
            "token": Of(("bytes", rng.randbytes(21).hex())),
            "version": "1.4.2",
            "guest": False,
            "steam": 76561198024512345,
            "email": NO_TEXT,
            "time": 1732360000.125,
            "tz": None,
            "remember": True,
        },
        "chat": {
            "op": "chat",
            "from": "Łukasz",
            "channel": "global",
            "text": "Schöne Grüße aus Köln … gg!",
            "whisper_to": NO_TEXT,
            "sent_at": 1732360123456,
            "color": color(255, 200, 64, 255),
            "system": False,
            "volume": 0.8,
            "reply": None,
            "seen_by": Of(("ints", "17 204 99")),
        },
        "world_state": {
            "tick": 90211,
            "time": 1503.516667,
            "entities": [entity(number) for number in range(16)],
            "wind": vector("vec2", 0.3, -1.2),
            "night": True,
            "weather": NO_TEXT,
            "heights": vector("floats", *(near(10, 3) for _ in range(24))),
            "uptime_us": 15035166671234,
            "spawns": vector("vec3s", *(near(0, 90) for _ in range(15))),
        },
        "inventory": {
            "owner": "さくら",
            "gold": 15320,
            "weight": 41.7,
            "full": False,
            "uid": 9007199254740993,
            "bag": NO_TEXT,
            "slots": [
                {
                    "item": name,
                    "n": rng.randrange(1, 99),
                    "worn": rng.random() < 0.3,
                    "wear": near(0.5, 0.4),
                    "rune": None,
                    "dye": color(rng.randrange(256), 30, 60, 255),
                    "cell": vector("vec2", column, 2),
                }
                for column, name in enumerate(["sword_of_dawn", "potion", "épée", "rope", "tørke", "map", "lantern"])
            ],
            "tags": Of(("strs", ["rare", "två", "quest"])),
            "icon": Of(("bytes", rng.randbytes(34).hex())),
            "grip": vector("vec3", 0.1, 0.25, -0.4),
        },
        "leaderboard": {
            "season": "Été 2024",
            "updated": 1732361111222,
            "final": False,
            "prize": None,
            "note": NO_TEXT,
            "rows": [
                {
                    "rank": rank,
                    "name": name,
                    "score": 98000 - rank * 731 - rng.randrange(500),
                    "ratio": near(1.2, 0.7),
                    "online": rng.random() < 0.4,
                    "guild": rng.choice([None, "Nordlys"]),
                    "badge": color(19 * rank, 90, 200, 255),
                }
                for rank, name in enumerate(names, 1)
            ],
            "buckets": vector("ints", *(rng.randrange(900) for _ in range(12))),
            "spot": vector("vec3", 3.5, 0.2, 1.1),
        },
        "lobby": {
            "rooms": [
                {
                    "id": 7210001 + number,
                    "title": title,
                    "map": f"res://maps/{title[:3].lower()}.tscn",
                    "players": [names[number], names[-1 - number]],
                    "private": number % 2 == 1,
                    "ping": near(45, 30),
                    "password": NO_TEXT,
                    "host": None,
                    "spawn": vector("vec3", near(0, 50), 1.5, near(0, 50)),
                    "flag": color(200, 40 * number, 7, 255),
                }
                for number, title in enumerate(["Nur für Profis", "casual 2v2", "hide & seek"])
            ],
            "motd": "Willkommen, señor!",
            "server_id": 81985529216486895,
            "load": 0.37,
            "maintenance": False,
            "key": Of(("bytes", rng.randbytes(10).hex())),
            "ranks": vector("floats", 0.1, 0.35, 0.9),
        },
        "spawn": [
            "spawn",
            33,
            {
                "node": "Player/Räder",
                "at": vector("vec3", 1.1, 2.2, 3.3),
                "look": vector("vec2", 0.7, 0.1),
                "skin": color(17, 34, 51, 255),
                "ai": None,
                "peer": 1843520907733,
                "local": True,
                "scale": 1.1,
                "nick": NO_TEXT,
                "path": vector("vec3s", 1.5, 0.5, 2.5, 3.1, 0.5, 4.1),
                "blob": Of(("bytes", rng.randbytes(7).hex())),
            },
            True,
            False,
            -1,
        ],
    }


def tokens(value: Any) -> Iterator[str]:
    """The lines that an encoder reads for *value*."""
    if isinstance(value, Of):
        kind, rest = value
        yield from (
            (f"{kind} {len(rest)}", *(f"str {text}" for text in rest))
            if kind == "strs"
            else [f"{kind} {rest}".rstrip()]
        )
    elif isinstance(value, dict):
        yield f"dict {len(value)}"
        for pair in value.items():
            for part in pair:
                yield from tokens(part)
    elif isinstance(value, list):
        yield f"array {len(value)}"
        for part in value:
            yield from tokens(part)
    elif value is None:
        yield "nil"
    else:
        kind = {bool: "bool", int: "int", float: "float", str: "str"}[type(value)]
        yield f"{kind} {value:d}" if kind == "bool" else f"{kind} {value}"


def every_output() -> Iterator[tuple[str, str, int, str, bytes]]:
    """Language, rule, Godot's major version, payload and its bytes behind their length, of all that is written."""
    lines = [
        line
        for major, (name, value) in product(MAJORS, payloads().items())
        for line in (f"payload {major} {name}", *tokens(value))
    ]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["go", "build", "-o", f"{folder}/go", HERE / "make.go"], check=True)
        subprocess.run(["mcs", f"-out:{folder}/cs.exe", HERE / "make.cs"], check=True)
        for language, command in {
            "js": ["node", HERE / "make.js"],
            "go": [f"{folder}/go"],
            "cs": ["mono", f"{folder}/cs.exe"],
        }.items():
            done = subprocess.run(command, input="\n".join(lines).encode(), stdout=subprocess.PIPE, check=True)
            for line in done.stdout.decode().splitlines():
                rule, major, name, data = line.split()
                yield language, rule, int(major), name, bytes.fromhex(data)


def cases() -> Iterator[dict[str, Any]]:
    """What each wrong rule makes of each payload that it touches, half of it behind its length, and the right bytes."""
    written = {(language, major, name, rule): data for language, rule, major, name, data in every_output()}
    for number, ((language, major, name, rule), data) in enumerate(written.items()):
        others = RIGHT if rule == "float32-with-flag" else RIGHT[:2]
        right = {written[language, major, name, each] for each in others}
        if rule in RIGHT or data in right:
            continue
        start = 0 if rule == "prefix-counts-itself" or number % 2 else 4
        yield {
            "language": language,
            "rule": rule,
            "major": major,
            "payload": name,
            "framed": not start,
            "data": data[start:].hex(),
            "right": [data[start:].hex() for data in sorted(right, key=len)],
        }


def main() -> None:
    """Write the cases."""
    found = sorted(cases(), key=lambda case: (case["payload"], case["major"], case["language"], case["rule"]))
    text = "[\n" + ",\n".join(json.dumps(case) for case in found) + "\n]\n"
    CASES.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
