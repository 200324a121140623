"""The bytes of the keys of clusters, in their order."""

import numpy as np

from steelyard.model import Array
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.grouping import Dictionary, RowKeys
from steelyard.sources.text_keys import TextKeys
from steelyard.states.key_bytes import key_sections, restored_texts, restored_whole

NAME = "cluster.keys"


def cluster_sections(clusters: ClusterNumbers) -> dict[str, Array]:
    """The arrays of the keys."""
    order = clusters.order()
    if clusters.texts is not None:
        return key_sections(NAME, order, TextKeys.of(clusters.texts))
    return key_sections(NAME, clusters.whole[order], None)


def restored_clusters(rest: dict[str, Array]) -> ClusterNumbers:
    """The clusters of the arrays, numbered in order; the arrays are taken out of `rest`."""
    clusters, is_text = ClusterNumbers(), NAME not in rest
    if is_text:
        dictionary = Dictionary()
        keys = RowKeys(dictionary.add(restored_texts(NAME, rest)), dictionary)
    else:
        keys = RowKeys(restored_whole(NAME, rest))
    if not np.array_equal(clusters.number(keys).codes, np.arange(len(keys.values))):
        raise ValueError("clusters out of order")
    return clusters
