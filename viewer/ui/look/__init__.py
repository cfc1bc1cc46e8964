"""The look: colours, fonts, icons, chips, and what colours the application."""
