"""Models that one environment writes and another reads: `python pickles.py write|read FOLDER`.

`make test-oldest` lets the newest and the oldest supported versions read each other's files.
"""

import pickle
import sys
import warnings
from pathlib import Path

import numpy as np

from sparsebayes import RVC, RVR, Bias, GaussianKernel, Linear, SparseBayesRegressor

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 2))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.1 * RANDOM.normal(size=40)
MODELS = {
    "default": (RVR(), Y),
    "fast": (RVR(inference="fast"), Y),
    "variational": (RVR(gamma="scale", inference="variational"), Y),
    "outputs": (RVR(), np.column_stack([Y, -Y])),
    "two classes": (RVC(), Y > 0),
    "three classes": (RVC(), np.digitize(Y, [-0.5, 0.5])),
    "each class": (RVC(multi_class="ovr", inference="fast"), np.digitize(Y, [-0.5, 0.5])),
    "outliers": (RVR(likelihood="student_t"), Y),
    "counts": (RVR(likelihood="negative_binomial"), np.floor(np.exp(1.0 + Y))),
    "ordered classes": (RVC(likelihood="ordinal"), np.digitize(Y, [-0.5, 0.5])),
    "noise that varies": (RVR(likelihood="heteroscedastic"), Y * (1.0 + X[:, 0] ** 2)),
    "any basis": (SparseBayesRegressor(GaussianKernel(1.0) + Linear() + Bias()), Y),
}


def said(model):
    """All that a model says of the rows."""
    if hasattr(model, "predict_proba"):
        return [model.predict_proba(X), model.decision_function(X)]
    return [*model.predict(X, return_std=True), model.predict_quantiles(X)]


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (model, y) in MODELS.items():
        fitted = model.fit(X, y)
        (folder / f"{name}.pickle").write_bytes(pickle.dumps((fitted, said(fitted))))


def read(folder):
    for name in MODELS:
        model, expected = pickle.loads((folder / f"{name}.pickle").read_bytes())
        for here, there in zip(said(model), expected, strict=True):
            np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-9)
    print(f"{len(MODELS)} models of {folder} read")


if __name__ == "__main__":
    warnings.simplefilter("error")
    {"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
