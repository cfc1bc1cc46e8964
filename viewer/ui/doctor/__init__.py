"""The doctor in the window: repairs, what engines do, explanations, shrinking, reports. Loaded when it is needed."""
