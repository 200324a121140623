"""Calls as in scikit-learn: keywords and results of its functions that have other forms here."""
