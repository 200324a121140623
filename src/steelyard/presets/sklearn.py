"""scikit-learn: zero_division="warn" shows 0.0; probabilities are clipped for logarithms."""

from steelyard.presets import Preset, ToolDifference

NO_SHARES = ToolDifference(
    "it shows 0 as the shares of a class without rows, here NaN", unless={"normalize": None}
)

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
    metrics={
        "accuracy": "accuracy_score",
        "ap": "average_precision_score",
        "auc": "roc_auc_score",
        "balanced_accuracy": "balanced_accuracy_score",
        "brier": "brier_score_loss",
        "class_report": "classification_report",
        "confusion": "confusion_matrix",
        "dcg": "dcg_score",
        "f1": "f1_score",
        "fbeta": "fbeta_score",
        "kappa": "cohen_kappa_score",
        "logloss": "log_loss",
        "mae": "mean_absolute_error",
        "mape": "mean_absolute_percentage_error",
        "max_error": "max_error",
        "mcc": "matthews_corrcoef",
        "median_ae": "median_absolute_error",
        "mse": "mean_squared_error",
        "ndcg": "ndcg_score",
        "partial_auc": "roc_auc_score(max_fpr=)",
        "pinball": "mean_pinball_loss",
        "poisson_deviance": "mean_poisson_deviance",
        "pr": "precision_recall_curve",
        "precision": "precision_score",
        "r2": "r2_score",
        "recall": "recall_score",
        "rmse": "root_mean_squared_error",
        "rmsle": "root_mean_squared_log_error",
        "roc": "roc_curve",
        "top_k_accuracy": "top_k_accuracy_score",
    },
    differs={
        ("prediction", "mape"): ToolDifference(
            "where a truth is 0 it divides by 2.2e-16, here there is no value"
        ),
        ("score", "balanced_accuracy"): ToolDifference(
            "of one class it is the recall of that class, here there is no value"
        ),
        ("score", "class_report"): ToolDifference(
            "it leaves out a class that neither occurs nor is called, here its 0 is in the means"
        ),
        ("score", "confusion"): NO_SHARES,
        ("prediction", "confusion"): NO_SHARES,
        ("prediction", "top_k_accuracy"): ToolDifference(
            "it ranks tied classes by their order, here each order counts alike"
        ),
        ("prediction", "auc"): ToolDifference(
            "of many classes it has no value if one is absent, here that class is left out"
        ),
    },
)
