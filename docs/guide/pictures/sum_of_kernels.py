"""The model is a sum of a few kernels, each with a weight."""

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR, Fast
from sparsebayes.datasets import noisy_sinc

X, y = noisy_sinc(100, noise_std=0.1, random_state=0)
model = RVR(gamma=0.12, inference=Fast()).fit(X, y)

grid = np.linspace(-10, 10, 400)
kernels = np.exp(-model.gamma_ * (grid[:, None] - model.relevance_vectors_[:, 0]) ** 2)

figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), sharey=True, layout="constrained")
axes[0].plot(X[:, 0], y, ".", color="0.6", ms=4, label="data")
for kernel, weight in zip(kernels.T, model.dual_coef_[0], strict=True):
    axes[0].plot(grid, weight * kernel, color="C0", lw=1)
axes[0].plot(
    model.relevance_vectors_[:, 0], model.dual_coef_[0], "o", mfc="none", mec="C3", ms=9,
    label="weight of a kernel, at its centre",
)  # fmt: skip
axes[0].set_ylim(top=1.75)
axes[0].set_title(f"{len(model.relevance_)} kernels, each with a weight")
axes[1].plot(X[:, 0], y, ".", color="0.6", ms=4)
axes[1].plot(grid, model.predict(grid[:, None]), color="C0", label="their sum: the prediction")
axes[1].set_title(f"their sum, of {len(X)} kernels that were on offer")
for ax in axes:
    ax.set_xlabel("x")
    ax.legend(fontsize=8, loc="upper left")
plt.show()
