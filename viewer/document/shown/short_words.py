"""Errors in a few words, for the value column of a tree row; the tooltip and the problem list have the sentence."""

from __future__ import annotations

from viewer.base.diagnostic import Code, Diagnostic
from viewer.document.shown.counts import grouped_in

SHORT = {
    Code.HEADER_MISSING: "no header, only {available} left",
    Code.CHILD_MISSING: "{promised} promised, {present} there",
    Code.UNKNOWN_TYPE: "type {number} does not exist",
    Code.FLAGS_REFUSED: "header {header} is refused",
    Code.PAYLOAD_TRUNCATED: "needs {expected}, only {available} left",
    Code.LENGTH_TOO_LONG: "length {length}, only {available} left",
    Code.PADDING_MISSING: "{expected} of padding, only {available} left",
    Code.LENGTH_NEGATIVE: "length {length}",
    Code.COUNT_TOO_LARGE: "{elements}, only {available} left",
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
}
"""After these there is no value to show in the row: the words stand in its place."""


def short_words(finding: Diagnostic) -> str:
    """A finding in a few words."""
    template = SHORT.get(finding.code)
    if template is None:
        first, _, rest = finding.message.partition(":")
        is_place = finding.code in (Code.PACKET_REFUSED, Code.PACKET_ODD)
        return grouped_in((rest.strip() if is_place and rest else first).removesuffix("."))
    return grouped_in(template.format_map(_facts(finding)).replace("only 0 bytes", "no bytes"))


def _facts(finding: Diagnostic) -> dict[str, object]:
    """The facts of a finding, without the words that only its sentence needs."""
    facts = dict(finding.facts)
    present = str(facts.get("present", "")).partition(" ")[0]
    promised = str(facts.get("promised", ""))
    if facts.get("parent") == "Object":
        promised = promised.replace("pairs", "properties").replace("pair", "property")
    return facts | {
        "length": str(facts.get("length", "")).removesuffix(" bytes").removesuffix(" byte"),
        "present": "none" if present == "0" else present,
        "promised": promised,
        "elements": "1 element" if facts.get("count") == 1 else f"{facts.get('count')} elements",
    }
