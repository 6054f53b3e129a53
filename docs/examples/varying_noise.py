"""Noise that is small on the left and large on the right, and error bars that know it."""

import numpy as np

from sparsebayes import RVR

random = np.random.default_rng(0)
X = np.sort(random.uniform(0.0, 10.0, 200))[:, None]
noise = 0.05 + 0.1 * X[:, 0]
y = np.sin(X[:, 0]) + noise * random.normal(size=200)

constant = RVR().fit(X, y)
model = RVR(likelihood="heteroscedastic").fit(X, y)
print(f"log evidence {model.log_evidence_:.0f}, with one noise {constant.log_evidence_:.0f}")

new = np.array([[1.0], [5.0], [9.0]])
for name, fitted in (("one noise", constant), ("noise that varies", model)):
    print(f"{name}: std", fitted.predict(new, return_std=True)[1].round(2))
print("in truth:", (0.05 + 0.1 * new[:, 0]).round(2))

# The negative log predictive density (NLPD) of new rows; less is better.
X_new = random.uniform(0.0, 10.0, (1000, 1))
y_new = np.sin(X_new[:, 0]) + (0.05 + 0.1 * X_new[:, 0]) * random.normal(size=1000)
for name, fitted in (("one noise", constant), ("noise that varies", model)):
    low, high = fitted.predict_quantiles(X_new, [0.025, 0.975]).T
    inside = (y_new > low) & (y_new < high)
    left, right = (inside[side].mean() for side in (X_new[:, 0] < 3.0, X_new[:, 0] > 7.0))
    nlpd = -fitted.log_density(X_new, y_new).mean()
    print(f"{name}: NLPD {nlpd:.2f}; 95 % intervals hold {left:.0%} left and {right:.0%} right")
