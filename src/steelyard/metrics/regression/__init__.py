"""Metrics of real numbers: how far predictions lie from the truth, and how well they order it."""
