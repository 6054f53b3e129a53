"""
Joint probabilities of three classes
====================================

With three or more classes ``RVC`` fits one joint model. Its probabilities sum to one, all classes
share the same vectors, and far from the data every class is equally likely.
"""

# %%
# Three curved classes that overlap a little: 150 rows to learn from and 3000 rows to test with.

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.svm import SVC

from sparsebayes import RVC, load


def three_classes(n_samples, random_state):
    random = np.random.default_rng(random_state)
    label = np.arange(n_samples) % 3
    radius = random.uniform(0.5, 3.5, n_samples)
    angle = 2.0 * np.pi * label / 3 + 0.8 * radius + random.normal(0.0, 0.5, n_samples)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), label


X, y = three_classes(150, random_state=0)
X_test, y_test = three_classes(3000, random_state=1)
model = RVC().fit(X, y)

# %%
# The colour of a point mixes those of the classes by their probabilities. It fades to white where
# no class stands out. The lines are where two classes are equally likely.

colours = np.array([[0.12, 0.47, 0.71], [1.0, 0.5, 0.05], [0.0, 0.62, 0.45]])
side = np.linspace(-6.0, 6.0, 150)
first, second = np.meshgrid(side, side)
probability = model.predict_proba(np.column_stack([first.ravel(), second.ravel()]))
strength = 1.5 * (probability.max(axis=1, keepdims=True) - 1 / 3)
picture = strength * (probability @ colours) + 1.0 - strength

figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
ax.imshow(picture.reshape(150, 150, 3), extent=(-6, 6, -6, 6), origin="lower", alpha=0.6)
for k in range(3):
    lead = probability[:, k] - np.delete(probability, k, axis=1).max(axis=1)
    ax.contour(side, side, lead.reshape(150, 150), levels=[0.0], colors="0.3", linewidths=1)
for k, mark in enumerate("osD"):
    kind = {"color": colours[k], "mec": "white", "mew": 0.4, "ms": 5}
    ax.plot(*X[y == k].T, mark, label=f"class {k}", **kind)
label = f"{len(model.relevance_)} vectors"
ax.plot(*model.relevance_vectors_.T, "o", mfc="none", mec="C3", ms=11, label=label)
ax.set(xlabel="first input", ylabel="second input")
ax.legend(fontsize=8, loc="upper left")
plt.show()

# %%
# Between two classes the model mixes them. Far away it says that it does not know.

for place in ([2.0, 0.0], [1.0, 1.7], [0.0, 0.0], [50.0, 50.0]):
    p = model.predict_proba([place])[0]
    print(f"at {place}: {p.round(3)}, sum {p.sum():.3f}")

# %%
# The log loss judges the probabilities on new rows; lower is better. The peers are logistic
# regression and an untuned support vector machine whose scores Platt's method turns into
# probabilities. Logistic regression draws straight boundaries, which do not fit these classes.
# Where boundaries are nearly straight, it is the better choice.

peers = {
    "RVC": model,
    "logistic regression": LogisticRegression().fit(X, y),
    "SVC and Platt": CalibratedClassifierCV(SVC(), ensemble=False).fit(X, y),
}
for name, peer in peers.items():
    loss = log_loss(y_test, peer.predict_proba(X_test))
    print(f"{name:20s} log loss {loss:.3f}, error {1 - peer.score(X_test, y_test):.1%}")

# %%
# A file of the model predicts without scikit-learn, and says the same.

with tempfile.TemporaryDirectory() as folder:
    model.save(Path(folder) / "classes.sbm")
    loaded = load(Path(folder) / "classes.sbm")
gap = np.abs(loaded.predict_proba(X_test) - model.predict_proba(X_test)).max()
print(f"{type(loaded).__name__}: probabilities differ by at most {gap:.0e}")
