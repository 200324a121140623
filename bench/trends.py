"""How often a trend without a change is called one, and how often a change is found.

`python -m bench.trends` prints the table of docs/decisions/0023-diagnosis.md: the test of
`log_cuts.best_cut` for many trends of normal values at once.
"""

import numpy as np

from steelyard.model import Floats, Mask
from steelyard.stats.student import t_two_sided

TRENDS = 40_000
LEVEL = 0.05


def called(values: Floats) -> Mask:
    """Which trends, one in each row, are called a change."""
    logs = values.shape[1]
    sums, earlier = np.cumsum(values, axis=1), np.arange(1, logs)
    gaps = (sums[:, -1:] - sums[:, :-1]) / (logs - earlier) - sums[:, :-1] / earlier
    cuts = gaps**2 * earlier * (logs - earlier) / logs
    times = np.arange(logs) - (logs - 1) / 2
    line = (values @ times) ** 2 / (times @ times)
    explained = np.maximum(cuts.max(axis=1), line)
    rest = ((values - values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) - explained
    t = np.sqrt(explained * (logs - 2) / rest)
    found: Mask = t_two_sided(t, np.full(len(t), logs - 2.0)) * logs <= LEVEL
    return found


def main() -> None:
    print("logs  no change  last log 6 SD off  drift of 6 SD  step of 3 SD")
    for logs in (6, 8, 10, 14, 20, 30):
        noise = np.random.default_rng(logs).standard_normal((TRENDS, logs))
        places = np.arange(logs)
        changes = (0, 6 * (places == logs - 1), 6 * places / (logs - 1), 3 * (places >= logs // 2))
        shares = [f"{called(noise + change).mean():.1%}" for change in changes]
        print(f"{logs:4}  {shares[0]:>9}  {shares[1]:>17}  {shares[2]:>13}  {shares[3]:>12}")


if __name__ == "__main__":
    main()
