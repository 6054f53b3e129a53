"""Three classes, in one model or each against the rest, and three outputs on one set of vectors."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from sparsebayes import RVC, RVR

iris = load_iris()
labels = iris.target_names[iris.target]
X, X_test, y, y_test = train_test_split(iris.data, labels, random_state=0, stratify=labels)
for options in (
    {},
    {"multi_class": "ovr"},
    {"multi_class": "ovr", "inference": "fast"},
    {"inference": "variational"},
):
    model = RVC(**options).fit(X, y)
    loss = log_loss(y_test, model.predict_proba(X_test))
    print(f"{options}: {len(model.relevance_)} vectors, log loss {loss:.3f}")
print(dict(zip(model.classes_, model.predict_proba(X_test[:1])[0].round(3), strict=True)))

random = np.random.default_rng(0)
x = random.uniform(-10, 10, (200, 1))
truth = np.column_stack([np.sin(x[:, 0]), np.cos(x[:, 0]), np.sin(x[:, 0]) + np.cos(x[:, 0])])
outputs = truth + random.normal(0, [0.1, 0.2, 0.3], truth.shape)
for kind in ("shared", "separate"):
    model = RVR(gamma=0.5, multi_output=kind).fit(x, outputs)
    mean, std = model.predict(x, return_std=True)
    rms = np.sqrt(np.mean((mean - truth) ** 2, axis=0))
    print(f"{kind}: {len(model.relevance_)} vectors, RMS {rms.round(3)}, {std.shape}")
