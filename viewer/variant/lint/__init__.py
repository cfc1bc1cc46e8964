"""What an engine accepts silently but would not write."""

from viewer.variant.lint.lint import lint, slices

__all__ = ["lint", "slices"]
