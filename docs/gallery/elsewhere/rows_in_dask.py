"""
Can the rows stay in Dask?
==========================

Yes. ``fit`` takes columns of a ``dask.dataframe`` and reads them partition by partition.
Predictions of Dask columns are lazy: they are computed when you ask for them, where the rows are.
"""

# %%
# A table of sensors in eight Parquet files, in a temporary folder.

import tempfile
from pathlib import Path

import dask
import dask.dataframe as dd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sparsebayes import RVR

random = np.random.default_rng(0)
folder = tempfile.TemporaryDirectory()
for month in range(8):
    load, wind = random.uniform(0.0, 10.0, 3000), random.uniform(0.0, 5.0, 3000)
    heat = 20.0 + 3.0 * np.sin(load) + load - 2.0 * np.sqrt(wind) + random.normal(0.0, 1.0, 3000)
    table = pd.DataFrame({"load": load, "wind": wind, "heat": heat})
    table.to_parquet(Path(folder.name) / f"month_{month}.parquet")

# %%
# Nothing is loaded as a whole. Rows are read a few times, block by block.

rows = dd.read_parquet(f"{folder.name}/*.parquet")
model = RVR().fit(rows[["load", "wind"]], rows["heat"])
print(f"{rows.npartitions} partitions, {len(rows)} rows")
print(f"{len(model.relevance_)} vectors, noise {model.noise_std_:.3f} (true noise 1)")

# %%
# Predictions are columns of Dask, and can be assigned to the table or written to files.

mean, std = model.predict(rows[["load", "wind"]], return_std=True)  # nothing is computed yet
print("mean is a", type(mean).__name__)
predicted = rows.assign(mean=mean, std=std)
print(predicted.head(3).round(2))

# %%
# Dask computes summaries of each partition, and only these come back. So you see whether one file
# is unlike the others. On the left, the effect of the load at a wind of 1, with rows near it.

edges = np.linspace(-4.0, 4.0, 33)


def histogram(part):
    score = (part["heat"] - part["mean"]) / part["std"]
    return pd.DataFrame([np.histogram(score, edges)[0]])


counts = predicted.map_partitions(histogram, meta=dict.fromkeys(range(32), int))
near = rows[(rows["wind"] > 0.9) & (rows["wind"] < 1.1)]
counts, near = dask.compute(counts, near)

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
grid = pd.DataFrame({"load": np.linspace(0.0, 10.0, 200), "wind": 1.0})
mean, std = model.predict(grid, return_std=True)
left.fill_between(grid["load"], mean - 2 * std, mean + 2 * std, color="C0", alpha=0.2, lw=0)
left.plot(grid["load"], mean, color="C0", label="mean ± 2 std")
left.plot(near["load"], near["heat"], ".", color="0.4", ms=3, label="rows with wind near 1")
left.set(xlabel="load", ylabel="heat")
left.legend(fontsize=8)
for k, count in enumerate(counts.to_numpy()):
    right.stairs(count, edges, color="C0", alpha=0.5, label=None if k else "each partition")
middle = 0.5 * (edges[1:] + edges[:-1])
gauss = np.exp(-0.5 * middle**2) / np.sqrt(2 * np.pi) * (edges[1] - edges[0]) * 3000
right.plot(middle, gauss, ":", color="0.2", label="expected")
right.set(xlabel="error / predicted std", ylabel="rows")
right.legend(fontsize=8)
plt.show()
folder.cleanup()
