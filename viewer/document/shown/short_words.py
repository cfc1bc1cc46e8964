"""Errors in a few words, for the value column of a tree row; the tooltip and the problem list have the sentence."""

from __future__ import annotations

from viewer.diagnostic import Code, Diagnostic
from viewer.document.shown.counts import grouped_in

SHORT = {
    Code.HEADER_MISSING: "no header, only {available} left",
    Code.CHILD_MISSING: "{promised} promised, {present} there",
    Code.UNKNOWN_TYPE: "type {number} does not exist",
    Code.FLAGS_REFUSED: "header {header} is refused",
    Code.PAYLOAD_TRUNCATED: "needs {expected}, only {available} left",
    Code.LENGTH_TOO_LONG: "length {length}, only {available} left",
    Code.PADDING_MISSING: "{expected} of fill, only {available} left",
    Code.LENGTH_NEGATIVE: "length {length}",
    Code.COUNT_TOO_LARGE: "{count} elements, only {available} left",
    Code.COUNT_NEGATIVE: "count {count}",
    Code.OLD_NODE_PATH: "path in the old form",
    Code.IMAGE_FORMAT: "image format {format} does not exist",
    Code.CLASS_NAME_EXPECTED: "no class name, but type {number}",
    Code.BAD_UTF8: "byte {byte} is not UTF-8",
    Code.ELEMENT_TYPE: "element type {number} does not exist",
    Code.TOO_DEEP: "{depth} levels deep, {limit} allowed",
    Code.ENGINE_REFUSES: "refused by {dialect} itself",
    Code.SCRIPT_PATH: "no script path: {found}",
    Code.PREFIX_TOO_LONG: "length {length}, only {available} there",
    Code.PREFIX_TOO_SHORT: "length {length}, {available} there",
    Code.PREFIX_TRUNCATED: "length cut off, {available} left",
}
FATAL = {
    Code.HEADER_MISSING,
    Code.UNKNOWN_TYPE,
    Code.FLAGS_REFUSED,
    Code.PAYLOAD_TRUNCATED,
    Code.LENGTH_TOO_LONG,
    Code.PADDING_MISSING,
    Code.LENGTH_NEGATIVE,
    Code.COUNT_TOO_LARGE,
    Code.COUNT_NEGATIVE,
    Code.OLD_NODE_PATH,
    Code.IMAGE_FORMAT,
    Code.CLASS_NAME_EXPECTED,
    Code.BAD_UTF8,
    Code.ELEMENT_TYPE,
    Code.PREFIX_TRUNCATED,
}
"""After these there is no value to show in the row: the words stand in its place."""


def short_words(finding: Diagnostic) -> str:
    """A finding in a few words."""
    template = SHORT.get(finding.code)
    if template is None:
        return grouped_in(finding.message.partition(":")[0].removesuffix("."))
    length = str(finding.facts.get("length", "")).removesuffix(" bytes")
    return grouped_in(template.format_map({**finding.facts, "length": length}))
