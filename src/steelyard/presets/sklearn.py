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
)
