"""Readers: what cuts a file that is no row of values into fields and values. The next kind of file is a module here."""
