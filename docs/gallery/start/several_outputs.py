"""
Several outputs on one set of vectors
=====================================

Give ``RVR`` a target of several columns. By default all outputs share one set of vectors, so the
model is smaller than one model for each output, and it is about as good.
"""

# %%
# Three outputs, each a mixture of two functions and each with a noise of its own.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR

random = np.random.default_rng(0)
x = np.sort(random.uniform(-10.0, 10.0, 150))
MIXTURE = np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.7]])
NOISE = np.array([0.1, 0.2, 0.4])


def truth(x):
    return np.column_stack([np.sin(x), np.cos(0.5 * x)]) @ MIXTURE


Y = truth(x) + random.normal(0.0, NOISE, (150, 3))
X = x[:, None]

shared = RVR().fit(X, Y)
separate = RVR(multi_output="separate").fit(X, Y)

# %%
# Each output has a curve, a band of two standard deviations and a noise. The red ticks below are
# the vectors: the same rows serve all three outputs.

grid = np.linspace(-12.0, 12.0, 300)
mean, std = shared.predict(grid[:, None], return_std=True)

figure, axes = plt.subplots(1, 3, figsize=(9, 3.5), sharey=True, layout="constrained")
for k, ax in enumerate(axes):
    low, high = mean[:, k] - 2 * std[:, k], mean[:, k] + 2 * std[:, k]
    ax.fill_between(grid, low, high, color="C0", alpha=0.2, lw=0, label="mean ± 2 std")
    ax.plot(x, Y[:, k], ".", color="0.4", ms=4, label="data")
    ax.plot(grid, mean[:, k], color="C0", label="mean")
    ax.plot(grid, truth(grid)[:, k], ":", color="0.2", label="true function")
    for vector in shared.relevance_vectors_[:, 0]:
        ax.axvline(vector, ymax=0.05, color="C3", lw=2, zorder=0)
    ax.set(title=f"output {k}, noise {shared.noise_std_[k]:.2f}", xlabel="x")
axes[0].set_ylabel("y")
axes[0].set_ylim(-3.0, 3.8)
axes[0].legend(fontsize=8, ncols=2, loc="upper center")
plt.show()

# %%
# Sharing saves vectors, and kernels are what a prediction costs. The errors of the three means
# against the true functions are close to each other.

inside = np.linspace(-10.0, 10.0, 300)
for name, model in (("shared", shared), ("separate", separate)):
    error = np.sqrt(np.mean((model.predict(inside[:, None]) - truth(inside)) ** 2, axis=0))
    vectors = len(np.unique(model.relevance_))
    print(f"{name:8s}: {vectors} distinct vectors, errors {error.round(3)}")
print("noise found:", shared.noise_std_.round(3), "true noise:", NOISE)
