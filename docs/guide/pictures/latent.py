"""From a latent value to a probability: the sigmoid is averaged over what is not known."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit

from sparsebayes import RVC

random = np.random.default_rng(2)
x = np.concatenate([random.normal(-2, 1.2, 25), random.normal(2, 1.2, 25)])
labels = np.repeat(["no", "yes"], 25)
model = RVC().fit(x[:, None], labels)

grid = np.linspace(-12, 12, 400)
mean, variance = model.latent_mean_and_variance(grid[:, None])
std = np.sqrt(variance)

figure, axes = plt.subplots(1, 2, figsize=(10, 3.2), sharex=True, layout="constrained")
axes[0].fill_between(grid, mean - 2 * std, mean + 2 * std, alpha=0.2, lw=0)
axes[0].plot(grid, mean)
axes[0].set(xlabel="x", ylabel="f(x)", title="the latent value, with its error bar")
axes[1].plot(grid, expit(mean), color="0.5", ls="--", label="sigmoid of the mean")
axes[1].plot(grid, model.predict_proba(grid[:, None])[:, 1], color="C0", label="predict_proba")
axes[1].plot(x, (labels == "yes").astype(float), "|", color="0.4", label="data")
axes[1].set(xlabel="x", ylabel='probability of "yes"', title="averaged over the latent value")
axes[1].legend(fontsize=8)
plt.show()
