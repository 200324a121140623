"""Metrics of ranked lists, averaged over groups: one file a metric."""
