"""The doctor in the window: suggested repairs, what engines do, explanations, shrinking, reports. Loaded when needed."""
