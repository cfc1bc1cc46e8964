"""A document for other programs and the terminal: JSON and back, text, findings."""
