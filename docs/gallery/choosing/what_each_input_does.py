"""
What does each ingredient do?
=============================

A model of effects is a sum: a curve for each input, a map for each pair of inputs, and what more
inputs do together. Each curve has an error band, and each effect has a share of the variance.
"""

# %%
# The strength of concrete, of 400 rows of the table of :doc:`the tutorial
# </auto_tutorial/concrete>`. Engineers take the logarithm of the age, and so do we. ``RVR()`` would
# compare the kernel of effects with a Gaussian one; here it is asked for.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sparsebayes import RVR, InputEffects
from sparsebayes.plots import EffectsDisplay

table = pd.read_csv("../../tutorial/concrete.csv").sample(400, random_state=0)
table["log10_age"] = np.log10(table.pop("age"))
X, y = table.drop(columns="compressive_strength"), table["compressive_strength"]
model = RVR(kernel="effects").fit(X, y)


def print_shares(effects: InputEffects, most: int = 8) -> None:
    """The largest effects, in percent of the variance of the prediction."""
    for names, share in list(effects.shares.items())[:most]:
        print(f"{' and '.join(names) or 'three and more':35} {100 * share:5.1f} %")


effects = model.effects()
print_shares(effects)

# %%
# The six largest effects, in megapascal. Blue bands are two standard deviations of the effect. The
# noise of a single measurement is not in them.

EffectsDisplay.from_estimator(model)
plt.show()

# %%
# Is it true? Friedman's first function tells, since its effects are known. The product of the first
# two inputs has a part that each has alone, and a part that only both have.

random = np.random.default_rng(0)
rows = random.uniform(size=(240, 10))


def friedman(x):
    a, b, c, d, e = x.T[:5]
    return 10 * np.sin(np.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e


# %%
# The dashed curves are the true effects: means of the function over all other inputs.

found = RVR(kernel="effects").fit(rows, friedman(rows) + random.normal(size=240)).effects()
print_shares(found)

others = random.uniform(size=(20_000, 10))
figure, axes = plt.subplots(2, 3, figsize=(9, 5), sharey=True, layout="constrained")
for k, ax in enumerate(axes.flat):
    values, mean, std = found.curve(f"x{k}")
    true = np.empty(len(values))
    for i, value in enumerate(values):
        others[:, k] = value
        true[i] = friedman(others).mean()
    others[:, k] = random.uniform(size=len(others))
    true -= friedman(others).mean()
    ax.plot(values, mean, label="effect")
    ax.fill_between(values, mean - 2 * std, mean + 2 * std, alpha=0.25, lw=0)
    ax.plot(values, true, "k--", lw=1, label="true")
    ax.set_xlabel(f"x{k}")
axes[0, 0].legend()
plt.show()

# %%
# The sixth input does nothing, and its curve says so.
