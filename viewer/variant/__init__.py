"""The format: bytes and tables. No Qt, no files, no wraps."""
