"""A posterior over everything: precisions and noise too, and a bound that compares widths."""

import numpy as np

from sparsebayes import RVR, EvidenceSearch
from sparsebayes.datasets import noisy_sinc

X, y = noisy_sinc(50, random_state=0)

model = RVR(gamma=0.1, inference="variational").fit(X, y)
print(f"lower bound {model.lower_bound_:.2f}, {len(model.relevance_)} relevant of {len(X) + 1}")
precision = model.noise_posterior_
draws = np.random.default_rng(0).gamma(precision.shape, 1 / precision.rate, 10_000)
noise = draws**-0.5
print(f"noise {noise.mean():.3f} +- {noise.std():.3f} (true 0.1)")
print("5 %, 50 %, 95 % at 0:", model.predict_quantiles([[0.0]]).round(3)[0])

before = model.predict(X)
model.prune()
print(
    f"pruned to {len(model.weights_)} columns, moved by {abs(model.predict(X) - before).max():.4f}"
)

search = EvidenceSearch(RVR(), {"gamma": np.logspace(-2, 0, 5)}).fit(X, y)
print("width of the highest evidence:", search.best_params_)
