"""Ratios side by side in one run: `make bench`. Not a test: machines are shared and noisy."""
