"""Metrics of real numbers: how far predictions are from the truth, and how well they order it."""
