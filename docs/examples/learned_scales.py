"""No tuning: a scale for each input learned from the evidence, and which inputs matter."""

from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from sklearn.datasets import make_friedman1

from sparsebayes import RVR, Bias, GaussianKernel, Linear, SparseBayesRegressor
from sparsebayes.plots import InputRelevanceDisplay

# Five of ten inputs matter, each in units of its own.
units = 10.0 ** np.arange(-4, 6)
X, y = make_friedman1(240, noise=1.0, random_state=0)
X_test, truth = make_friedman1(1000, noise=0.0, random_state=1)
X, X_test = X * units, X_test * units

model = RVR().fit(X, y)  # gamma="ard"
error = np.mean((model.predict(X_test) - truth) ** 2)
print(f"a scale for each input: MSE {error:.2f}, {len(model.relevance_)} vectors")
print("relevance of the inputs:", model.input_relevance_.round(3))

# One width for all inputs, which asks for inputs in comparable units.
model = RVR(gamma="learn").fit(X / units, y)
error = np.mean((model.predict(X_test / units) - truth) ** 2)
print(f"one width: MSE {error:.2f}, {len(model.relevance_)} vectors, gamma {model.gamma_:.2f}")

# Kernels of the learned width and of twice that, and the inputs themselves as columns.
basis = GaussianKernel(width=[1, 2], input_scale="learn") + Linear() + Bias()
model = SparseBayesRegressor(basis).fit(X, y)
error = np.mean((model.predict(X_test) - truth) ** 2)
print(f"two widths and linear terms: MSE {error:.2f}, {len(model.weights_)} columns")

# The learned scales as numbers, to be used again, here for more rows.
X_more, y_more = make_friedman1(1000, noise=1.0, random_state=2)
more = SparseBayesRegressor(model.basis_).fit(X_more * units, y_more)
error = np.mean((more.predict(X_test) - truth) ** 2)
print(f"the same scales on 1000 rows: MSE {error:.2f}, {len(more.weights_)} columns")

picture = Path(mkdtemp()) / "inputs.png"
InputRelevanceDisplay.from_estimator(model).figure_.savefig(picture, bbox_inches="tight")
print("wrote", picture)
