"""What trials from outside found, in the order of their list; each test failed before the fix.

A line of the list is a section: `test_07_...` belongs to section 7. These tests are examples that
a reader can check by hand; laws and oracles of the same behaviour are in the other packages.

1 to 11: `test_wrong_or_lost`; 12 to 18: `test_crashes_and_leaks`; 19 to 25: `test_expectations`.
"""
