"""One file per command: its record `command`, found by the file's name."""
