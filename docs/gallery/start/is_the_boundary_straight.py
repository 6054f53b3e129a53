"""
Is the boundary straight?
=========================

``SparseBayesClassifier`` takes any basis. Fit a straight, a quadratic and a free boundary to the
same rows, and ask the evidence which of them the data prefer. No rows are held out.
"""

# %%
# Two sets of classes: one whose true boundary is a line, and one where it is a circle.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import Bias, GaussianKernel, Linear, Outcome, Polynomial, SparseBayesClassifier
from sparsebayes.plots import ProbabilityDisplay

random = np.random.default_rng(0)
X = random.uniform(-2.0, 2.0, (200, 2))
noise = random.logistic(0.0, 0.5, 200)
sets = {
    "a line": X[:, 0] + X[:, 1] + noise > 0.0,
    "a circle": 2.0 - np.sum(X**2, axis=1) + noise > 0.0,
}
bases = {
    "straight": Linear() + Bias(),
    "quadratic": Polynomial(degree=2) + Bias(),
    "free": GaussianKernel(input_scale="learn") + Bias(),
}

# %%
# For the circle a line is out of the question: its log evidence is far below the others. Where
# bases can make the same boundary their evidence is nearly the same, and a difference of one or two
# decides nothing. Take the simpler one then.

figure, axes = plt.subplots(2, 3, figsize=(9, 5.5), sharex=True, sharey=True, layout="constrained")
for row, (truth, y) in zip(axes, sets.items(), strict=True):
    for ax, (name, basis) in zip(row, bases.items(), strict=True):
        model = SparseBayesClassifier(basis).fit(X, y)
        assert model.outcome_ is Outcome.CONVERGED
        ProbabilityDisplay.from_estimator(model, X, y, levels=[0.5], ax=ax)
        ax.set_title(f"{name}: log evidence {model.log_evidence_:.1f}", fontsize=10)
        print(f"in truth {truth}, {name}: columns {', '.join(model.column_names_)}")
    row[0].set_ylabel(f"in truth {truth}")
plt.show()
