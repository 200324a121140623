"""trec_eval: ties are in descending order of document ids; scores are compared as float32."""

from steelyard.presets import Preset, ToolDifference

PRESET = Preset(
    family_parameters={"ranking": {"ties": "trec", "empty": 0}},
    parameters={"rbp": {"p": 0.9}},
    score_type="float32",
    metrics={
        "map": "map, map_cut",
        "ndcg": "ndcg, ndcg_cut",
        "precision_at_k": "P",
        "recall_at_k": "recall",
        "hit_rate": "success",
        "mrr": "recip_rank",
        "r_precision": "Rprec",
        "rbp": "rbp",
    },
    differs={
        # It shows where the mean is a half in the fifth digit: two P_200 in 73,100 values.
        ("score", "precision_at_k"): ToolDifference(
            "its mean is a float sum, whose fourth digit may differ: 9/160 is 0.0562, here 0.0563"
        ),
        ("score", "rbp"): ToolDifference(
            "it adds a grade divided by the highest grade of the query, here 1 for a relevant row"
        ),
    },
)
