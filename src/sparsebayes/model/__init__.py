"""A fitted model as plain arrays: it predicts with NumPy alone, and goes into files and exports.

A plain model has three parts, as a `Predictor` has:

- `Plain`: columns, the mean of their weights and their `Spread`, which give latent values;
- a response: how latent values become a target;
- `Face`: what it is called, and what it takes.

Everything is in terms of eleven formulas, matrices and a few functions, all written out here. So
this is also what exporters translate: what they make is right if it says what these say. Nothing
here imports anything but NumPy, which makes `sparsebayes.load` quick.
"""

from sparsebayes.model.classifier import PortableClassifier
from sparsebayes.model.errors import ModelFileError, NotPortableError
from sparsebayes.model.files import load
from sparsebayes.model.models import PortableModel
from sparsebayes.model.regressor import PortableRegressor

__all__ = [
    "ModelFileError",
    "NotPortableError",
    "PortableClassifier",
    "PortableModel",
    "PortableRegressor",
    "load",
]
