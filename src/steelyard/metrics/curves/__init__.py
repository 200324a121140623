"""Curves over all thresholds, and metrics of them."""
