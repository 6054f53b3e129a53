"""
What do the five inferences do?
===============================

``inference=`` says how vectors and their weights are found. On easy data all five draw nearly the
same curve. They differ in vectors, in steps, and in the error bars beyond the data.
"""

# %%
# The same noisy sinc for all. ``Projection()`` is the default: a Gaussian process, then a few
# vectors that follow it. The others are those of the papers: each weight has a prior precision of
# its own. ``Fast()``, ``Mackay()`` and ``EM()`` maximise the same evidence by different steps,
# and can end at different maxima. ``Variational()`` has a distribution over each precision
# instead of a best value. It predicts with all rows, until ``prune()`` leaves only its vectors.
# All five have the same learned kernel width.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import EM, RVR, Fast, Mackay, Projection, Variational
from sparsebayes.datasets import noisy_sinc, sinc
from sparsebayes.plots import PredictiveBandDisplay

X, y = noisy_sinc(100, noise_std=0.1, random_state=0)
grid = np.linspace(-15, 15, 400)
inside = abs(grid) < 10

models = [
    RVR(inference=inference).fit(X, y)
    for inference in (Projection(), Fast(), Mackay(), EM(), Variational())
]
print(f"{'':14}  vectors  iterations  log evidence  outcome    RMSE")
for model in models:
    error = np.sqrt(np.mean((model.predict(grid[inside, None]) - sinc(grid[inside])) ** 2))
    print(
        f"{model.inference!r:14}  {len(model.relevance_):7}  {model.n_iter_:10}  "
        f"{model.log_evidence_:12.1f}  {model.outcome_.name:9}  {error:.3f}"
    )

# %%
# The data end at -10 and 10. Beyond them only the error bars of ``Projection()`` grow. The others
# are sure of what they cannot know. The log evidence of ``Projection()`` is that of the Gaussian
# process, so it cannot be compared with the other four.

figure, axes = plt.subplots(2, 3, figsize=(9, 5), sharex=True, sharey=True, layout="constrained")
for ax, model in zip(axes.flat, models, strict=False):
    PredictiveBandDisplay.from_estimator(model, X, y, margin=0.25, ax=ax)
    ax.plot(grid, sinc(grid), ":", color="0.2", label="true function")
    ax.set_title(f"{model.inference!r}: {len(model.relevance_)} vectors", fontsize=10)
handles, labels = axes[0, 0].get_legend_handles_labels()
labels = ["vectors" if "vectors" in label else label for label in labels]
axes[1, 2].legend(handles, labels, loc="center")
axes[1, 2].axis("off")
figure.supxlabel("x")
figure.supylabel("y")
plt.show()

# %%
# ``history_`` has an entry for the start and for each iteration. ``Fast()`` begins with a few
# columns, and adds or deletes some at each step. ``EM()`` begins with all columns, far below the
# picture. It climbs in many small steps, and columns leave only near the end.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for model, colour in ((models[1], "C0"), (models[3], "C1")):
    history = model.history_
    for ax, name in zip(axes, ("log_evidence", "n_active"), strict=True):
        values = [getattr(step, name) for step in history]
        label = f"{model.inference!r}, {len(history) - 1} iterations"
        ax.plot(1 + np.arange(len(history)), values, "o-", ms=3, color=colour, label=label)
        ax.set(xscale="log", xlabel="entry of history_")
highest = max(model.log_evidence_ for model in models[1:])
axes[0].set(ylim=(highest - 20, highest + 2), ylabel="log evidence")
axes[1].set(yscale="log", ylabel="columns in the model")
axes[0].legend()
plt.show()
