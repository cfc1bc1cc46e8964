"""Saves as text: read to stored values with a map of where each one stands, written again with nothing else changed."""
