"""
A season goes on
================

A trend and a season continue beyond the data, if the kernel knows of them. ``RVR`` takes kernel
objects of scikit-learn, and learns their parameters from the evidence.
"""

# %%
# Twelve years of monthly values: a rise with slow ups and downs, a season of one year, and noise.
# The last three years are held out.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, ExpSineSquared

from sparsebayes import RVR

random = np.random.default_rng(0)
years = np.arange(144) / 12.0
wave = np.sin(2.0 * np.pi * years) + 0.4 * np.cos(4.0 * np.pi * years)
level = 300.0 + 1.5 * years + np.sin(0.9 * years)
y = level + 2.0 * wave + random.normal(0.0, 0.4, 144)
X, seen = years[:, None], years < 9.0

# %%
# The kernel is a sum. ``DotProduct`` is the rise, ``RBF`` the ups and downs, and ``RBF *
# ExpSineSquared`` the season, whose shape may change slowly. All lengths, the period, and how much
# each part counts are learned; the numbers here are where the search starts. There is no
# ``WhiteKernel``, as the noise is learned too.

rise = DotProduct() + ConstantKernel() * RBF(2.0)
season = ConstantKernel() * RBF(50.0, (20.0, 1e3)) * ExpSineSquared()
model = RVR(kernel=rise + season).fit(X[seen], y[seen])
print(model.kernel_)
print(f"{len(model.relevance_)} of {seen.sum()} months are vectors")
print(f"noise {model.noise_std_:.2f}")

# %%
# Rise and season go on, and the error bars grow by the ups and downs, which nobody can foretell.
# ``RVR()`` knows of none of them: it returns to the mean.

plain = RVR().fit(X[seen], y[seen])
grid = np.linspace(0.0, 12.0, 600)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
titles = ("rise + season", "RVR()")
for ax, fitted, title in zip(axes, (model, plain), titles, strict=True):
    mean, std = fitted.predict(grid[:, None], return_std=True)
    ax.fill_between(grid, mean - 2 * std, mean + 2 * std, color="C0", alpha=0.2, lw=0)
    ax.plot(grid, mean, color="C0", label="mean ± 2 std")
    ax.plot(years[seen], y[seen], ".", color="0.4", ms=4, label="seen")
    ax.plot(years[~seen], y[~seen], ".", color="C3", ms=4, label="held out")
    ax.set(title=title, xlabel="year")
axes[0].set_ylabel("y")
axes[0].legend(fontsize=8, loc="upper left")
plt.show()

# %%
# How far off are the three years that were held out, and how many are within the bars?

for name, fitted in (("rise + season", model), ("RVR()", plain)):
    mean, std = fitted.predict(X[~seen], return_std=True)
    inside = np.mean(np.abs(y[~seen] - mean) < 2.0 * std)
    print(f"{name:15s} error {np.sqrt(np.mean((y[~seen] - mean) ** 2)):5.2f}, {inside:.0%} inside")
