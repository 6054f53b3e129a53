"""
A known trend and a curve together
==================================

Do you know that the data have a trend? Add its column to the kernels. The evidence decides which
columns stay, every weight has an error bar, and the trend goes on beyond the data.
"""

# %%
# The target is a bump on a slope of 0.3. The basis offers a Gaussian kernel on every row, the input
# itself and a constant. The input is measured from the middle of the data, so that the slope and
# the constant do not stand in for each other.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR, Bias, GaussianKernel, Linear, SparseBayesRegressor

random = np.random.default_rng(0)


def truth(x):
    return 2.0 * np.exp(-((x + 1.0) ** 2)) + 0.3 * x


x = np.sort(random.uniform(-5.0, 5.0, 100))
y = truth(x) + random.normal(0.0, 0.1, 100)
X = x[:, None]

basis = GaussianKernel(width="learn") + Linear() + Bias()
model = SparseBayesRegressor(basis, inference="fast").fit(X, y)

# %%
# ``inference="fast"`` takes for granted that the kept columns are the right ones. The default of a
# basis with a kernel, "projection", does not: kernels may explain a slope as well, so its error
# bars beyond the data are wide.
#
# A few columns were kept; ``x0`` is the slope. ``weights_`` and ``covariance_`` say how large each
# weight is, and how well it is known.

for name, weight, std in zip(
    model.column_names_, model.weights_, np.sqrt(np.diag(model.covariance_)), strict=True
):
    print(f"{name:20s} {weight:6.3f} ± {std:.3f}")

# %%
# Both models follow the data. Beyond them, ``RVR`` knows no trend: it goes back to the mean of the
# targets, with a wide band. The model with the trend goes on.

rvr = RVR().fit(X, y)

grid = np.linspace(-10.0, 12.0, 400)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
titles = ("kernels + linear + bias", "RVR()")
for ax, fitted, title in zip(axes, (model, rvr), titles, strict=True):
    mean, std = fitted.predict(grid[:, None], return_std=True)
    ax.fill_between(
        grid, mean - 2 * std, mean + 2 * std, color="C0", alpha=0.2, lw=0, label="mean ± 2 std"
    )
    ax.plot(x, y, ".", color="0.4", ms=4, label="data")
    ax.plot(grid, mean, color="C0", label="mean")
    ax.plot(grid, truth(grid), ":", color="0.2", label="true function")
    ax.set(title=title, xlabel="x")
axes[0].set_ylabel("y")
axes[0].legend(fontsize=8, loc="upper left")
plt.show()

# %%
# The narrow band on the left is as good as the assumption behind it. It takes for granted that the
# kept columns are the right ones and that the trend goes on. Do not offer a trend that you do not
# believe in: a column ``x^2`` that is kept by mistake would lead far away.

far = np.array([[10.0]])
for name, fitted in (("with the trend", model), ("RVR()", rvr)):
    mean, std = fitted.predict(far, return_std=True)
    print(f"{name:15s} at x = 10: {mean[0]:.2f} ± {std[0]:.2f}, true {truth(10.0):.2f}")
