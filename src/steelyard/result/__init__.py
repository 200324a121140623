"""What users get: `Result`, the columns it is made of, and values of more than one number."""
