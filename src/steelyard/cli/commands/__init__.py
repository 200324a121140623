"""One file a command: its record `command`, found by the file's name."""
