"""The look: colours, fonts, icons, chips, and who dresses the application."""
