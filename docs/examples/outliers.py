"""Ten of a hundred measurements are wrong. Student-t noise finds the curve, and says which."""

import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc

X, y = noisy_sinc(100, noise_std=0.1, random_state=1)
random = np.random.default_rng(0)
wrong = random.permutation(100)[:10]
y[wrong] += random.choice([-1.0, 1.0], 10)

grid = np.linspace(-10.0, 10.0, 400)[:, None]
truth = np.sinc(grid[:, 0] / np.pi)
for likelihood in ("gaussian", "student_t"):
    model = RVR(likelihood=likelihood).fit(X, y)
    error = np.sqrt(np.mean((model.predict(grid) - truth) ** 2))
    print(f"{likelihood}: error {error:.3f} with {len(model.relevance_)} vectors")

print("learned:", model.likelihood_)  # few degrees of freedom: many outliers
found = np.argsort(model.outlier_weight_)[:10]
print(f"{np.isin(found, wrong).sum()} of the ten rows that count least were wrong")
low, high = model.predict_quantiles([[0.0]], [0.05, 0.95])[0]
print(f"a new target at 0 is between {low:.2f} and {high:.2f} in nine of ten cases")
