"""
How sure is it in the gap?
==========================

Error bars should be wide where there are no data. Those of ``RVR`` are: in a gap between the rows,
and beyond them. ``novelty`` says the same in one number, and works for any number of inputs.
"""

# %%
# A noisy sinc, and no rows between 2 and 6.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc, sinc
from sparsebayes.plots import PredictiveBandDisplay

X, y = noisy_sinc(120, noise_std=0.1, random_state=3)
seen = (X[:, 0] < 2.0) | (X[:, 0] > 6.0)
X, y = X[seen], y[seen]

model = RVR().fit(X, y)
print(f"{len(model.relevance_)} vectors for {len(X)} rows, noise {model.noise_std_:.3f}")

# %%
# The default fits a Gaussian process first, and its error bars are those of the process. The
# relevance vector machine of the papers, ``inference="fast"``, is as good in the data. In the gap
# it is sure of what it cannot know.

papers = RVR(inference="fast").fit(X, y)

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, fitted, title in zip(
    axes, (model, papers), ("RVR()", 'RVR(inference="fast")'), strict=True
):
    PredictiveBandDisplay.from_estimator(fitted, X, y, margin=0.25, ax=ax)
    grid = np.linspace(-15, 15, 400)
    ax.plot(grid, sinc(grid), ":", color="0.2", label="true function")
    ax.set(title=title, xlabel="x")
axes[0].set_ylabel("y")
axes[0].legend(fontsize=8, loc="upper left")
plt.show()

# %%
# ``novelty`` is 0 where the data say all there is to know, and 1 where they say nothing.

new = np.array([[0.0], [4.0], [8.0], [12.0], [1e6]])
mean, std = model.predict(new, return_std=True)
for x, m, s, novelty in zip(new[:, 0], mean, std, model.novelty(new), strict=True):
    print(f"x = {x:9g}: {m:5.2f} ± {s:.2f}, novelty {novelty:.2f}")
