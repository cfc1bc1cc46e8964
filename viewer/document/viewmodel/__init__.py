"""What rows, cards and panels say about a document, in words and numbers."""
