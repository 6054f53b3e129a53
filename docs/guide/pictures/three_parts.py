"""The parts of an error bar: noise, and what is not known of the function."""

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc

X, y = noisy_sinc(70, noise_std=0.1, random_state=5)
seen = (X[:, 0] < 1.0) | (X[:, 0] > 6.0)
X, y = X[seen], y[seen]
model = RVR().fit(X, y)

grid = np.linspace(-14, 14, 500)
mean, std = model.predict(grid[:, None], return_std=True)
function = np.sqrt(np.maximum(std**2 - model.noise_std_**2, 0.0))

figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
axes[0].fill_between(grid, mean - 2 * std, mean + 2 * std, color="C0", alpha=0.15, lw=0,
                     label="a new measurement")  # fmt: skip
axes[0].fill_between(grid, mean - 2 * function, mean + 2 * function, color="C0", alpha=0.35, lw=0,
                     label="the function")  # fmt: skip
axes[0].plot(grid, mean, color="C0")
axes[0].plot(X[:, 0], y, ".", color="0.4", ms=4)
axes[0].set(xlabel="x", ylabel="y", title="two standard deviations on both sides")
axes[0].legend(fontsize=8, loc="upper left")
axes[1].plot(grid, std, color="C0", label="of a new measurement")
axes[1].plot(grid, function, color="C0", ls="--", label="of the function")
axes[1].axhline(model.noise_std_, color="0.4", lw=1, label="of the noise")
axes[1].plot(grid, model.novelty(grid[:, None]), color="C1", label="novelty")
axes[1].set(xlabel="x", title="standard deviations, and novelty")
axes[1].legend(fontsize=8)
plt.show()
