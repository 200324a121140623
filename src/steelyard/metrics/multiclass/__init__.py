"""Metrics of many classes, of labels predicted or of scores: one file a metric."""
