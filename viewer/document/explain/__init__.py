"""Explain: what any byte of a document is, how it is laid out, what engines do with it, and how that is known."""

from viewer.document.explain.explain import Note, Page, PageRow, Section, explain, explain_file

__all__ = ["Note", "Page", "PageRow", "Section", "explain", "explain_file"]
