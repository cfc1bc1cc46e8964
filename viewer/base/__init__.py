"""What everything stands on: runs of bytes, findings about them, resources, and words."""
