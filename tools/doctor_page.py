"""Write docs/doctor.md: how the doctor judges, and how often what it says is true.

PYTHONPATH=tests:. python -m document.doctor.measure --json CORPUS.json
PYTHONPATH=tests:. python -m document.doctor.heldout --list second --seed 20 --per-kind 2 --out SECOND.jsonl
PYTHONPATH=tests:. python -m document.doctor.heldout --list third --seed 30 --per-kind 2 --out THIRD.jsonl
PYTHONPATH=tests:. python -m document.doctor.measure --file SECOND.jsonl --json SECOND.json
PYTHONPATH=tests:. python -m document.doctor.measure --file THIRD.jsonl --json THIRD.json
PYTHONPATH=tests:. python -m document.doctor.measure --file tests/document/doctor/heldout/fourth.jsonl.gz \\
    --json FOURTH.json
PYTHONPATH=tests:. python -m document.doctor.measure --file tests/document/doctor/heldout/fifth.jsonl.gz \\
    --json FIFTH.json
PYTHONPATH=tests:. python tools/doctor_page.py CORPUS.json SECOND.json THIRD.json FOURTH.json FIFTH.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

from document.doctor.heldout.fieldwork import HELD_BACK
from document.doctor.heldout.late_kinds import MAKERS, UNSEEN
from document.doctor.heldout.strangers import held_back

PAGE = Path(__file__).parents[1] / "docs" / "doctor.md"
BINS = 10
Case = dict[str, Any]
TEXT = """\
# The doctor: how it judges, and how often it is right

`tools/doctor_page.py` makes this page from five measurements.

Each explanation of damaged bytes is measured in bits: what it takes to describe the mistake, how rare it is and where
it was made, and what it takes to describe the values that result, to somebody who knows what games store. A key that
occurred before, a small number and a text of letters are short; a float of 1e-33, a text with control characters or a
bool of 77 is long. Two explanations change nothing: that nothing is wrong, and that nobody knows what happened. What
takes the fewest bits is the likeliest, and the probabilities are those of all explanations together. What takes a few
bits more than that nobody knows is offered, too, behind everything that takes fewer.

What an encoder does wrong everywhere is found by reading all of the bytes as such an encoder writes them: with each
of some 170 rules that people were seen to get wrong, with two of them at once, and with some 220 that nobody needs to
have met, since each number that describes others has a width and an order, each text and array some padding, and at
each place there may be bytes that mean nothing. A slip in one place is found by where reading continues after it:
from each offset, the bytes that follow hold a certain number of values, and where these are as many as are still to
come, what lies between shows what happened; so a length, count or run of bytes may be anything. Of several slips,
each is found after another. Traces of machines are recognised by themselves: blank blocks, blocks that occur twice,
bytes that no longer occur, an end at a size where bytes are cut; and codings that all bytes went through are undone.

Bits show which explanation is the best of those that are known, not that the true one is among them. So each is
believed only as far as it rests on something: how many values it changes and how long these are to describe, in how
many places a rule shows and what it saves in each, whether one rule is enough, whether a number was free to be chosen
so that the rest fits, whether values are lost, or stay that no engine writes. What each of these is worth was learned
with the truth left out: the same damage, while the doctor was not allowed to name its cause, or to bring the bytes
back. Then it was counted how often the first answer is true: by its share among all explanations and by that trust,
and for a slip by how many other explanations were found, all as log-odds.
`python -m document.doctor.calibrate FILE...` fits these numbers to all kinds of some lists except those that are held
back, each kind once, and judges each kind by numbers in which it had no part.

What is left of all probability is told, too: "Something else" is how likely it is that none of them is true.

Each repair says how many of the values that can be read now stay. One that costs several of them and shows fewer than
before is believed 10 % at most.

## How often it is right

Each case is opened as by a double-click: no engine line and no framing are given. *Corpus* is `tests/data/damage`,
with which the rules and weights were chosen; all of its cases were measured. *Later kinds* are the second list of
`tests/document/doctor/heldout`: 112 kinds, of which 100 were written down before the search for any slip and any
width existed, and split into halves by a sum over their names. The cases of A were looked at while that was built; of
B only the sums, and the order of the search was chosen by both. Twelve more were written down when the search was as
it is now, and split by dice; of those in A, one was then found by another look at what may be a length, of those in B
nothing was looked at but the sums. *Other hand* is the third list: 50 kinds by somebody who had not seen how the
doctor works or what it finds, measured when everything else was finished: the first answer was true in 23 %. Then a
few things were built for the half that is not held back (the order of rows in a hexdump, typographic quotes, three
rules of encoders); of the half that is held back, nothing was looked at but the sums. For both lists, two cases of
each kind were measured. *Strangers* is the fourth list: 60 kinds, as bytes, by two people who had seen neither the
doctor nor any other list, and a coin split the kinds before it was asked about any of them. The first answer was true
for 57.2 % of A and 56.1 % of B then. What was built for A brought A to 96.7 % and B to 58.9 %: that is what an answer
to known kinds is worth for others. Only then were seven kinds of B looked at, too (escapes with backslashes, two forms
of text, a value inside another one, segments in the wrong order, and lines of a version control tool), and no more
was held back of this list.

*Other strangers* is the fifth list: as many kinds by two others, who had been told as little. What an offer must name
to be true of a kind was written down by somebody who had seen the kinds and the names of all causes, but no code. When
the doctor was first asked, the first answer was true for 72.2 % of A and 67.8 % of B, and of 176 offers of 90 % and
more 172 were. What was built for A (fill bytes and late segments inside, children that were cut out by hand, pieces
that lost their ends) is in the table; of B nothing was looked at but the sums.

The numbers in use were fitted to the corpus and to the halves A of both lists of strangers. Leaving out the kind that
is judged, first offers are off by 0.048 on the corpus then. The lists of strangers show that the doctor is more
often right than it says, and the third list that it is less often right about damage that hardly anybody meets. What
costs values is limited to 10 %, except for values that are longer to describe than their bytes, and for copies that
still stand elsewhere. How often it is true that an end is missing, or that zeros were taken out, is a constant that was
chosen with these lists in sight; leaving out a kind does not change it. Of 154 offers that are exactly as often true as
is said, the calibration error is 0.058 by chance alone, and up to 0.082 in nineteen of twenty draws.

So what is on no list is found where it is one thing in one place, one encoder with one rule, or one coding of all
bytes. What moves bytes about inside a file, or removes some here and there, mostly is not, and neither is what an
encoder does by an altogether different model of the format: about such damage the doctor says more than it knows, and
the columns of what is held back are what to expect of a kind that nobody thought of.

"""


def share(some: list[bool]) -> str:
    """A share in percent."""
    return f"{100 * sum(some) / len(some):.1f} %" if some else "-"


def is_true(case: Case, most: int) -> bool:
    """Whether one of so many offers is true, or nothing is wrong."""
    return case["whole"] or any(offer["true"] for offer in case["offers"][:most])


def restores(case: Case, most: int) -> bool:
    """Whether one of so many offers gives the bytes back."""
    return case["whole"] or any(offer["restores"] for offer in case["offers"][:most])


def half(case: Case) -> str:
    """Which half of the kinds a case belongs to."""
    if case["kind"] in MAKERS:
        return "B" if case["kind"] in UNSEEN else "A"
    return "B" if crc32(case["kind"].encode()) & 1 else "A"


def figures(cases: list[Case]) -> list[str]:
    """The figures of some cases."""
    able = [case for case in cases if case["restorable"]]
    first = [case["offers"][0] for case in cases if case["offers"]]
    sure = [offer for case in cases for offer in case["offers"] if offer["probability"] >= 0.9]
    others = [rest(case) for case in cases if case["offers"] and not case["whole"]]
    likely = [offer for offer in first if offer["probability"] >= 0.5]
    off = sum(abs(sum(each["probability"] - each["true"] for each in some)) for some in binned(first).values())
    leaves = sum(case["leaves"] for case in cases)
    return [
        str(len(cases)),
        share([is_true(case, 1) for case in cases]),
        share([is_true(case, 3) for case in cases]),
        share([restores(case, 1) for case in able]),
        share([restores(case, 3) for case in able]),
        share([offer["true"] for offer in sure]),
        f"{off / max(1, len(first)):.3f}",
        f"{100 * sum(said for said, _ in others) / max(1, len(others)):.1f} %",
        share([is_so for _, is_so in others]),
        share([offer["harmful"] for offer in likely]),
        f"{100 * sum(case['shown'] for case in cases) / max(1, leaves):.1f} %",
        f"{100 * sum(case['known'] for case in cases) / max(1, leaves):.1f} %",
    ]


def rest(case: Case) -> tuple[float, bool]:
    """How likely it is said to be that none of the first three explanations is true, and whether that is so."""
    said = 1 - sum(offer["probability"] for offer in case["offers"])
    return max(0.0, said), not any(offer["true"] for offer in case["offers"])


def binned(offers: list[Case]) -> dict[int, list[Case]]:
    """Offers by their probability."""
    bins: dict[int, list[Case]] = {}
    for offer in offers:
        bins.setdefault(min(BINS - 1, int(offer["probability"] * BINS)), []).append(offer)
    return bins


def page(corpus: list[Case], second: list[Case], third: list[Case], fourth: list[Case], fifth: list[Case]) -> str:
    """The whole page."""
    columns = {
        "corpus": corpus,
        "later kinds, A": [case for case in second if half(case) == "A"],
        "later kinds, B": [case for case in second if half(case) == "B"],
        "other hand, seen": [case for case in third if case["kind"] not in HELD_BACK],
        "other hand, held back": [case for case in third if case["kind"] in HELD_BACK],
        "strangers, A": [case for case in fourth if case["kind"] not in held_back()],
        "strangers, B": [case for case in fourth if case["kind"] in held_back()],
        "other strangers, A": [case for case in fifth if case["kind"] not in held_back()],
        "other strangers, B": [case for case in fifth if case["kind"] in held_back()],
    }
    rows = (
        *("cases", "first answer true", "one of the first three true", "restored by the first, where that is possible"),
        *("restored by one of three", "offers of 90 % and more: true", "expected calibration error of first offers"),
        *("none of the first three true: what is said", "none of the first three true: what is so"),
        *("first offers of 50 % and more that cost sound values", "whole values shown as opened"),
        "whole values shown once the doctor has looked",
    )
    told = [figures(cases) for cases in columns.values()]
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    lines += [f"| {row} | {' | '.join(each[k] for each in told)} |" for k, row in enumerate(rows)]
    lines += ["", "## Reliability", "", "First offers by what they say, and how many of them are true.", ""]
    lines += [f"| probability | {' | '.join(f'{name}: offers | true' for name in columns)} |"]
    lines += [f"|---|{'--:|--:|' * len(columns)}"]
    bins = [binned([case["offers"][0] for case in cases if case["offers"]]) for cases in columns.values()]
    for k in range(BINS):
        cells = [(str(len(some.get(k, []))), share([each["true"] for each in some.get(k, [])])) for some in bins]
        lines.append(f"| {10 * k} to {10 * k + 10} % | {' | '.join(f'{n} | {true}' for n, true in cells)} |")
    return TEXT + "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    cases = [json.loads(Path(name).read_text(encoding="utf-8"))["cases"] for name in sys.argv[1:6]]
    PAGE.write_text(page(*cases), encoding="utf-8")


if __name__ == "__main__":
    main()
