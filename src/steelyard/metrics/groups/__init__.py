"""Means of a metric over groups of rows: one file a metric."""
