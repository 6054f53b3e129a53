"""
What if the noise is larger in some places?
===========================================

``likelihood="heteroscedastic"`` learns the noise as a function of the inputs. The error bars are
then narrow where measurements are good, and wide where they are not.
"""

# %%
# A sine whose noise grows from left to right.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR, Heteroscedastic
from sparsebayes.plots import PredictiveBandDisplay


def measure(n_rows, random):
    x = np.sort(random.uniform(0.0, 10.0, n_rows))
    return x[:, None], np.sin(x) + (0.05 + 0.1 * x) * random.normal(size=n_rows)


random = np.random.default_rng(0)
X, y = measure(200, random)
models = {
    "one noise": RVR().fit(X, y),
    "noise that varies": RVR(likelihood="heteroscedastic").fit(X, y),
}

# %%
# One noise is a compromise. Its band is too wide on the left and too narrow on the right. The
# second model has a sparse model of the logarithm of the noise variance, beside that of the mean.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    band = PredictiveBandDisplay.from_estimator(model, X, y, ax=ax)
    for sign in (-2.0, 2.0):
        true_band = np.sin(band.grid) + sign * (0.05 + 0.1 * band.grid)
        ax.plot(band.grid, true_band, ":", color="0.2", label="true band" if sign > 0 else None)
    ax.set(title=name, xlabel="x")
axes[0].set_ylabel("y")
names = ["mean ± 2 std", "data", "mean", "vectors", "true band"]
figure.legend(axes[0].get_legend_handles_labels()[0], names, loc="outside lower center", ncols=5)
plt.show()

# %%
# New rows say whether the bands are right. 95 % intervals should hold 95 % of them, on the left and
# on the right. The negative log predictive density (NLPD) judges the whole distribution; less is
# better. ``log_density`` has it row by row.

X_new, y_new = measure(5000, random)
left, right = X_new[:, 0] < 3.0, X_new[:, 0] > 7.0
for name, model in models.items():
    low, high = model.predict_quantiles(X_new, [0.025, 0.975]).T
    inside = (low < y_new) & (y_new < high)
    nlpd = -model.log_density(X_new, y_new).mean()
    print(
        f"{name}: {inside[left].mean():.1%} inside on the left, {inside[right].mean():.1%} on the "
        f"right, {inside.mean():.1%} in all; NLPD {nlpd:.3f}"
    )

# %%
# Over all rows the coverage of both is about right. So look at parts of the data, too.
#
# You can ask for it without knowing whether the noise varies. If one noise is as likely, by the
# evidence, you get the model with one noise.

y_even = np.sin(X[:, 0]) + 0.3 * random.normal(size=len(X))
plain = RVR().fit(X, y_even)
asked = RVR(likelihood=Heteroscedastic()).fit(X, y_even)
stds = asked.predict(X, return_std=True)[1]
print(f"even noise: std from {stds.min():.3f} to {stds.max():.3f}, true noise 0.3")
print("the same as with one noise:", np.allclose(asked.predict(X), plain.predict(X)))
