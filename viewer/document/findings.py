"""Findings: what is wrong with a document, or would be written otherwise by an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from viewer.base.diagnostic import Code, Diagnostic, Severity, count_bytes
from viewer.base.span import Span
from viewer.container.layer import Damage, SourceText
from viewer.document.pieces.framing import Frame, unusual
from viewer.variant.dialect import Precision

if TYPE_CHECKING:  # it holds its findings; most files are nothing but values
    from viewer.document.document import Document
    from viewer.document.pieces.message import Message
    from viewer.document.readers.file_structure import Structure


SETTINGS, JSON = "config", "json"
"""The names of the wrap that is a text of sections, and of the one whose values lie in bytes that no engine sees."""
HEAD = 4
"""Bytes of a value that tell its type."""


class Findings:
    """What is wrong with the bytes of a document as they are now; changes nothing.

    Args:
        document: whose; it calls :meth:`forget` when its bytes change.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lints: dict[int, list[Diagnostic]] = {}
        self._odd: list[int] | None = None

    def forget(self) -> None:
        """The bytes have changed: look again when asked."""
        self._lints.clear()
        self._odd = None

    @property
    def odd_frames(self) -> list[int]:
        """The frames, in order, that are not simply sound and whole: of very many all others say nothing."""
        if self._odd is None:
            frames = self._document.frames
            self._odd = [index for index in unusual(frames) if self._is_odd(frames[index])]
        return self._odd

    def _is_odd(self, frame: Frame) -> bool:
        table, cut = frame.table, frame.cut
        if table.diagnostics or table.gaps or table.guess is not None:
            return True
        payload = cut.payload
        if table.end_of_data != payload.end - payload.start:
            return True
        return cut.prefix is not None and not frame.prefix_is_true(self._document.buffer, self._document.framing)

    def all(self) -> list[Diagnostic]:
        """All findings in byte order, those about accepted oddities too."""
        for index in range(len(self._document.frames)):
            self.lints(index)
        return sorted(self.known(), key=lambda d: (d.span.start, -d.severity))

    def known(self) -> list[Diagnostic]:
        """Findings that are known without more work: all that :meth:`lints` was not yet asked for are missing."""
        found = [*self._wrap_findings(), *self.of_frames()]
        for index in sorted({*self.odd_frames, *(index for index, lints in list(self._lints.items()) if lints)}):
            frame = self._document.frames[index]
            found.extend(d.located(index, frame.start) for d in frame.table.diagnostics)
            found.extend(self._lints.get(index, ()))
        return found

    def lints(self, index: int) -> list[Diagnostic]:
        """What an engine accepts in this frame but would not write."""
        if index not in self._lints:
            frame = self._document.frames[index]
            found = (each for batch in self._slices(index, frame) for each in batch)
            self._lints[index] = self._minded(found, index, frame)
        return self._lints[index]

    def _minded(self, found: Iterable[Diagnostic], index: int, frame: Frame) -> list[Diagnostic]:
        """Findings as offsets in the layer, without what goes for builds of another precision than the writer's."""
        is_double = self._document.way.precision is Precision.DOUBLE
        kept = (each for each in found if not (is_double and each.code is Code.NARROWED))
        text = self._document.wraps.names[-1] if self._document.text is not None else ""
        if text == SETTINGS:  # of a section that is there again engines read both as one, which the text says
            parents = frame.table.parent
            kept = (each for each in kept if each.code is not Code.DUPLICATE_KEY or parents[each.node] != 0)
        elif text == JSON:
            kept = (each for each in kept if each.code is Code.DUPLICATE_KEY)
        return [each.located(index, frame.start) for each in kept]

    def _slices(self, index: int, frame: Frame) -> Iterator[list[Diagnostic]]:
        """What an engine accepts in a frame but would not write, a few at a time."""
        structure = self._document.structure
        if structure is not None and structure.resources is not None:
            from viewer.document.readers.resource_lint import lint_resource

            return lint_resource(frame.table, index, structure.resources)
        from viewer.variant.lint.lint import slices

        return slices(frame.table)

    def lint_steps(self) -> Iterator[None]:
        """Do the work of :meth:`lints` for all frames, pausing now and then; ends when the document changes."""
        revision = self._document.revision
        for index, frame in enumerate(self._document.frames):
            found: list[Diagnostic] = []
            for batch in self._slices(index, frame) if index not in self._lints else ():
                found += self._minded(batch, index, self._document.frames[index])
                yield
                if self._document.revision != revision:
                    return
            self._lints.setdefault(index, found)

    def of_frames(self) -> list[Diagnostic]:
        """Findings about frames: prefixes that lie, bytes behind a value, bytes between frames."""
        document = self._document
        if not document.buffer and document.wraps.around and document.wraps.blocked is None:
            return []  # an engine that compresses or encrypts nothing writes the wrap alone
        if not document.buffer:
            return [Diagnostic(Code.EMPTY_FILE, Span(0, 0))]
        if document.task is not None or document.wraps.blocked is not None:
            return []
        if document.message is not None:
            return self._packet_findings(document.message)
        if document.structure is not None:
            return self._structure_findings(document.structure)
        if not document.frames and document.wraps.text is not None:
            return []  # why nothing of the text can be read is said of the text
        if not document.frames:
            facts = {"dialect": document.way.dialect.name, "reason": _why_none(len(document.buffer))}
            return [Diagnostic(Code.NO_VALUE, Span(0, min(4, len(document.buffer))), facts=facts)]
        found = [Diagnostic(Code.FOREIGN_BYTES, gap, facts={"count": count_bytes(len(gap))}) for gap in document.gaps]
        for index in self.odd_frames:
            frame = document.frames[index]
            found.extend(self._prefix_findings(index, frame))
            gap = frame.gap
            if gap is not None and frame.sound:
                facts = {"count": count_bytes(len(gap))}
                found.append(Diagnostic(Code.TRAILING_BYTES, gap, 0, "", facts, index))
        return found

    def _packet_findings(self, message: Message) -> list[Diagnostic]:
        """What is wrong with a packet, where its values do not say so themselves."""
        told = {finding.severity for frame in self._document.frames for finding in frame.table.diagnostics}
        code = {Severity.ERROR: Code.PACKET_REFUSED, Severity.WARNING: Code.PACKET_ODD}.get(
            message.severity or Severity.NOTE
        )
        if code is None or code.severity in told:
            return []
        unread = next((piece for piece in self._document.fields if piece.is_unread), None)
        span = unread.span if unread is not None else Span(0, len(self._document.buffer))
        return [Diagnostic(code, span, facts={"sentence": message.sentence})]

    def _structure_findings(self, structure: Structure) -> list[Diagnostic]:
        """What is wrong with a file outside its values, and bytes of it that nothing names."""
        found = list(structure.findings)
        for piece in self._document.fields:
            if piece.is_opaque:
                found.append(Diagnostic(Code.FOREIGN_BYTES, piece.span, facts={"count": count_bytes(len(piece.span))}))
        for index in self.odd_frames:
            frame = self._document.frames[index]
            found.extend(self._prefix_findings(index, frame))
            gap = frame.gap
            if gap is not None and frame.sound:
                found.append(Diagnostic(Code.TRAILING_BYTES, gap, 0, "", {"count": count_bytes(len(gap))}, index))
        return found

    def _wrap_findings(self) -> list[Diagnostic]:
        """What is wrong with the wraps, at the bytes inside that it concerns."""
        whole = Span(0, len(self._document.buffer))
        text = self._document.text
        found = [] if text is None else self._text_findings(text)
        for wrap, damage in self._document.wraps.damages:
            if wrap.form is self._document.wraps.text:
                continue
            inner = wrap is self._document.wraps.around[-1] and damage.inside is not None
            span = damage.inside if inner and damage.inside is not None and damage.inside.end <= whole.end else whole
            facts = {"wrap": wrap.form.label, "damage": damage.sentence}
            found.append(Diagnostic(Code.WRAP_DAMAGED, span, facts=facts))
        for wrap in self._document.wraps.around:
            sentence = getattr(wrap.form, "note", "")
            if sentence:
                found.append(Diagnostic(Code.WRAP_NOTE, Span(0, min(HEAD, whole.end)), facts={"sentence": sentence}))
        if self._document.wraps.blocked is not None:
            facts = {"reason": str(self._document.wraps.blocked)}
            found.append(Diagnostic(Code.WRAP_CLOSED, Span(0, min(4, whole.end)), facts=facts))
        return found

    def _text_findings(self, text: SourceText) -> list[Diagnostic]:
        """What is wrong with the text that the values were read from, and what is worth knowing of it."""
        found = [self._in_text(Code.TEXT_NOTE, text, note) for note in text.notes]
        found += [self._in_text(Code.RESOURCE_SCRIPT, text, Damage(span, "")) for span in text.scripts]
        found += [self._in_text(Code.TEXT_BROKEN, text, damage) for damage in text.damages]
        found += [self._in_text(Code.TEXT_SLIP, text, slip) for slip in text.slips]
        if self._document.text_problem:
            facts = {"sentence": self._document.text_problem}
            found.append(Diagnostic(Code.TEXT_CANNOT, Span(0, min(HEAD, len(self._document.buffer))), facts=facts))
        return found

    def shown(self, found: Diagnostic) -> Span:
        """Where a finding is in what a person looks at: the bytes, or the text that the values were read from."""
        return self.place_in_text(found) or self._document.place(found.span)

    @staticmethod
    def place_in_text(found: Diagnostic) -> Span | None:
        """Where in its text a finding is that is about the text, None for all others."""
        start, end = found.facts.get("text_start"), found.facts.get("text_end")
        return Span(start, end) if isinstance(start, int) and isinstance(end, int) else None

    def _in_text(self, code: Code, text: SourceText, damage: Damage) -> Diagnostic:
        """Something about the text that the values were read from, at the head of the value around it."""
        start = text.inside_of(damage.span.start) if damage.inside is None else damage.inside.start
        end = min(start + HEAD, len(self._document.buffer))
        facts = {"sentence": damage.sentence, "text_start": damage.span.start, "text_end": damage.span.end}
        return Diagnostic(code, Span(min(start, end), end), facts=facts)

    def _prefix_findings(self, index: int, frame: Frame) -> list[Diagnostic]:
        prefix = frame.cut.prefix
        if prefix is None or frame.prefix_is_true(self._document.buffer, self._document.framing):
            return []
        order = "big" if self._document.framing.big_endian else "little"
        length = int.from_bytes(self._document.buffer[prefix.start : prefix.end], order)  # type: ignore[arg-type]
        facts = {"length": count_bytes(length), "available": count_bytes(len(frame.cut.payload))}
        code = Code.PREFIX_TOO_LONG if length > len(frame.cut.payload) else Code.PREFIX_TOO_SHORT
        return [Diagnostic(code, prefix, -1, "prefix", facts, index)]


def _why_none(size: int) -> str:
    """Why so many bytes hold no value."""
    if size < 4:
        return f"a header takes 4 bytes, and here {'is' if size == 1 else 'are'} {count_bytes(size)}"
    return "what is here is neither the length of a value nor a header"


def next_finding(
    found: Sequence[Diagnostic], offset: int, direction: int, place: Callable[[Diagnostic], Span]
) -> Diagnostic:
    """The next (1) or previous (-1) of some findings in the order of their places, seen from a byte, around the end."""
    if direction > 0:
        return next((finding for finding in found if place(finding).start > offset), found[0])
    return next((finding for finding in reversed(found) if place(finding).start < offset), found[-1])
