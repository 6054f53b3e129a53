"""
What if some measurements are wrong?
====================================

With ``likelihood="student_t"`` a few wrong rows hardly count. You need not know how many there are
or which: the model learns how heavy the tails of the noise are, and gives each row a weight.
"""

# %%
# A hundred rows of a noisy sinc. Ten of them are wrong, by ten times the noise.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR, StudentT
from sparsebayes.datasets import noisy_sinc, sinc

X, y = noisy_sinc(100, noise_std=0.1, random_state=1)
random = np.random.default_rng(0)
wrong = random.permutation(100)[:10]
y[wrong] += random.choice([-1.0, 1.0], 10)

models = {
    "Gaussian noise": RVR().fit(X, y),
    "Student-t noise": RVR(likelihood="student_t").fit(X, y),
}

# %%
# Gaussian noise has to explain the wrong rows: the band is wide everywhere, and the curve is pulled
# towards them. Student-t noise has a narrow middle and heavy tails, so the curve goes through the
# good rows. The band holds 90 % of new targets, by ``predict_quantiles``.

grid = np.linspace(-10.0, 10.0, 400)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    low, high = model.predict_quantiles(grid[:, None], [0.05, 0.95]).T
    ax.fill_between(grid, low, high, color="C0", alpha=0.2, lw=0, label="90 % of new targets")
    ax.plot(grid, model.predict(grid[:, None]), color="C0", label="mean")
    ax.plot(grid, sinc(grid), ":", color="0.2", label="true function")
    weight = getattr(model, "outlier_weight_", np.ones(len(y)))
    dots = ax.scatter(X[:, 0], y, c=weight, s=22, cmap="cividis", vmin=0, vmax=1, edgecolor="0.4")
    ax.set(title=name, xlabel="x")
axes[0].set_ylabel("y")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
figure.colorbar(dots, ax=axes, label="weight of the row")
plt.show()

# %%
# ``outlier_weight_`` is the colour: highest on the curve, at most 1, and near 0 for an outlier.
# What was learned of the noise is in ``likelihood_``. Few degrees of freedom mean heavy tails.

student = models["Student-t noise"]
noise = student.likelihood_
print(f"learned: {noise.df:.1f} degrees of freedom, scale {noise.scale:.3f}")
found = np.argsort(student.outlier_weight_)[:10]
print(f"of the ten rows with the least weight, {np.isin(found, wrong).sum()} are wrong ones")
for name, model in models.items():
    error = np.sqrt(np.mean((model.predict(grid[:, None]) - sinc(grid)) ** 2))
    print(f"{name}: {error:.3f} from the true function, {len(model.relevance_)} vectors")

# %%
# Without outliers you lose next to nothing, since the degrees of freedom become many. A parameter
# that you give is not learned.

X_clean, y_clean = noisy_sinc(100, noise_std=0.1, random_state=1)
for likelihood in ("gaussian", "student_t", StudentT(df=4.0)):
    model = RVR(likelihood=likelihood).fit(X_clean, y_clean)
    error = np.sqrt(np.mean((model.predict(grid[:, None]) - sinc(grid)) ** 2))
    print(f"no outliers, {likelihood}: {error:.4f} from the true function")
