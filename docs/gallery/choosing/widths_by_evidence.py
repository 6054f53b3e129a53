"""
Can widths be compared without holding rows out?
================================================

Yes: the evidence of a model is computed from all rows. ``EvidenceSearch`` compares kernel widths by
it, with one fit for each width. ``gamma="learn"`` finds the width without a grid.
"""

# %%
# A bent surface over two inputs, 120 rows. ``EvidenceSearch`` is used as ``GridSearchCV`` is. The
# log evidence is the log probability of the targets under the model, averaged over all weights.

from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV

from sparsebayes import RVR, EvidenceSearch

random = np.random.default_rng(0)


def draw(n_rows):
    """Inputs, and targets with noise."""
    X = random.uniform(-2, 2, (n_rows, 2))
    surface = np.sin(3 * X[:, 0]) * np.cos(2 * X[:, 1]) + 0.5 * X[:, 0]
    return X, surface + random.normal(0, 0.3, n_rows)


X, y = draw(120)
X_test, y_test = draw(2000)
widths = {"gamma": np.logspace(-1.5, 1, 9)}

start = perf_counter()
by_evidence = EvidenceSearch(RVR(), widths).fit(X, y)
seconds_of_evidence = perf_counter() - start
by_folds = GridSearchCV(RVR(), widths, cv=5, scoring="neg_root_mean_squared_error").fit(X, y)
seconds_of_folds = perf_counter() - start - seconds_of_evidence
learned = RVR(gamma="learn").fit(X, y)


def error(model):
    """Root mean square error of new targets."""
    return np.sqrt(np.mean((model.predict(X_test) - y_test) ** 2))


print(f"cross-validation took {seconds_of_folds / seconds_of_evidence:.0f} times as long")
for name, model in (
    ("EvidenceSearch", by_evidence.best_estimator_),
    ("5 folds", by_folds.best_estimator_),
    ('gamma="learn"', learned),
):
    print(f"{name:14}: gamma {model.gamma_:.2f}, RMSE of new targets {error(model):.3f}")

# %%
# Filled marks are what each search chose. The evidence has its maximum where the error of new
# rows has its minimum, and so has cross-validation. ``gamma="learn"`` need not choose from a
# grid.
#
# This is the evidence of the Gaussian process that the default fits first. With
# ``inference="fast"`` it is that of a sparse model, which is a worse judge: it prefers narrow
# kernels.

gamma = widths["gamma"]
new_rows = [error(RVR(gamma=one).fit(X, y)) for one in gamma]

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for ax, search, sign, colour, label in (
    (axes[0], by_evidence, 1, "C0", "EvidenceSearch"),
    (axes[1], by_folds, -1, "C1", "5-fold cross-validation"),
):
    height, best = sign * search.cv_results_["mean_test_score"], search.best_index_
    ax.plot(gamma, height, "o-", mfc="w", color=colour, label=label)
    ax.plot(gamma[best], height[best], "o", ms=10, color=colour)
axes[1].plot(gamma, new_rows, ".--", color="0.4", label="new rows")
for ax, title in zip(axes, ("log evidence", "root mean square error"), strict=True):
    ax.axvline(learned.gamma_, color="k", ls=":", label='gamma="learn"')
    ax.set(xscale="log", xlabel="gamma (narrow kernels to the right)", ylabel=title)
axes[0].legend(fontsize=8, loc="lower center")
axes[1].legend(fontsize=8, loc="upper right")
plt.show()
