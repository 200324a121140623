"""The report: one HTML page that shows a result, with all it needs in the one file."""
