"""Resources and scenes in the other one of their two forms: binary and text."""
