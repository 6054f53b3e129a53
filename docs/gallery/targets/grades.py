"""
What if classes have an order?
==============================

Grades, stages and ratings are classes with an order. ``Ordinal`` uses it: one function says how
good a row is, and cut points on it separate the grades. Errors are then mostly to the next grade.
"""

# %%
# Four grades of a quality that depends on two inputs. Names need their order, the lowest first;
# numbers and ordered categoricals of pandas bring it along.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import RVC, Ordinal

grades = ("poor", "fair", "good", "excellent")


def graded(n_rows, random):
    X = random.uniform(-3.0, 3.0, (n_rows, 2))
    quality = 2.0 * np.sin(X[:, 0]) + X[:, 1] + random.logistic(size=n_rows)
    return X, np.array(grades)[np.digitize(quality, [-2.0, 0.0, 2.0])]


random = np.random.default_rng(0)
X, y = graded(150, random)
model = RVC(likelihood=Ordinal(order=grades)).fit(X, y)
plain = RVC().fit(X, y)
print("cut points:", model.likelihood_.cut_points.round(2))

# %%
# Probabilities along the second input, with the first at zero. In truth all grades shift upwards
# from left to right. ``RVC()`` does not know that "excellent" is far from "poor", so it leaves the
# highest grade too probable on the left. ``classes_`` and the columns of ``predict_proba`` are
# sorted by name, as in scikit-learn.

along = np.linspace(-3.0, 3.0, 200)
rows = np.column_stack([np.zeros_like(along), along])
column = [list(model.classes_).index(grade) for grade in grades]
colours = plt.get_cmap("cividis")(np.linspace(0.05, 0.95, len(grades)))

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, fitted, title in zip(axes, (model, plain), ("Ordinal", "RVC()"), strict=True):
    ax.stackplot(along, fitted.predict_proba(rows)[:, column].T, labels=grades, colors=colours)
    ax.set(title=title, xlabel="second input", xlim=(-3, 3), ylim=(0, 1))
axes[0].set_ylabel("probability")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
plt.show()

# %%
# On new rows: how many grades a prediction is off, on average, and the log loss. Less is better.
# The grades overlap, so no model can be right all the time.

X_new, y_new = graded(2000, random)
rank = {grade: place for place, grade in enumerate(grades)}
truth = np.array([rank[grade] for grade in y_new])
for name, fitted in (("with the order", model), ("without", plain)):
    probability = fitted.predict_proba(X_new)[:, column]
    off = np.abs(np.array([rank[grade] for grade in fitted.predict(X_new)]) - truth)
    log_loss = -np.log(probability[np.arange(len(truth)), truth]).mean()
    print(
        f"{name}: {off.mean():.3f} grades off, {np.mean(off > 1):.1%} by more than one, "
        f"{np.mean(off > 0):.1%} wrong, log loss {log_loss:.3f}, {len(fitted.relevance_)} vectors"
    )
