"""Is a score better than another, or a log than the one before: for whom, and how sure is that?"""
