"""A Gaussian process made small: a few vectors that predict nearly the same."""

import numpy as np
from sklearn.datasets import make_friedman1

from sparsebayes import RVR, Projection

X, y = make_friedman1(240, noise=1.0, random_state=0)
X_test, truth = make_friedman1(1000, noise=0.0, random_state=1)
noisy = truth + np.random.default_rng(2).normal(size=1000)


def show(name, model):
    """Error to the truth, number of vectors, and what the 90 % intervals hold."""
    mean, std = model.predict(X_test, return_std=True)
    error = np.mean((mean - truth) ** 2)
    covered = np.mean(np.abs(noisy - mean) < 1.645 * std)
    print(f"{name:26} MSE {error:.2f}, {len(model.relevance_):3} vectors, covers {covered:.0%}")


show("by its own evidence", RVR().fit(X, y))
for fidelity in (1, 3, 30):
    model = RVR(inference=Projection(fidelity=fidelity)).fit(X, y)
    show(f"projection, fidelity {fidelity}", model)
print(f"log evidence of the dense model: {model.log_evidence_:.1f}")
