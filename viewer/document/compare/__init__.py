"""What changed between two documents, told by values and not by bytes."""
