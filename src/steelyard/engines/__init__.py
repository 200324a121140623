"""Who runs a job: an engine scans a source, and exchanges rows by key into ranges to fold."""
