"""What is measured: one module a subject, each with a table of its rows."""
