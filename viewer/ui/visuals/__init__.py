"""Pictures, plots and colours of values, shown."""
