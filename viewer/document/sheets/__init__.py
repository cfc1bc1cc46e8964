"""Sheets: values that are alike as rows and columns, as a spreadsheet shows them; no Qt."""
