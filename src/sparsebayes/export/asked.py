"""What an export gives of a model: outputs of its graph, with or without error bars."""

from __future__ import annotations

from sparsebayes.model import NotPortableError
from sparsebayes.model.graph import Node, of_error_bars

NO_CLASS = (
    "the most probable class of this model depends on the error bars of its latent values, as that "
    "of one class against the rest, of classes in an order, and of averages over uncertain latent "
    "values does, so std=False leaves nothing to write. Use std=True, or a model of two classes, "
    'or multi_class="softmax" with inference="projection".'
)


def asked(nodes: dict[str, Node], std: bool) -> dict[str, Node]:
    """All outputs; without error bars those that do not depend on them, and the mean of counts."""
    if std:
        return nodes
    if "class" in nodes and of_error_bars(nodes["class"]):
        raise NotPortableError(NO_CLASS)
    left_out = {"std", "novelty"}
    left_out |= (
        {"probability"} if "class" in nodes and of_error_bars(nodes["probability"]) else set()
    )
    return {name: node for name, node in nodes.items() if name not in left_out}
