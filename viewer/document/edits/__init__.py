"""Edits: what a person wants done to values or bytes, as splices with every fix-up."""

from viewer.document.edits.raw_bytes import overwrite
from viewer.document.edits.setting import EditDraft, can_set, draft, literal, set_literal, set_value
from viewer.document.edits.slots import EditError

__all__ = ["EditDraft", "EditError", "can_set", "draft", "literal", "overwrite", "set_literal", "set_value"]
