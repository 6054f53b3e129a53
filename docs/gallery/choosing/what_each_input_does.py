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

from sparsebayes import RVR, EffectsKernel, InputEffects, SparseBayesRegressor
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
# Is it true? Friedman's first function tells, since its effects are known. Five of ten inputs
# matter, and the first two have a part that only both have together. The kernel can stand in a
# basis, too.

random = np.random.default_rng(0)
rows = random.uniform(size=(240, 10))


def friedman(x):
    a, b, c, d, e = x.T[:5]
    return 10 * np.sin(np.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e


y = friedman(rows) + random.normal(size=240)
found = SparseBayesRegressor(EffectsKernel()).fit(rows, y).effects()
print_shares(found)

# %%
# Dashed are the true effects: means of the function over the other inputs, each with the values
# that it has in the rows. The map is what the first two inputs do beside their own curves.

drawn = np.column_stack([random.choice(column, 20_000) for column in rows.T])


def true_effect(k, values):
    """Mean of the function for each value of input k, less that over the rows."""
    means = []
    for value in [*values, *rows[:, k]]:
        drawn_here = drawn.copy()
        drawn_here[:, k] = value
        means.append(friedman(drawn_here).mean())
    return np.array(means[: len(values)]) - np.mean(means[len(values) :])


figure, axes = plt.subplots(2, 3, figsize=(9, 5), layout="constrained")
for k, ax in enumerate(axes.flat[:5]):
    values, mean, std = found.curve(f"x{k}")
    true = true_effect(k, values)
    inside = np.mean(np.abs(mean - true) < 2 * std)
    ax.plot(values, mean, label="effect ± 2 std")
    ax.fill_between(values, mean - 2 * std, mean + 2 * std, alpha=0.25, lw=0)
    ax.plot(values, true, "k--", lw=1, label="true")
    ax.set(xlabel=f"x{k}", title=f"{inside:.0%} in the band", ylim=(-6, 6))
axes[0, 0].legend()
first, second, mean, _ = found.surface("x0", "x1")
map_of_pair = axes[1, 2].pcolormesh(first, second, mean.T, cmap="RdBu_r", vmin=-4, vmax=4)
axes[1, 2].set(xlabel="x0", ylabel="x1", title="x0 and x1 together")
figure.colorbar(map_of_pair)
plt.show()
