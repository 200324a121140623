"""scikit-learn: zero_division="warn" shows 0.0; probabilities are clipped for logarithms."""

from steelyard.presets import Preset

PRESET = Preset(
    parameters={
        # roc_auc_score(max_fpr=) is McClish's standardized area.
        "partial_auc": {"standardize": True},
        # For many classes; the metrics at a threshold have no such parameter.
        **{name: {"zero_division": 0} for name in ("precision", "recall", "f1", "fbeta")},
        "class_report": {"zero_division": 0},
        # Every row with a gain is relevant: rel is the smallest float above zero.
        "dcg": {"rel": 5e-324, "empty": 0},
        "ndcg": {"rel": 5e-324, "empty": 0},
    },
    undefined=dict.fromkeys(("precision", "recall", "f1", "fbeta", "mcc", "ap"), 0.0),
    clips=True,
    differs={
        ("prediction", "mape"): "where a truth is 0 it divides by 2.2e-16, here there is no value",
        (
            "score",
            "balanced_accuracy",
        ): "of one class it is the recall of that class, here there is no value",
        (
            "prediction",
            "top_k_accuracy",
        ): "it ranks tied classes by their order, here each order counts alike",
        (
            "prediction",
            "auc",
        ): "of many classes it has no value if one is absent, here that class is left out",
    },
)
