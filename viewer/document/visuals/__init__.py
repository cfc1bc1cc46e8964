"""What values look like: pictures, plots and colours as facts; no Qt."""
