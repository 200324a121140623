"""Pictures: what each shows (one file per kind), and how it is drawn (matplotlib, SVG)."""
