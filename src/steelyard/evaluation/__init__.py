"""The values of a job as columns; states that users save and merge."""
