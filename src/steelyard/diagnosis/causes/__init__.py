"""What explains a change: repeated rows, mix, slices, a time."""
