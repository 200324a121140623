"""LightGBM: ties keep the order of rows; without a relevant row, or with one class, it shows 1."""

from steelyard.presets import Preset, ToolDifference

CLIPPED = ToolDifference(
    "it clips probabilities at 1e-15, as clip=1e-15 does; here a sure mistake has no value"
)

PRESET = Preset(
    parameters={
        "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1},
        "map": {"denominator": "min", "ties": "stable", "empty": 1},
    },
    undefined={"auc": 1.0, "ap": 1.0},
    metrics={
        "ndcg": "ndcg",
        "map": "map",
        "auc": "auc, auc_mu",
        "ap": "average_precision",
        "logloss": "binary_logloss, multi_logloss",
        "accuracy": "binary_error, multi_error",
        "mae": "l1",
        "mse": "l2",
        "rmse": "rmse",
        "mape": "mape",
    },
    differs={
        ("score", "ndcg"): ToolDifference(
            "of weighted queries, one without a relevant row adds 1, here its weight",
            unless={"group_weight": "equal"},
        ),
        ("score", "logloss"): CLIPPED,
        ("prediction", "logloss"): CLIPPED,
        ("score", "accuracy"): ToolDifference(
            "binary_error is 1 − accuracy, and it calls a row at the threshold negative"
        ),
        ("prediction", "accuracy"): ToolDifference(
            "multi_error is 1 − accuracy, and a tie at the top is an error, here its first class "
            "is called"
        ),
        ("prediction", "auc"): ToolDifference(
            "of many classes it has auc_mu, here each class is compared with the rest"
        ),
        ("prediction", "mape"): ToolDifference("it divides by at least 1, here by the truth"),
    },
)
