"""Explain: what any byte of a document is, how it is laid out, what engines do with it, and how that is known."""

from viewer.document.explain.explain import explain, explain_file
from viewer.document.explain.page import Note, Page, PageRow, Section

__all__ = ["Note", "Page", "PageRow", "Section", "explain", "explain_file"]
