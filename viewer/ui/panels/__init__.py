"""Everything around tree and bytes: inspector, problems, path bar, search, status, empty state."""
