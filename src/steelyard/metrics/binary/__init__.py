"""Counts at a threshold: score >= threshold is called positive."""
