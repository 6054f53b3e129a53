"""Which columns of a dictionary matter, how much, and how sure that is."""

import numpy as np
from sklearn.feature_selection import SelectFromModel

from sparsebayes import Bias, Linear, SparseBayesRegressor

# A spectrum of 120 bands, each like its neighbours, and an amount that three of them tell.
random = np.random.default_rng(0)
n_rows, n_bands = 100, 120
bands = random.normal(size=(n_rows, n_bands))
for band in range(1, n_bands):
    bands[:, band] = 0.8 * bands[:, band - 1] + 0.6 * bands[:, band]
bands[:, 41] = bands[:, 40] + 0.1 * random.normal(size=n_rows)  # a copy, nearly
amount = 5.0 + bands[:, [10, 40, 90]] @ [1.0, -0.7, 0.4] + random.normal(0, 0.5, n_rows)

model = SparseBayesRegressor(Linear() + Bias()).fit(bands, amount)

print(f"amount = {model.intercept_:.2f} + ...")
for band in np.flatnonzero(model.selected_):
    coefficient, std = model.coef_[band], model.coef_std_[band]
    share = model.input_relevance_[band]
    print(f"  band {band:3d}: {coefficient:+.2f} +- {std:.2f}, {share:.0%} of the variance")

print("probability of having a part in the amount, where it is above 5 %:")
for band in np.flatnonzero(model.inclusion_ > 0.05):
    print(f"  band {band:3d}: {model.inclusion_[band]:.2f}")

chosen = SelectFromModel(model, threshold=1e-10, prefit=True)
print("columns that are left:", chosen.transform(bands).shape[1], "of", n_bands)
