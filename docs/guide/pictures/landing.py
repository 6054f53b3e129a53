"""The picture of the landing page: a curve with a gap, and two classes."""

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVC, RVR
from sparsebayes.datasets import noisy_sinc, ripley_mixture
from sparsebayes.plots import PredictiveBandDisplay, ProbabilityDisplay

X, y = noisy_sinc(120, noise_std=0.1, random_state=3)
seen = (X[:, 0] < 2.0) | (X[:, 0] > 6.0)
X, y = X[seen], y[seen]
curve = RVR().fit(X, y)

points, labels = ripley_mixture(250, random_state=0)
classes = RVC().fit(points, labels)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
PredictiveBandDisplay.from_estimator(curve, X, y, margin=0.2, ax=left)
left.set_title(f"{len(X)} rows, {len(curve.relevance_)} vectors: unsure where there are no data")
left.legend(fontsize=8, loc="upper left")
ProbabilityDisplay.from_estimator(classes, points, labels, levels=np.arange(0.1, 1, 0.2), ax=right)
right.set_title(f"{len(points)} rows, {len(classes.relevance_)} vectors: a probability everywhere")
right.legend(fontsize=8, loc="upper left")
plt.show()
