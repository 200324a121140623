"""What metrics see of a finished state: one range of its keys at a time, every slice in it."""
