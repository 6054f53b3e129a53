"""
How long will it last, and how sure is that?
============================================

Learn the remaining life from units that have already failed, and ask for its whole distribution.
The trend of one unit, drawn out into the future, knows nothing of a knee that has not come yet.
"""

# %%
# Simulated battery cells lose capacity slowly, and quickly after a knee. A cell has failed when a
# measurement is below 80 %.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GroupKFold

from sparsebayes import RVR, Bias, Polynomial, SparseBayesRegressor

random = np.random.default_rng(0)
cycles = np.arange(0.0, 4000.0, 10.0)


def simulate():
    fade = 1.1e-4 * np.exp(0.3 * random.normal())
    knee = 0.085 / fade * np.exp(0.1 * random.normal())
    lost = fade * cycles + 0.02 * np.exp(np.minimum((cycles - knee) / random.uniform(80, 140), 6))
    capacity = 1.0 - lost + random.normal(0.0, 0.002, len(cycles))
    return capacity[: np.argmax(capacity < 0.8) + 1]  # the last one is the first below 80 %


cells = [simulate() for _ in range(40)]
life = np.array([cycles[len(cell) - 1] for cell in cells])

# %%
# What a cell shows at an inspection: how many cycles it has run, its capacity, how fast it fades,
# and whether it fades faster than before. The target is the logarithm of the cycles that are left,
# so an error of 10 % counts the same with 50 cycles left as with 500.


def look(cell, at):
    recent, before = slice(at - 10, at + 1), slice(at - 20, at - 9)
    slope, level = np.polyfit(cycles[recent] - cycles[at], cell[recent], 1)
    return cycles[at], level, slope, slope - np.polyfit(cycles[before], cell[before], 1)[0]


inspections = [(k, at) for k in range(40) for at in range(20, len(cells[k]) - 1, 10)]
X = np.array([look(cells[k], at) for k, at in inspections])
which = np.array([k for k, _ in inspections])
y = np.log(life[which] - X[:, 0])

# %%
# Each cell is inspected when half its life is over, by a model that has seen other cells only.
# ``sample_y`` draws what is left from its distribution. The other way is the trend of the cell
# itself: a parabola through its capacities, and the cycle at which each draw first falls below 80
# %.


def by_its_trend(cell, at):
    trend = SparseBayesRegressor(Polynomial(2) + Bias())
    trend.fit(cycles[: at + 1, None] / 1000, cell[: at + 1])
    draws = trend.sample_y(cycles[at:, None] / 1000, 1000)
    draws[-1] = 0.0  # for those that have not crossed by then
    return cycles[at + np.argmax(draws < 0.8, axis=0)]


drawn = {"by other cells": np.empty((40, 1000)), "by its trend": np.empty((40, 1000))}
half = [len(cell) // 2 for cell in cells]
for train, test in GroupKFold(5).split(X, y, which):
    model = RVR().fit(X[train], y[train])
    for k in np.unique(which[test]):
        left_over = np.exp(model.sample_y([look(cells[k], half[k])], 1000)[0])
        drawn["by other cells"][k] = cycles[half[k]] + left_over
        drawn["by its trend"][k] = by_its_trend(cells[k], half[k])

# %%
# On the left one cell, and 90 % intervals of the cycle at which it reaches 80 %. On the right all
# cells. Trends are sure of lives that are far too long. Another basis would not mend that: the
# first half of the curve does not hold the answer, and the other cells do.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for k, cell in enumerate(cells[1:]):
    left.plot(cycles[: len(cell)], cell, color="0.85", lw=0.8, label="" if k else "other cells")
seen, cell = half[0] + 1, cells[0]
left.plot(cycles[:seen], cell[:seen], color="0.2", label="the cell so far")
left.plot(cycles[seen : len(cell)], cell[seen:], ":", color="0.2", label="and later")
for (name, draws), colour, height in zip(drawn.items(), ("C0", "C1"), (0.79, 0.78), strict=True):
    low, middle, high = np.quantile(draws, [0.05, 0.5, 0.95], axis=1)
    left.plot([low[0], high[0]], [height, height], color=colour, lw=3, label=f"80 % {name}")
    left.plot(middle[0], height, "o", color=colour)
    bars = [middle - low, high - middle]
    right.errorbar(life, middle, bars, fmt="o", ms=3, lw=1, color=colour, label=name)
    inside = np.mean((low <= life) & (life <= high))
    off = np.median(np.abs(middle - life) / (life - cycles[half]))
    print(f"{name}: {inside:.0%} of the 90 % intervals hold the life, median error {off:.0%}")
right.axline((500, 500), slope=1, ls=":", color="0.2", label="as it happened")
left.set(xlabel="cycle", ylabel="capacity", ylim=(0.77, 1.01))
right.set(xlabel="life, cycles", ylabel="predicted when half is over", ylim=(0, 3600))
left.legend(fontsize=8)
right.legend(fontsize=8)
plt.show()

# %%
# Errors are relative to the cycles that are left. All this is true of cells like those that failed.
# ``novelty`` says whether one is: here of a typical cell, and of one that has lost a fifth of its
# capacity in no time.

print(model.novelty([look(cells[0], half[0]), (200.0, 0.8, -2e-3, 0.0)]).round(2))
