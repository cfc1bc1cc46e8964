"""Inside a value: byte arrays and texts whose content is values again, opened as documents of their own."""
