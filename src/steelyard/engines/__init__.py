"""Who runs a job: an engine scans a source, exchanges what it keeps by key, and folds ranges."""
