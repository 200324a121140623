"""trec_eval: ties are in descending order of document ids; scores are compared as float32."""

from steelyard.presets import Preset

PRESET = Preset(
    family_parameters={"ranking": {"ties": "trec", "empty": 0}},
    parameters={"rbp": {"p": 0.9}},
    score_type="float32",
)
