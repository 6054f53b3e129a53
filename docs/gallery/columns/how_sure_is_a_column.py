"""
How sure is it that a column matters?
=====================================

``inclusion_`` is the probability that a column has a part in the target. Columns that are nearly
the same share it. ``coef_`` and ``coef_std_`` say how large the part is.
"""

# %%
# A hundred rows of 120 bands, each like its neighbours. Three bands have a part in the amount,
# and band 41 is nearly a copy of band 40, which is one of them.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_selection import SelectFromModel

from sparsebayes import Bias, Linear, SparseBayesRegressor

random = np.random.default_rng(0)
n_rows, n_bands = 100, 120
bands = random.normal(size=(n_rows, n_bands))
for band in range(1, n_bands):
    bands[:, band] = 0.8 * bands[:, band - 1] + 0.6 * bands[:, band]
bands[:, 41] = bands[:, 40] + 0.1 * random.normal(size=n_rows)
true = {10: 1.0, 40: -0.7, 90: 0.4}
amount = 5.0 + bands[:, list(true)] @ list(true.values()) + random.normal(0, 0.5, n_rows)

model = SparseBayesRegressor(Linear() + Bias()).fit(bands, amount)
for band in np.flatnonzero(model.inclusion_ > 0.05):
    print(
        f"band {band:3}: probability {model.inclusion_[band]:.2f}, "
        f"coefficient {model.coef_[band]:+.2f} ± {model.coef_std_[band]:.2f}"
    )

# %%
# ``selected_`` and ``coef_`` are one answer: of two bands that are nearly the same they name one,
# and could have named the other. So the error bar of that coefficient does not say how sure the
# choice is, but ``inclusion_`` does: the two share the probability. A low value means that a
# column shows no effect of its own, not that it has none.
#
# ``Linear(groups=...)`` keeps or drops columns together. Here neighbours are pairs, and the pair
# of copies shares the effect, with error bars that admit how little is known of each.

groups = np.arange(n_bands) // 2
pairs = SparseBayesRegressor(Linear(groups=groups) + Bias()).fit(bands, amount)
print("bands kept one by one:", np.flatnonzero(model.selected_))
print("bands kept in pairs:  ", np.flatnonzero(pairs.selected_))

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
left.bar(np.arange(n_bands), model.inclusion_, width=1.0, color="C0")
left.plot(list(true), [1.06] * 3, "v", color="k", label="bands with a part in the amount")
left.set(xlabel="band", ylabel="inclusion_", ylim=(0, 1.3))
left.legend(fontsize=8)

shown = np.flatnonzero(pairs.selected_ | model.selected_)
place = np.arange(len(shown))
right.axhline(0, color="0.6", lw=0.8)
looks = ((model, -0.12, "o", "C0", "one by one"), (pairs, 0.12, "s", "C1", "in pairs"))
for fitted, shift, mark, colour, name in looks:
    kept = fitted.selected_[shown]
    height, bars = fitted.coef_[shown][kept], 2 * fitted.coef_std_[shown][kept]
    right.errorbar(
        place[kept] + shift, height, bars, fmt=mark, ms=5, color=colour, capsize=3, label=name
    )
right.plot(place, [true.get(band, 0.0) for band in shown], "kx", ms=8, label="true coefficient")
right.set(xlabel="band", ylabel="coefficient ± 2 std")
right.set_xticks(place, shown)
right.legend(fontsize=8)
plt.show()

# %%
# Selectors of scikit-learn take the model, alone or in a pipeline. The threshold keeps all
# columns whose coefficient is not zero.

chosen = SelectFromModel(SparseBayesRegressor(Linear() + Bias()), threshold=1e-10)
print("shape of what is left:", chosen.fit_transform(bands, amount).shape)
