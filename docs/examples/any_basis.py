"""A basis of your own: kernels for what is curved, columns for what is known to be simple.

The target is sinc(x) + 0.1 x. Kernels, all terms up to the second degree and a bias are offered;
the evidence decides which of them are in the model.
"""

import numpy as np
from sklearn.model_selection import GridSearchCV

from sparsebayes import Bias, GaussianKernel, Polynomial, SparseBayesRegressor
from sparsebayes.datasets import noisy_sinc

X, y = noisy_sinc(100, noise_std=0.1, random_state=4)
y = y + 0.1 * X[:, 0]

basis = GaussianKernel(width=3.0) + Polynomial(degree=2) + Bias()
model = SparseBayesRegressor(basis).fit(X, y)
for name, weight, variance in zip(
    model.column_names_, model.weights_, np.diag(model.covariance_), strict=True
):
    print(f"{name:20s} {weight:+.3f} +- {variance**0.5:.3f}")

search = GridSearchCV(model, {"basis__gaussiankernel__width": [2.0, 3.0, 4.0]}).fit(X, y)
print(search.best_params_)
