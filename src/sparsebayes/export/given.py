"""What is given to an exporter, and what it gives: a plain model, and outputs of its graph."""

from __future__ import annotations

from typing import Any

from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.graph import Node, of_error_bars
from sparsebayes.model.latent import Plain


def plain_model(model: Any) -> PortableModel:
    """The plain form of a fitted estimator, or of what `sparsebayes.load` gives."""
    if hasattr(model, "to_portable"):
        return model.to_portable()
    if hasattr(model, "steps"):
        raise TypeError(
            "model is a Pipeline, of which only `to_onnx` can write all steps. Pass its last step, "
            "pipeline[-1], which takes the inputs that the steps before it make."
        )
    raise TypeError(
        "model must be a fitted RVR, RVC, SparseBayesRegressor or SparseBayesClassifier, or what "
        f"sparsebayes.load gives; got {type(model).__name__}."
    )


def plains_of(model: PortableModel) -> tuple[Plain, ...]:
    """What gives the latent values of targets; and of their noise, where that is a model too."""
    noise = getattr(model.response, "noise", None)
    return (model.plain,) if noise is None else (model.plain, noise)


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
