"""
An SVM in a handful of vectors
==============================

``RVC`` draws nearly the same boundary as a support vector machine, with far fewer vectors. It also
returns probabilities, and it needs no cross-validation.
"""

# %%
# Two overlapping classes in the plane: 250 rows to learn from and 5000 rows to test with. The
# best possible classifier has an error of 8 % here. ``SVC`` has two parameters, which a grid search
# chooses. ``RVC`` learns its scales from the data.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from sparsebayes import RVC
from sparsebayes.datasets import ripley_mixture
from sparsebayes.plots import ProbabilityDisplay

X, y = ripley_mixture(250, random_state=0)
X_test, y_test = ripley_mixture(5000, random_state=1)

rvc = RVC().fit(X, y)
grid = {"C": np.logspace(-1, 3, 5), "gamma": np.logspace(-1, 2, 7)}
svc = GridSearchCV(SVC(), grid).fit(X, y).best_estimator_

# %%
# ``ProbabilityDisplay`` circles the vectors of either model. Of ``RVC`` it draws the lines of
# probability 1/4, 1/2 and 3/4. Of ``SVC``, which has no probabilities, it draws the boundary.

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for ax, model in zip(axes, (rvc, svc), strict=True):
    display = ProbabilityDisplay.from_estimator(model, X, y, ax=ax)
    ax.set(title=f"{type(model).__name__}: {len(display.vectors)} vectors", xlabel="first input")
axes[0].set_ylabel("second input")
plt.show()

# %%
# The errors are about the same.

for name, model, vectors in (("RVC", rvc, rvc.relevance_), ("SVC", svc, svc.support_)):
    error = 1.0 - model.score(X_test, y_test)
    loss = "none"
    if hasattr(model, "predict_proba"):
        loss = f"{log_loss(y_test, model.predict_proba(X_test)):.3f}"
    print(f"{name}: {len(vectors):3d} vectors, error {error:.1%}, log loss {loss}")

# %%
# Far from the data ``RVC`` says that it does not know.

print("probability of each class at (10, 10):", rvc.predict_proba([[10.0, 10.0]])[0].round(3))
