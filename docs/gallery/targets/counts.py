"""
How many events will there be?
==============================

``likelihood="poisson"`` predicts counts: a mean that is never negative, and quantiles that are
whole numbers. ``"negative_binomial"`` is for counts that vary more, and the evidence decides
between them.
"""

# %%
# Counts along one input, such as calls by the hour. They are small, so Gaussian error bars would
# reach below zero.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR, NegativeBinomial, Poisson

random = np.random.default_rng(0)
X = np.sort(random.uniform(0.0, 10.0, 300))[:, None]
mean = np.exp(1.0 + np.sin(X[:, 0]))
calm = random.poisson(mean)  # the variance is the mean
wild = random.negative_binomial(2.0, 2.0 / (2.0 + mean))  # the variance is mean + mean ** 2 / 2

# %%
# The evidence is the probability of all counts, given the kind of model. Where counts vary as
# Poisson counts do, the learned dispersion is near zero and the evidence is about the same. Where
# they vary more, the evidence prefers the negative binomial by far.

fits = {}
for name, y in (("calm", calm), ("wild", wild)):
    for kind, likelihood in (("poisson", Poisson()), ("negative_binomial", NegativeBinomial())):
        model = RVR(likelihood=likelihood).fit(X, y)
        fits[name, kind] = model
        more = getattr(model.likelihood_, "dispersion", 0.0)
        print(
            f"{name} counts, {kind}: log evidence {model.log_evidence_:.1f}, "
            f"dispersion {more:.3f}, {len(model.relevance_)} vectors"
        )

# %%
# Quantiles are steps of whole numbers. Both negative binomial models are shown: for calm counts the
# band is as narrow as that of Poisson counts, for wild ones it is as wide as it needs to be.

grid = np.linspace(0.0, 10.0, 500)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, (name, y) in zip(axes, (("calm", calm), ("wild", wild)), strict=True):
    model = fits[name, "negative_binomial"]
    low, middle, high = model.predict_quantiles(grid[:, None], [0.05, 0.5, 0.95]).T
    ax.fill_between(grid, low, high, step="mid", color="C0", alpha=0.2, lw=0, label="5 % to 95 %")
    ax.step(grid, middle, where="mid", color="C0", lw=1, label="median")
    ax.plot(grid, model.predict(grid[:, None]), color="C1", label="mean")
    ax.plot(X[:, 0], y, ".", color="0.4", ms=4, label="counts")
    ax.set(title=f"{name} counts", xlabel="x")
axes[0].set_ylabel("events")
axes[0].legend(fontsize=8)
plt.show()

# %%
# Rows that were counted over different times take their time as ``exposure``. Predictions are then
# for one unit of it.

hours = random.uniform(0.5, 8.0, len(X))
counted = random.poisson(hours * mean)
by_hour = RVR(likelihood="poisson").fit(X, counted, exposure=hours)
new = np.array([[1.5], [4.7]])
for x, rate, (low, high) in zip(
    new[:, 0], by_hour.predict(new), by_hour.predict_quantiles(new, [0.05, 0.95]), strict=True
):
    print(
        f"at {x:g}: {rate:.2f} an hour (true {np.exp(1 + np.sin(x)):.2f}), "
        f"between {low:.0f} and {high:.0f} in nine hours of ten"
    )
