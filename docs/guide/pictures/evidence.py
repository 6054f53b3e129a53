"""The evidence over the width of the kernel, and three of the fits."""

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc, sinc

X, y = noisy_sinc(60, noise_std=0.15, random_state=1)
grid = np.linspace(-10, 10, 300)
widths = np.geomspace(0.3, 20, 20)
models = [RVR(gamma=width**-2.0, noise_std=0.15).fit(X, y) for width in widths]
evidence = np.array([model.log_evidence_ for model in models])
learned = RVR(noise_std=0.15).fit(X, y)
best = np.ravel(learned.gamma_)[0] ** -0.5

figure, axes = plt.subplots(2, 2, figsize=(9, 5.6), layout="constrained")
axes = axes.ravel()
axes[0].plot(widths, evidence, "o-", ms=3)
axes[0].axvline(best, color="C3", ls="--", label="learned")
axes[0].set(xscale="log", xlabel="width of the kernel", ylabel="log evidence")
axes[0].legend(fontsize=8)
shown = ((0, "too narrow"), (None, "learned"), (-1, "too wide"))
for ax, (place, title) in zip(axes[1:], shown, strict=True):
    model = learned if place is None else models[place]
    mean, std = model.predict(grid[:, None], return_std=True)
    ax.fill_between(grid, mean - 2 * std, mean + 2 * std, alpha=0.2, lw=0)
    ax.plot(grid, mean)
    ax.plot(grid, sinc(grid), ":", color="0.2")
    ax.plot(X[:, 0], y, ".", color="0.5", ms=4)
    ax.set(title=f"{title}: log evidence {model.log_evidence_:.0f}", ylim=(-0.9, 1.5), xlabel="x")
plt.show()
