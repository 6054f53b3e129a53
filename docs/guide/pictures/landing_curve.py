"""A curve with a gap in the data, for the landing page and the README."""

import matplotlib.pyplot as plt

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc
from sparsebayes.plots import PredictiveBandDisplay

X, y = noisy_sinc(120, noise_std=0.1, random_state=3)
seen = (X[:, 0] < 2.0) | (X[:, 0] > 6.0)
X, y = X[seen], y[seen]
model = RVR().fit(X, y)

figure, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
PredictiveBandDisplay.from_estimator(model, X, y, margin=0.2, ax=ax)
ax.set_title(f"{len(X)} rows, {len(model.relevance_)} vectors: unsure where there are no data")
ax.set(xlabel="x", ylabel="y")
ax.legend(fontsize=8, loc="upper left")
plt.show()
