"""Sparse regression on a dictionary of columns: pass it as X, with basis=Linear()."""

import numpy as np

from sparsebayes import Fast, Linear, SparseBayesRegressor

random = np.random.default_rng(0)
dictionary = random.normal(size=(60, 200))
weights = np.zeros(200)
weights[[3, 50, 120]] = [1.0, -2.0, 0.5]
signal = dictionary @ weights + random.normal(0, 0.05, 60)

# More columns than rows: a price on columns keeps the evidence from fitting the noise with them.
# It goes with the logarithm of how many columns there are to choose from.
price = Fast(min_gain=float(np.log(dictionary.shape[1])))
model = SparseBayesRegressor(Linear(), inference=price).fit(dictionary, signal)
for name, weight, variance in zip(
    model.column_names_, model.weights_, np.diag(model.covariance_), strict=True
):
    print(f"{name:5s} {weight:+.3f} +- {variance**0.5:.3f}")
