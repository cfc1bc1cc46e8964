"""The hex view."""
