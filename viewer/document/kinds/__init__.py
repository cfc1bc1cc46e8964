"""Kinds of files that hold no stored values: named by their bytes, so that nobody mends what is not broken."""
