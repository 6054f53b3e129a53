"""Regression with error bars: noisy sinc."""

import matplotlib

matplotlib.use("Agg")

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc
from sparsebayes.plots import PredictiveBandDisplay

X, y = noisy_sinc(100, noise_std=0.1, random_state=0)
model = RVR(gamma=0.1).fit(X, y)

print(f"{len(model.relevance_)} relevance vectors, noise {model.noise_std_:.3f}")
print(f"log evidence {model.log_evidence_:.1f}, {model.outcome_.name}")
mean, std = model.predict([[0.0], [5.0]], return_std=True)
print("mean", mean.round(3), "std", std.round(3))

PredictiveBandDisplay.from_estimator(model, X, y).figure_.savefig("regression.png")
