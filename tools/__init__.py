"""Programs that write generated files of this repository; they are not installed."""
