"""
What if I know the error of every measurement?
==============================================

Pass it to ``fit`` as ``noise_std``, one standard deviation for each row. Exact rows then hold the
curve, noisy rows hardly move it, and the error bars of the curve become narrow where it is known.
"""

# %%
# Two instruments have measured one curve. Most rows are from the poor one. Every row comes with the
# standard deviation of its error.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import sinc

random = np.random.default_rng(0)
x = np.sort(random.uniform(-10.0, 10.0, 80))
sigma = np.where(random.uniform(size=80) < 0.3, 0.03, 0.4)
y = sinc(x) + random.normal(0.0, sigma)
X = x[:, None]

told = RVR().fit(X, y, noise_std=sigma)
untold = RVR().fit(X, y)

# %%
# ``predict`` gives the standard deviation of a new measurement. The band here is that of the curve
# itself, two standard deviations on both sides, so the noise is taken out.

grid = np.linspace(-10.0, 10.0, 400)


def curve(model):
    mean, std = model.predict(grid[:, None], return_std=True)
    return mean, np.sqrt(std**2 - model.noise_std_**2)


figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
titles = ("fit(X, y, noise_std=sigma)", "fit(X, y)")
for ax, model, title in zip(axes, (told, untold), titles, strict=True):
    mean, std = curve(model)
    ax.errorbar(x, y, sigma, fmt=".", color="0.4", ecolor="0.75", ms=4, label="data ± sigma")
    low, high = mean - 2 * std, mean + 2 * std
    ax.fill_between(grid, low, high, color="C0", alpha=0.3, lw=0, label="curve ± 2 std")
    ax.plot(grid, mean, color="C0", label="mean")
    ax.plot(grid, sinc(grid), ":", color="0.1", label="true function")
    ax.set(title=title, xlabel="x")
axes[0].set(ylabel="y", ylim=(-1.6, 2.8))
axes[0].legend(fontsize=8, ncols=2, loc="upper right")
plt.show()

# %%
# The model that knows the errors is closer to the true function. It is also surer, and rightly so:
# its error bar is about as large as its error.

for name, model in (("told", told), ("not told", untold)):
    mean, std = curve(model)
    error = np.sqrt(np.mean((mean - sinc(grid)) ** 2))
    print(f"{name:8s}: error of the curve {error:.3f}, its mean error bar {std.mean():.3f}")

# %%
# The noise of a new measurement is the root mean square of the ``sigma`` that you gave, as the
# model cannot know which instrument will take it.

print(f"noise of a new measurement: told {told.noise_std_:.3f}, not told {untold.noise_std_:.3f}")

# %%
# Do not pass ``1 / sigma**2`` as ``sample_weight``. A weight of two means that the row was seen
# twice, so weights of several hundred would say that you have thousands of rows. The fit would be
# much too sure of itself. If you know the errors only up to a common factor, use
# ``RVR(noise_std="factor")``, and pass ``noise_std`` to ``fit`` as here. The factor is then
# estimated.

factor = RVR(noise_std="factor").fit(X, y, noise_std=10.0 * sigma)
print(f"sigma given ten times too large: {factor.noise_std_:.3f}")
