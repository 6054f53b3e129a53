"""What is given to an exporter."""

from __future__ import annotations

from typing import Any

from sparsebayes.model import PortableModel
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
