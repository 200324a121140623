"""Calibration and ads: whether probabilities come true, and what they cost where they do not."""
