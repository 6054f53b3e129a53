"""How precisions are found: columns leave the model one after the other, and the evidence rises."""

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc

X, y = noisy_sinc(100, noise_std=0.1, random_state=0)
model = RVR(gamma=0.1, inference="mackay").fit(X, y)
steps = np.arange(len(model.history_))

figure, axes = plt.subplots(1, 2, figsize=(10, 3), layout="constrained")
axes[0].plot(steps + 1, [one.log_evidence for one in model.history_])
axes[0].set(xscale="log", xlabel="step", ylabel="log evidence", title="the evidence rises")
axes[1].plot(steps + 1, [one.n_active for one in model.history_], color="C1")
axes[1].set(xscale="log", xlabel="step", ylabel="columns", title="columns leave the model")
plt.show()
