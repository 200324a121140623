"""What metrics see of a finished state: one range of its keys at a time, with every slice in it.

view_of.py                     the view of a state
sums.py, classes.py            sums, and the cells of classes
extremes.py                    extremes
scores.py, ranges.py, totals.py, row_curves.py, curve.py, class_scores.py
                               the score table: its ranges, totals, curves and areas
levels/                        the score table as probabilities, for calibration
part_columns.py, digit_column.py
                               columns of parts: lists of slices, exact numbers as digits
groups.py, group_rows.py, lists.py
                               groups: their rows, areas and ranked lists
pairs.py                       pairs: rank statistics
"""
