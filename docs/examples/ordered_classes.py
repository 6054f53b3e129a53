"""Classes that have an order, such as grades: one function, and cut points on it."""

import numpy as np

from sparsebayes import RVC, Ordinal

random = np.random.default_rng(0)
X = random.uniform(-3.0, 3.0, (300, 2))
quality = 2.0 * np.sin(X[:, 0]) + X[:, 1] + random.logistic(size=300)
grades = np.array(["poor", "fair", "good", "excellent"])
y = grades[np.digitize(quality, [-2.0, 0.0, 2.0])]

model = RVC(likelihood=Ordinal(order=tuple(grades))).fit(X, y)
print("cut points:", model.likelihood_.cut_points.round(2))
order = [list(model.classes_).index(grade) for grade in grades]  # classes_ are sorted by name
for row, probability in zip(X[:3], model.predict_proba(X[:3])[:, order], strict=True):
    told = ", ".join(f"{g} {p:.0%}" for g, p in zip(grades, probability, strict=True))
    print(row.round(1), told)


def grades_off(model):
    """How many grades a prediction is off, on average."""
    rank = {grade: place for place, grade in enumerate(grades)}
    pairs = zip(model.predict(X), y, strict=True)
    return np.mean([abs(rank[a] - rank[b]) for a, b in pairs])


plain = RVC().fit(X, y)
print(f"grades off: {grades_off(model):.2f}, without their order {grades_off(plain):.2f}")
