"""Edits: what a person wants done to values or bytes, as splices with every fix-up."""
