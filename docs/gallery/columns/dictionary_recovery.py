"""
Sparse dictionary recovery beside OMP and the lasso
===================================================

A signal is the sum of a few columns of a dictionary. ``SparseBayesRegressor(Linear())`` finds which
ones and how many, and gives their weights with error bars.
"""

# %%
# A hundred rows, three hundred columns, eight of them active. No method is told how many.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LassoCV, OrthogonalMatchingPursuitCV

from sparsebayes import Linear, SparseBayesRegressor

N_ROWS, N_COLUMNS, N_ACTIVE = 100, 300, 8


def draw(seed):
    """A dictionary, true weights, and the signal with noise."""
    random = np.random.default_rng(seed)
    dictionary = random.normal(size=(N_ROWS, N_COLUMNS))
    weights = np.zeros(N_COLUMNS)
    active = random.choice(N_COLUMNS, N_ACTIVE, replace=False)
    weights[active] = random.choice([-1, 1], N_ACTIVE) * random.uniform(0.3, 1.5, N_ACTIVE)
    return dictionary, weights, dictionary @ weights + random.normal(0, 0.5, N_ROWS)


models = {
    "SparseBayesRegressor": SparseBayesRegressor(Linear()),
    "OMP": OrthogonalMatchingPursuitCV(cv=5, fit_intercept=False),
    "lasso": LassoCV(cv=5, fit_intercept=False),
}
found = {name: [] for name in models}
for seed in range(5):
    dictionary, weights, signal = draw(seed)
    for name, model in models.items():
        coefficients = model.fit(dictionary, signal).coef_
        kept, error = coefficients != 0, np.linalg.norm(coefficients - weights)
        right, false = np.sum(kept & (weights != 0)), np.sum(kept & (weights == 0))
        found[name].append((right, false, error / np.linalg.norm(weights)))

print("means over five draws")
for name, numbers in found.items():
    right, false, error = np.mean(numbers, axis=0)
    print(f"{name:20}: found {right:.1f} of 8, {false:4.1f} false, error of weights {error:.0%}")

# %%
# The last draw, with error bars of two standard deviations for ours. Orthogonal matching pursuit
# (OMP), with its number of columns by cross-validation, is as good here, but for a false column
# now and then. The lasso keeps many columns that have no part in the signal, and shrinks the
# weights of those that have.

figure, axes = plt.subplots(1, 3, figsize=(10, 3.5), sharey=True, layout="constrained")
active = np.flatnonzero(weights)
for ax, (name, model) in zip(axes, models.items(), strict=True):
    kept = np.flatnonzero(model.coef_)
    bars = 2 * model.coef_std_[kept] if hasattr(model, "coef_std_") else None
    ax.axhline(0, color="0.6", lw=0.8)
    ax.vlines(kept, 0, model.coef_[kept], color="C0", lw=1)
    ax.errorbar(kept, model.coef_[kept], bars, fmt=".", color="C0", ecolor="0.2", capsize=2.5)
    ax.plot(active, weights[active], "o", mfc="none", mec="C1", ms=9, label="true weight")
    ax.set(title=f"{name}: {len(kept)} columns", xlabel="column", xlim=(-10, N_COLUMNS + 10))
    ax.title.set_fontsize(11)
axes[0].set_ylabel("weight")
axes[0].legend(fontsize=8, loc="lower right", bbox_to_anchor=(0.9, 0.0))
plt.show()
