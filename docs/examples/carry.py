"""A model leaves Python: as a file, in C, in SQL, as a formula."""

import sqlite3
import tempfile
from pathlib import Path

import numpy as np

import sparsebayes
from sparsebayes import RVR
from sparsebayes.export import to_c, to_sql

random = np.random.default_rng(0)
X = random.uniform(-3, 3, (80, 2))
y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + random.normal(0, 0.1, 80)
model = RVR().fit(X, y)

with tempfile.TemporaryDirectory() as folder:
    model.save(Path(folder) / "model.sbm")  # no pickle
    loaded = sparsebayes.load(Path(folder) / "model.sbm")  # needs NumPy alone
mean, std = loaded.predict([[0.5, 1.0]], return_std=True)
print(f"from the file: {mean[0]:.4f} +- {std[0]:.4f}")

database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE measured (id INTEGER, x0 REAL, x1 REAL)")
database.execute("INSERT INTO measured VALUES (1, 0.5, 1.0)")
_, in_sql, std_in_sql = database.execute(
    to_sql(model, "measured", dialect="sqlite", keep="id")
).fetchone()
print(f"from the database: {in_sql:.4f} +- {std_in_sql:.4f}")
database.close()

header = to_c(model, precision="float")
print(f"a C header of {len(header)} characters: {header.count('static const')} tables")
print(model.drop_covering().formula(digits=3))
