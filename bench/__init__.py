"""Measured ratios of time and memory: `make bench`. Not tests: machines are shared and noisy."""
