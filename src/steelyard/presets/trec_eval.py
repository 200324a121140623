"""trec_eval: ties are in descending order of document ids; scores are compared as float32."""

from steelyard.presets import Preset

RANKING = (
    *("cg", "dcg", "ndcg", "map", "mrr", "hit_rate", "r_precision", "err", "rbp"),
    *("precision_at_k", "recall_at_k", "f1_at_k"),
)

PRESET = Preset(
    parameters={name: {"ties": "trec", "empty": 0} for name in RANKING}
    | {"rbp": {"ties": "trec", "empty": 0, "p": 0.9}},
    score_type="float32",
)
