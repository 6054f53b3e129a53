"""Sparse regression on a dictionary of columns: pass it as X, with basis=Linear()."""

import numpy as np

from sparsebayes import Linear, SparseBayesRegressor

random = np.random.default_rng(0)
dictionary = random.normal(size=(60, 200))
weights = np.zeros(200)
weights[[3, 50, 120]] = [1.0, -2.0, 0.5]
signal = dictionary @ weights + random.normal(0, 0.05, 60)

# More columns than rows: each must add log(200) + 1 to the log evidence, since it is one of 200.
model = SparseBayesRegressor(Linear()).fit(dictionary, signal)
for column in np.flatnonzero(model.selected_):
    print(f"column {column:3d}: {model.coef_[column]:+.3f} +- {model.coef_std_[column]:.3f}")
print(f"noise: {model.noise_std_:.3f}")

# Columns of a group have one precision: they are kept or left out together.
grouped = SparseBayesRegressor(Linear(groups=np.arange(200) // 2)).fit(dictionary, signal)
print("in pairs:", np.flatnonzero(grouped.selected_))
