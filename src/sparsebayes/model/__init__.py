"""A fitted model: what it says of new rows, with NumPy alone, in the estimator and in a file.

- `Plain` gives latent values f = phi'w of a row: columns, the mean of their weights and their
  `Spread`, which is that of the weights or that of a Gaussian process seen through a few rows;
- a response says how latent values become a target: one class for each target (`responses`);
- `Predictor` joins the two, and answers in blocks of rows; columns are evaluated once for each row;
- `PortableModel` is a predictor with a `Face`: what it is called, and what it takes.

Columns are either bound to training inputs (`sparsebayes.columns`: any inputs, any kernel, fast) or
plain, of one of the formulas that are written out here. Both answer the same questions. A model of
plain columns is what files hold and what exporters translate. SciPy is loaded where densities,
draws or quantiles of counts are asked for, which makes `sparsebayes.load` quick.
"""

from sparsebayes.model.errors import ModelFileError, NotPortableError
from sparsebayes.model.files import load
from sparsebayes.model.kinds import PortableClassifier, PortableRegressor
from sparsebayes.model.models import PortableModel

__all__ = [
    "ModelFileError",
    "NotPortableError",
    "PortableClassifier",
    "PortableModel",
    "PortableRegressor",
    "load",
]
