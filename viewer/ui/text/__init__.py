"""The text view: a file that is text, line by line, over the same bytes as the hex view."""
