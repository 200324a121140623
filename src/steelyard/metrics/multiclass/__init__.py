"""Metrics of many classes, from predicted classes or from one score per class."""
