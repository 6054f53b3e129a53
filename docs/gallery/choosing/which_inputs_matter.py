"""
Which inputs matter?
====================

``RVR`` learns the scales of inputs, so that they need no scaling. ``input_relevance_`` says which
inputs the prediction depends on, and how much.
"""

# %%
# Friedman's first function: five of ten inputs matter. Each input has a unit of its own here,
# over nine powers of ten. ``RVR`` takes the frame as it is.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor
from sklearn.inspection import permutation_importance

from sparsebayes import RVR
from sparsebayes.plots import InputRelevanceDisplay

units = {"flow (m³/s)": 1e-4, "pressure (Pa)": 1e5, "gap (m)": 1e-3, "power (W)": 1e3}
units |= {"time (s)": 10.0, "mass (kg)": 0.1, "current (A)": 1e-2, "length (m)": 1.0}
units |= {"speed (rpm)": 1e4, "voltage (V)": 100.0}


def friedman(rows):
    """The true function, of inputs between 0 and 1."""
    a, b, c, d, e = rows.T[:5]
    return 10 * np.sin(np.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e


def in_units(rows):
    """A frame of the same inputs in their units."""
    return pd.DataFrame(rows * np.array(list(units.values())), columns=list(units))


random = np.random.default_rng(0)
rows, rows_test = random.uniform(size=(240, 10)), random.uniform(size=(1000, 10))
X, X_test = in_units(rows), in_units(rows_test)
y = friedman(rows) + random.normal(size=len(rows))

model = RVR().fit(X, y)
forest = RandomForestRegressor(100, random_state=0).fit(X, y)
for name, fitted in (("RVR()", model), ("random forest", forest)):
    error = np.sqrt(np.mean((fitted.predict(X_test) - friedman(rows_test)) ** 2))
    print(f"{name:13}: RMSE {error:.2f} to the true function, with noise of 1.0 in the targets")

# %%
# The bars are ``input_relevance_``: the share of the prediction's variance that an input has a
# part in. It is half the mean square by which the prediction changes when the input takes the
# value of another row. Inputs that act together share their variance, so the sum can exceed one.
#
# Crosses are the same share of the true function. Circles are permutation importances of the
# forest, in the same units. ``RVR`` is close to the truth for all ten inputs. The forest agrees
# on which three matter most. It overrates the first of them, and hardly sees the gap, whose
# effect falls and rises again.

many, others = random.uniform(size=(2, 100_000, 10))
true_share = np.zeros(10)
for k in range(10):
    changed = many.copy()
    changed[:, k] = others[:, k]
    true_share[k] = 0.5 * np.mean((friedman(changed) - friedman(many)) ** 2)
true_share /= friedman(many).var()

of_forest = forest.predict(X_test)
importance = permutation_importance(
    forest, X_test, of_forest, scoring="neg_mean_squared_error", n_repeats=3, random_state=0
)
share_of_forest = 0.5 * importance.importances_mean / of_forest.var()

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
display = InputRelevanceDisplay.from_estimator(model, ax=ax)
shown = [X.columns.get_loc(name) for name in display.names]
height = np.arange(len(shown))
ax.plot(true_share[shown], height, "x", ms=8, mew=2, color="k", label="true function")
ax.plot(share_of_forest[shown], height, "o", mfc="none", mew=2, color="C1", label="random forest")
ax.legend(title="bars: RVR()", loc="lower right")
plt.show()

for name, relevance in zip(model.feature_names_in_, model.input_relevance_, strict=True):
    print(f"{name:14} {relevance:.3f}")
