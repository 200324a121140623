"""Rows of numbers and pages of metrics as text and data; nothing is computed here."""
