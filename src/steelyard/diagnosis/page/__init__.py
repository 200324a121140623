"""The page of a diagnosis: its lines, its verdict, and how both are written."""
