"""XGBoost: lists are cut at rank 32 unless specified, and all numbers are float32.

A list without a relevant row is perfect, except in precision.
"""

from steelyard.presets import Preset

PRESET = Preset(
    parameters={
        "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1, "k": 32},
        "map": {"denominator": "min", "ties": "stable", "empty": 1, "k": 32},
        "precision_at_k": {"denominator": "min", "ties": "stable", "empty": 0},
    },
    score_type="float32",
)
