"""Numbers as texts spell them, and what both engines read from each one: ``tests/data/numbers/read.txt``.

``PYTHONPATH=tests:. python -m text.engine_numbers`` asks Godot 3.2.3 and 4.6 anew, which say the same, and writes it.
A line has a number, the double that JSON reads, what settings and ``str_to_var`` read (a double, or a whole number as
such, ``int:5``), and the float of 32 bits that a vector and a packed array get. Floats are their bits in hexadecimal
digits.
"""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine
import engine4

from viewer.base.span import Span
from viewer.document.pieces.framing import FrameReader
from viewer.variant.dialect import load
from viewer.variant.read import read
from viewer.variant.value import Array, Dictionary, Value

DATA = Path(__file__).parents[1] / "data" / "numbers" / "read.txt"
FLOATS, WHOLE = 2600, 400
BORDERS = (24, 53, 62, 63, 64)
ODD = (
    *("0e400", "0.0e400", "1e400", "-1e400", "1e4000", "1e-400", "0.0", "-0.0", "0e0", "-0e5", "1e511", "1e512"),
    *("0.000001e514", "100000e-512", "5e-324", "1e-308", "2.2250738585072014e-308", "1.7976931348623157e+308"),
    *("17976931348623157e292", "3.4028235e+38", "3.5e38", "3.4028235677973366e38", "1.", "1.e5", "1e+5", "1e05"),
    *("1.4000000000000001", "0.1", "0.2", "0.3", "1e4294967296", "12.5e4294967297", "1e-4294967296", "1e99999999999"),
)
"""An exponent is counted in 32 bits, and ten to the power of much is infinite."""
SECTION, WHOLE_NUMBER = "a", "int:"


@dataclass(frozen=True, slots=True)
class Row:
    """A number, and what the engines read."""

    text: str
    json: str
    value: str
    single: str


def bits(number: float, form: str = ">d") -> str:
    return "nan" if number != number else struct.pack(form, number).hex()


def spelled(count: int, seed: int) -> list[str]:
    """Floats of 1 to 20 digits: small, large and usual ones, with zeros in front, and as programs write them."""
    draw, out = random.Random(seed), list[str]()
    while len(out) < count:
        digits = "".join(draw.choice("0123456789") for _ in range(draw.randint(1, 20)))
        point = draw.randint(1, len(digits))
        text = digits[:point] + ("." + digits[point:] if point < len(digits) else "")
        match draw.randrange(12):
            case 0 | 1:
                text = f"0.{digits}"
            case 2:
                text = f"0.{'0' * draw.randint(1, 25)}{digits}"
            case 3:
                text += f"e{draw.randint(-25, 25):+d}"
            case 4:
                text += f"e{draw.randint(-330, -280)}"
            case 5:
                text += f"e+{draw.randint(270, 330):03d}"
            case 6:
                text += f"e{draw.randint(-330, 330)}"
            case 7:
                text = "0" * draw.randint(1, 6) + text
            case 8:
                text = repr(draw.random() * 10 ** draw.randint(-8, 8))
            case 9:
                text = repr(abs(struct.unpack("<d", draw.randbytes(8))[0]))
            case 10:
                text = repr(abs(struct.unpack("<f", draw.randbytes(4))[0]))
        if text not in ("nan", "inf"):
            out.append(draw.choice(("", "", "-")) + text + ("" if "." in text or "e" in text else ".0"))
    return out


def whole(count: int, seed: int) -> list[str]:
    """Whole numbers of 1 to 30 digits, some with zeros in front, and those around what floats and 64 bits hold."""
    draw = random.Random(seed)
    near = (str((1 << draw.choice(BORDERS)) + draw.randint(-3, 3)) for _ in iter(int, 1))
    twice = (str((1 << 62) + (1 << 38) + draw.randint(-1, 1)) for _ in iter(int, 1))
    plain = (str(draw.randrange(10 ** draw.randint(1, 30))) for _ in iter(int, 1))
    kinds = (near, plain, plain, twice)
    return [
        draw.choice(("", "-")) + draw.choice(("", "", "", "0", "000")) + next(draw.choice(kinds)) for _ in range(count)
    ]


def numbers() -> list[str]:
    """All that is asked."""
    return [*spelled(FLOATS, 1), *ODD, *whole(WHOLE, 2)]


def listed(texts: list[str]) -> str:
    return f"[{', '.join(texts)}]"


def settings(texts: list[str], line: str) -> str:
    """The numbers by themselves, in vectors and in packed arrays."""
    name = "PoolRealArray" if line == "godot3" else "PackedFloat32Array"
    pairs = [f"Vector2({one}, {one})" for one in texts]
    found = f"[{SECTION}]\n\nf={listed(texts)}\nv={listed(pairs)}\np={name}({', '.join(texts)})\n"
    return found if line == "godot3" else f"{found}d=PackedFloat64Array({', '.join(texts)})\n"


def of_settings(value: Value) -> tuple[list[str], list[str], list[str], list[str]]:
    """The numbers of such settings: by themselves, of vectors, of packed arrays of 32 and of 64 bits."""
    assert isinstance(value.data, Dictionary)
    ((_, section),) = value.data.pairs
    assert isinstance(section.data, Dictionary)
    found: dict[str, Any] = {str(key.data): held.data for key, held in section.data.pairs}
    vectors = [each.data for each in found["v"].elements]
    assert all(bits(x) == bits(y) for x, y in vectors)
    return (
        plain(found["f"]),
        [bits(x, ">f") for x, _ in vectors],
        [bits(each, ">f") for each in found["p"]],
        [bits(each) for each in found.get("d", ())],
    )


def plain(data: Any) -> list[str]:
    """The numbers of an array."""
    assert isinstance(data, Array)
    return [bits(each.data) if isinstance(each.data, float) else f"{WHOLE_NUMBER}{each.data}" for each in data.elements]


def stored(data: bytes, line: str) -> Value:
    """What an engine wrote of a value."""
    return read(FrameReader(data, load(line)).table(Span(0, len(data))))


def of_godot3(texts: list[str]) -> list[Row]:
    asked = [
        engine.Request(listed(texts).encode(), "json"),
        engine.Request(settings(texts, "godot3").encode(), "config"),
    ]
    json, config = (answer.value for answer in engine.read_back(asked))
    ((_, section),) = config["Dictionary"]
    found = {key["str"]: held for key, held in section["Dictionary"]}
    by_text = plain(stored(engine.encode([listed(texts)])[0], "godot3").data)
    values = [known(each["f64"]) if "f64" in each else WHOLE_NUMBER + each["int"] for each in found["f"]["Array"]]
    vectors = [[known(each) for each in vector["f32"]] for vector in found["v"]["Array"]]
    singles = [known(each) for each in found["p"]["f32"]]
    assert values == by_text
    assert vectors == [[each, each] for each in singles]
    rows = zip(texts, (known(each["f64"]) for each in json["Array"]), values, singles, strict=True)
    return [Row(*each) for each in rows]


def known(word: str) -> str:
    """The bits of a float, of which nan has several."""
    (number,) = struct.unpack(">f" if len(word) == 8 else ">d", bytes.fromhex(word))
    return "nan" if number != number else word


def of_godot4(texts: list[str], godot: engine4.Godot) -> list[Row]:
    (json,) = godot.parsed([listed(texts).encode()])
    (config,) = godot.settings([settings(texts, "godot4").encode()])
    (by_text,) = godot.texts([listed(texts)])
    values, vectors, singles, doubles = of_settings(stored(config.values[0].data, "godot4"))
    assert values == plain(stored(by_text.values[0].data, "godot4").data)
    assert vectors == singles
    assert doubles == [as_double(each) for each in values]
    rows = zip(texts, plain(stored(json.values[0].data, "godot4").data), values, singles, strict=True)
    return [Row(*each) for each in rows]


def as_double(word: str) -> str:
    """What an array of doubles gets of a value."""
    return bits(float(int(word.removeprefix(WHOLE_NUMBER)))) if word.startswith(WHOLE_NUMBER) else word


def rows() -> list[Row]:
    """What the engines said."""
    return [Row(*line.split(" ")) for line in DATA.read_text(encoding="ascii").splitlines()]


def write() -> None:
    """Ask both engines, and keep what they say."""
    texts = numbers()
    found = of_godot3(texts)
    with engine4.Godot() as godot:
        assert of_godot4(texts, godot) == found
    DATA.parent.mkdir(exist_ok=True)
    lines = (f"{row.text} {row.json} {row.value} {row.single}\n" for row in found)
    DATA.write_text("".join(lines), encoding="ascii", newline="\n")


if __name__ == "__main__":
    write()
