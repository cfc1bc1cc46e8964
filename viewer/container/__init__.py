"""Outer wraps, bytes to bytes. Knows no Variant."""
