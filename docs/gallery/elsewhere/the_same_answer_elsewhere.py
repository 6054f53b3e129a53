"""
The same answer in a file, in SQL and as a formula
==================================================

A fitted model can leave Python: as a file that runs nothing when it is read, as one SQL statement,
as ONNX, as JSON, as a table and as a formula. All of them give the answer of ``predict``, up to
the digits that you ask for.
"""

# %%
# A model of two inputs, and rows to compare the answers on.

import json
import sqlite3
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from onnx.reference import ReferenceEvaluator

import sparsebayes
from sparsebayes import RVR, ModelFileError, NotPortableError
from sparsebayes.export import skops_types, to_frame, to_json, to_onnx, to_sql

random = np.random.default_rng(0)
X = random.uniform(-3, 3, (80, 2))
y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + random.normal(0, 0.1, 80)
model = RVR().fit(X, y)
rows = random.uniform(-3, 3, (200, 2))
mean, std = model.predict(rows, return_std=True)
means = {}

# %%
# **A file.** ``load`` needs NumPy alone, neither SciPy nor scikit-learn, so it is quick to start. A
# file that is damaged is refused. (``skops_types`` lists what to trust if you prefer skops.)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "model.sbm"
    model.save(path)
    loaded = sparsebayes.load(path)
    print(f"{type(loaded).__name__}, {path.stat().st_size} bytes; {len(skops_types())} skops types")
    damaged = bytearray(path.read_bytes())
    damaged[-100] ^= 1
    path.write_bytes(damaged)
    try:
        sparsebayes.load(path)
    except ModelFileError as error:
        print("refused:", error)
means["file"] = loaded.predict(rows)

# %%
# **SQL.** One SELECT with mean and standard deviation, here in SQLite.

database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE measured (id INTEGER, x0 REAL, x1 REAL)")
table = [(k, *map(float, row)) for k, row in enumerate(rows)]
database.executemany("INSERT INTO measured VALUES (?, ?, ?)", table)
statement = to_sql(model, "measured", dialect="sqlite", keep="id")
answers = np.array(database.execute(f"{statement} ORDER BY id").fetchall())
database.close()
means["SQL"] = answers[:, 1]
print(f"std in SQL: within {np.abs(answers[:, 2] / std - 1).max():.0e} of that of predict")

# %%
# **ONNX.** The evaluator of the package ``onnx`` is enough to try it.

proto = to_onnx(model)
print("outputs of ONNX:", [output.name for output in proto.graph.output])
means["ONNX"] = ReferenceEvaluator(proto).run(None, {"X": rows})[0]

# %%
# **JSON, a table, a formula.** The mean is a sum of kernels, which any language can do.


def summed(weights, vectors, gamma, offset):
    distance = ((rows[:, None] - np.asarray(vectors)) ** 2 * np.asarray(gamma)).sum(axis=2)
    return np.exp(-distance) @ np.ravel(weights) + offset


fields = json.loads(to_json(model))["model"]["fields"]
plain = fields["plain"]["fields"]
kernel = plain["columns"]["tuple"][0]["fields"]
gamma = dict(kernel["parameters"]["mapping"])["gamma"]
offset = fields["response"]["fields"]["offset"]
means["JSON"] = summed(plain["weights"], kernel["items"], gamma, offset)

frame = to_frame(model)
parts = frame["weight"], frame[["x0", "x1"]], model.gamma_, model.offset_
means["table"] = summed(*parts)
print(frame.head(3).round(3))
print(model.formula(digits=4))

# %%
# A formula has as many digits as you ask for. Weights of wide kernels are large and nearly cancel,
# so four digits are for reading, and seventeen are for computing. For the picture, the numbers of
# the table are rounded as those of the formula are.

for digits in (8, 4):
    to_digits = np.vectorize(lambda value, n=digits: float(f"{value:.{n}g}"))
    means[f"formula, {digits} digits"] = summed(*map(to_digits, parts))

gaps = {name: np.abs((answer - mean) / std).max() for name, answer in means.items()}
figure, ax = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
ax.hlines(list(gaps), 1e-16, list(gaps.values()), color="0.8")
ax.plot(list(gaps.values()), list(gaps), "o", color="C0")
ax.set(xscale="log", xlim=(1e-16, 2), xlabel="largest difference to predict, in std")
ax.invert_yaxis()
plt.show()

# %%
# A function of your own stays in Python. Such a model is refused, and pickle is what is left.

own = RVR(kernel=lambda a, b: 1.0 + a @ b.T).fit(X, y)
try:
    own.save("model.sbm")
except NotPortableError as error:
    print("refused:", error)
