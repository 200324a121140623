"""What each slice adds to a change, as exact fractions."""
