"""List every message of the program with a real example: what it says, where, and what a person is told to do.

    python tools/messages.py [CODE]

The examples come from the golden bytes of the tests; a code that none of them has is listed without one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import corpus  # noqa: E402

from viewer.diagnostic import Code, Diagnostic  # noqa: E402
from viewer.document.advice import advice  # noqa: E402
from viewer.document.document import Document  # noqa: E402
from viewer.document.export.findings import finding_path  # noqa: E402
from viewer.document.reading import Choice  # noqa: E402
from viewer.variant.dialect import load  # noqa: E402

Example = tuple[str, Document, Diagnostic]


def documents() -> Iterator[tuple[str, Document]]:
    """Golden bytes as documents, the broken ones first."""
    yield "empty", Document(b"")
    for engine in corpus.ENGINES:
        dialect = load(engine.dialect)
        for row in corpus.malformed(engine.folder):
            yield f"{engine} {row['id']}", Document(bytes.fromhex(row["hex"]), choice=Choice(dialect))
        for row in corpus.vectors(engine.folder):
            yield f"{engine} {row['id']}", Document(corpus.vector_bytes(row), choice=Choice(dialect))
        for saved in (*corpus.files(engine.folder), *corpus.wrapped(engine.folder)):
            if saved.path.stat().st_size < 1 << 17:
                yield str(saved), Document.open(saved.path)


def examples() -> dict[Code, Example]:
    """The first example of each code."""
    found: dict[Code, Example] = {}
    for name, document in documents():
        for diagnostic in document.diagnostics():
            found.setdefault(diagnostic.code, (name, document, diagnostic))
    return found


def main() -> None:
    """Print the list, or one code of it."""
    wanted = sys.argv[1:]
    found = examples()
    for code in Code:
        if wanted and code.slug not in wanted:
            continue
        print(f"{code.slug} ({code.severity.word})")
        example = found.get(code)
        if example is None:
            print(f"  template: {code.template}")
        else:
            name, document, diagnostic = example
            facts = ", ".join(f"{key}={value!r}" for key, value in diagnostic.facts.items())
            print(f"  says:  {diagnostic.message}")
            print(
                f"  where: 0x{diagnostic.span.start:X}..0x{diagnostic.span.end:X} {finding_path(document, diagnostic)}"
            )
            print(f"  facts: {facts or 'none'}   [{name}]")
        print(f"  to do: {advice(code)}")


if __name__ == "__main__":
    main()
