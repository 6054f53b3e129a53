"""Rows of a Dask collection: fitted partition by partition, predicted lazily."""

import dask.dataframe as dd
import pandas as pd
from sklearn.datasets import make_friedman1

from sparsebayes import RVR

X, y = make_friedman1(20_000, n_features=5, noise=1.0, random_state=0)
names = [f"x{k}" for k in range(5)]
table = dd.from_pandas(pd.DataFrame(X, columns=names).assign(y=y), npartitions=8)  # or read_parquet

model = RVR().fit(table[names], table["y"])
mean, std = model.predict(table[names], return_std=True)  # lazy
predicted = table.assign(mean=mean, std=std)
print(predicted.head(3).round(2))
print(f"{len(model.relevance_)} vectors, noise {model.noise_std_:.3f}")
