"""Two classes with contours of their probability, for the landing page and the README."""

import matplotlib.pyplot as plt

from sparsebayes import RVC
from sparsebayes.datasets import ripley_mixture
from sparsebayes.plots import ProbabilityDisplay

X, y = ripley_mixture(250, random_state=0)
model = RVC().fit(X, y)

figure, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
ProbabilityDisplay.from_estimator(model, X, y, levels=[0.1, 0.3, 0.5, 0.7, 0.9], ax=ax)
ax.set_title(f"{len(X)} rows, {len(model.relevance_)} vectors: a probability everywhere")
ax.plot([], [], "x", color="C0", label="class 0")
ax.plot([], [], ".", color="C1", label="class 1")
ax.set(xlabel="first input", ylabel="second input")
ax.legend(fontsize=8, loc="upper left")
plt.show()
