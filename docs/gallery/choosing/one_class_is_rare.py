"""
What if one class is rare?
==========================

Fit ``RVC()`` as it is, and compare its probability with a threshold that follows from your costs.
``class_weight="balanced"`` moves the boundary inside the fit. That costs about the same, but spoils
the probabilities.
"""

# %%
# Twenty of 600 rows are faults. A missed fault costs as much as thirty false alarms, so an alarm
# pays where the probability of a fault is above 1 / (1 + 30).

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import average_precision_score, precision_recall_curve

from sparsebayes import RVC

COST_OF_A_MISS = 30
LOW = 1 / (1 + COST_OF_A_MISS)
RULES = (("RVC()", 0.5), ("RVC()", LOW), ("balanced", 0.5))


def draw(n_rows, random):
    """Two classes that overlap; one row in thirty is a fault."""
    X = random.normal(size=(n_rows, 2))
    fault = np.arange(n_rows) % 30 == 0
    X[fault] = 0.8 * X[fault] + [1.6, 1.2]
    return X, fault


def judged(p, threshold):
    """Share of missed faults, share of false alarms, cost per row, ranking, mean probability."""
    missed, false = np.mean(p[fault_new] <= threshold), np.mean(p[~fault_new] > threshold)
    cost = COST_OF_A_MISS * missed * fault_new.mean() + false * np.mean(~fault_new)
    return missed, false, cost, average_precision_score(fault_new, p), p.mean()


found = []
for seed in range(5):
    random = np.random.default_rng(seed)
    (X, fault), (X_new, fault_new) = draw(600, random), draw(12_000, random)
    models = {"RVC()": RVC().fit(X, fault)}
    models["balanced"] = RVC(class_weight="balanced").fit(X, fault)
    p_new = {name: model.predict_proba(X_new)[:, 1] for name, model in models.items()}
    found.append([judged(p_new[name], threshold) for name, threshold in RULES])

print(f"means over five draws; {fault_new.mean():.3f} of the rows are faults")
print("model, threshold  missed  false alarms  cost  average precision  mean probability")
for (name, threshold), numbers in zip(RULES, np.mean(found, axis=0), strict=True):
    row = "{:6.0%}  {:12.1%}  {:.2f}  {:17.2f}  {:16.3f}".format(*numbers)
    print(f"{name:9} {threshold:.3f}   {row}")

# %%
# The last of these draws. The threshold that follows from the costs finds most faults, and so do
# weights, at about the same cost; the two rank new rows about equally well. But the mean
# probability of the model without weights is about the true share of faults, so its threshold can
# follow when the costs change.
#
# Far from all rows the probability goes to 1/2. So a low threshold raises the alarm there, too,
# as at the top left and the bottom right: these places are not known.

side = np.linspace(-3.8, 3.8, 150)
grid = np.column_stack([part.ravel() for part in np.meshgrid(side, side)])

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.plot(*X[~fault].T, ".", color="0.7", ms=4, label="600 rows")
left.plot(*X[fault].T, "^", color="k", ms=5, label="faults")
looks = ({"color": "C0", "ls": "--", "mfc": "w"}, {"color": "C0"}, {"color": "C1"})
for (name, threshold), look in zip(RULES, looks, strict=True):
    p = models[name].predict_proba(grid)[:, 1].reshape(150, 150)
    left.contour(side, side, p, [threshold], colors=look["color"], linestyles=look.get("ls", "-"))
    precision, recall, _ = precision_recall_curve(fault_new, p_new[name])
    right.plot(recall, precision, color=look["color"], lw=1)
    alarm = p_new[name] > threshold
    place = [np.mean(alarm[fault_new])], [np.mean(fault_new[alarm])]
    right.plot(*place, marker="o", ms=9, **look, label=f"{name} above {threshold:.2g}")
left.set(xlabel="x0", ylabel="x1", title="where the alarm begins")
right.set(xlabel="share of faults that are found", ylabel="share of alarms that are faults")
left.legend(fontsize=8, loc="upper left")
right.legend()
plt.show()
