"""LightGBM: ties go by row, and what has no relevant row or one class only counts as perfect."""

from steelyard.presets import Preset

PRESET = Preset(
    parameters={
        "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1},
        "map": {"denominator": "min", "ties": "stable", "empty": 1},
    },
    undefined={"auc": 1.0},
)
