"""One source of truth: layers, frames, tables, edits. No Qt."""
