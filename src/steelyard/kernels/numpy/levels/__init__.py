"""Kernels of probability levels; the grid that most of them use is in `grid`."""
