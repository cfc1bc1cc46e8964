"""What the bytes of a document are cut into: frames with their tables, and fields with their words."""
