"""LightGBM: ties keep the order of rows; without a relevant row, or with one class, it shows 1."""

from steelyard.presets import Preset

PRESET = Preset(
    parameters={
        "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1},
        "map": {"denominator": "min", "ties": "stable", "empty": 1},
    },
    undefined={"auc": 1.0},
)
