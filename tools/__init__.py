"""What makes files of this repository; nothing of it is installed."""
