"""What trials from outside found, in the order of their list; each test failed before the fix.

A line of the list is a section: `test_07_...` belongs to section 7. These tests are examples that
a reader can check by hand; laws and oracles of the same behaviour are in the other packages.
"""

# ==== Wrong or lost without a word ==============================================================

# ---- 1. Several scores are compared on common rows ---------------------------------------------

# (end of 1)

# ---- 2. A column name means one column ---------------------------------------------------------

# (end of 2)

# ---- 3. Predicted classes: integers, booleans and text are classes, floats are scores ----------

# (end of 3)

# ---- 4. Options and values that were accepted and not used -------------------------------------

# (end of 4)

# ---- 5. The calibration intercept where the likelihood is flat ---------------------------------

# (end of 5)

# ---- 6. A reloaded tally keeps every detail ----------------------------------------------------

# (end of 6)

# ---- 7. A key has one spelling, whatever the source --------------------------------------------

# (end of 7)

# ---- 8. A glob or a folder reads all that it names ---------------------------------------------

# (end of 8)

# ---- 9. Whole numbers stay whole ---------------------------------------------------------------

# (end of 9)

# ---- 10. Damaged files are refused -------------------------------------------------------------

# (end of 10)

# ---- 11. The oldest allowed dependencies -------------------------------------------------------

# (end of 11)

# ==== Crashes, hangs, and what leaks ============================================================

# ---- 12. Input that ended in a bare exception --------------------------------------------------

# (end of 12)

# ---- 13. Forks and pickles ---------------------------------------------------------------------

# (end of 13)

# ---- 14. Nothing hangs, nothing takes forever --------------------------------------------------

# (end of 14)

# ---- 15. The user's text: no terminal escapes, no rewriting ------------------------------------

# (end of 15)

# ---- 16. What SQL may read ---------------------------------------------------------------------

# (end of 16)

# ---- 17. What memory bounds --------------------------------------------------------------------

# (end of 17)

# ---- 18. What is shipped: the source distribution and the type stub ----------------------------

# (end of 18)

# ==== What people expect ========================================================================

# ---- 19. Tables that fit -----------------------------------------------------------------------

# (end of 19)

# ---- 20. Shapes: confusion tables, curves, thresholds ------------------------------------------

# (end of 20)

# ---- 21. Names of metrics ----------------------------------------------------------------------

# (end of 21)

# ---- 22. Input that people have ----------------------------------------------------------------

# (end of 22)

# ---- 23. Messages ------------------------------------------------------------------------------

# (end of 23)

# ---- 24. What a preset covers ------------------------------------------------------------------

# (end of 24)

# ---- 25. Coming from another tool --------------------------------------------------------------

# (end of 25)
