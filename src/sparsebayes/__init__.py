"""Sparse Bayesian learning: the relevance vector machine and its relatives.

The documentation begins at https://sparsebayes.example/start.html

Names are imported when they are first asked for, so that `sparsebayes.load` needs neither SciPy nor
scikit-learn. `__init__.pyi` says the same to type checkers.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_NAMES_OF = {
    "basis": [
        *("Basis", "Bias", "CallableKernel", "CauchyKernel", "EffectsKernel", "GaussianKernel"),
        *("GivenColumns", "LaplacianKernel", "Linear", "LinearKernel", "LinearSplineKernel"),
        *("Matern12Kernel", "Matern32Kernel", "Matern52Kernel", "Polynomial"),
        *("PolynomialKernel", "PrecomputedKernel", "ProcessKernel", "SigmoidKernel"),
    ],
    "estimators": [
        *("RVC", "RVR", "EvidenceSearch", "InputEffects", "SparseBayesClassifier"),
        "SparseBayesRegressor",
    ],
    "hyperpriors": ["Gamma", "student_t"],
    "inference": ["EM", "Fast", "Mackay", "Outcome", "Projection", "Variational"],
    "likelihoods": ["Heteroscedastic", "NegativeBinomial", "Ordinal", "Poisson", "StudentT"],
    "model": ["ModelFileError", "NotPortableError", "load"],
}
# Parts that are asked for by their name, as in `sparsebayes.export.to_c`.
_PARTS = ("datasets", "diagnostics", "export", "plots", "model", "report")
_HOME = {name: module for module, names in _NAMES_OF.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return import_module(f"sparsebayes.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'sparsebayes' has no attribute {name!r}")
    value = getattr(import_module(f"sparsebayes.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    special = (name for name in globals() if name.startswith("__"))
    return sorted({*special, *__all__, *_PARTS})
