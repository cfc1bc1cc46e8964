"""The ways in which bytes are damaged: one function for each cause, one file for each kind."""
