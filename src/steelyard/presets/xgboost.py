"""XGBoost: lists are cut at rank 32 unless specified, and all numbers are float32.

A list without a relevant row is perfect, except in precision. The AUC of many classes is weighted.
"""

from steelyard.presets import Preset, ToolDifference

CLIPPED = ToolDifference("it clips probabilities at 1e-16, here a sure mistake has no value")

PRESET = Preset(
    parameters={
        "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1, "k": 32},
        "map": {"denominator": "min", "ties": "stable", "empty": 1, "k": 32},
        "precision_at_k": {"denominator": "min", "ties": "stable", "empty": 0},
        "auc": {"average": "weighted"},  # of many classes; that of two has no such parameter
    },
    score_type="float32",
    metrics={
        "ndcg": "ndcg",
        "map": "map",
        "precision_at_k": "pre",
        "auc": "auc",
        "ap": "aucpr",
        "logloss": "logloss, mlogloss",
        "accuracy": "error, merror",
        "mae": "mae",
        "rmse": "rmse",
        "mape": "mape",
    },
    differs={
        ("score", "ndcg"): ToolDifference(
            "of weighted queries, one without a relevant row adds 1, here its weight",
            unless={"group_weight": "equal"},
        ),
        ("score", "auc"): ToolDifference(
            "of a ranking it compares rows within their queries, here all rows"
        ),
        ("score", "ap"): ToolDifference(
            "aucpr interpolates between the points of the curve, here precision is a step"
        ),
        ("score", "logloss"): CLIPPED,
        ("prediction", "logloss"): CLIPPED,
        ("score", "accuracy"): ToolDifference(
            "error is 1 − accuracy, and it calls a row at the threshold negative"
        ),
        ("prediction", "accuracy"): ToolDifference("merror is 1 − accuracy"),
        ("prediction", "mape"): ToolDifference(
            "where a truth is 0 it is infinite, here there is no value"
        ),
    },
)
