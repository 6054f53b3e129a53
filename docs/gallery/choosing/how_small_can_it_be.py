"""
How small can the model be?
===========================

``Projection(fidelity=...)`` says how closely the vectors follow the Gaussian process that is fitted
first. A low fidelity makes a small model, a high one comes close to the process.
"""

# %%
# Friedman's first function with noise, 240 rows. A Gaussian process needs all of them to predict.

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from sparsebayes import RVR, Projection

X, y = make_friedman1(240, noise=1.0, random_state=0)
X_test, truth = make_friedman1(1000, noise=0.0, random_state=1)


def error(model):
    """Root mean square error to the true function."""
    return np.sqrt(np.mean((model.predict(X_test) - truth) ** 2))


kernel = ConstantKernel(10.0) * RBF(np.ones(10), (1e-2, 1e8)) + WhiteKernel()
process = error(GaussianProcessRegressor(kernel, normalize_y=True).fit(X, y))
print(f"Gaussian process of scikit-learn: {len(X)} rows, RMSE {process:.2f}")

fidelities = (0.3, 1, 3, 10, 30, 100)
models = [RVR(inference=Projection(fidelity=one)).fit(X, y) for one in fidelities]
vectors = [len(model.relevance_) for model in models]
errors = [error(model) for model in models]

# %%
# Besides its vectors a model has some covering rows. Through them its error bars grow away from
# the data, and they take most of the bytes of a saved model. ``drop_covering()`` drops them:
# predictions stay as they are, but error bars are then too small far away.


def size(model):
    """Bytes of the saved model."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.sbm"
        model.save(file)
        return file.stat().st_size


far = np.full((1, 10), 3.0)  # the rows are between 0 and 1
whole = [size(model) for model in models]
std = [model.predict(far, return_std=True)[1][0] for model in models]
small = [size(model.drop_covering()) for model in models]
std_dropped = [model.predict(far, return_std=True)[1][0] for model in models]

for row in zip(fidelities, vectors, errors, whole, small, std, std_dropped, strict=True):
    print(
        "fidelity {:5}: {:2} vectors, RMSE {:.2f}; {} bytes, {} without covering rows; "
        "std far away {:.1f} and {:.1f}".format(*row)
    )

# %%
# More vectors bring the error closer to that of the process, with less and less to gain. The
# process of scikit-learn is a little better on this function than any of ours: it learns its
# scales without a prior over them.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.plot(vectors, errors, "o-", color="C0", label="RVR, by its fidelity")
for fidelity, place in zip(fidelities, zip(vectors, errors, strict=True), strict=True):
    left.annotate(f"{fidelity:g}", place, (3, 5), textcoords="offset points", fontsize=9)
left.axhline(process, color="C1", ls="--", label=f"Gaussian process, {len(X)} rows")
left.set(xlabel="vectors", ylabel="RMSE to the true function", ylim=(0, 1.2 * max(errors)))
left.margins(x=0.1)
left.legend(fontsize=8, loc="lower left")
right.plot(vectors, np.array(whole) / 1000, "s-", color="C0", label="with covering rows")
right.plot(vectors, np.array(small) / 1000, "s--", color="C1", label="after drop_covering()")
right.set(xlabel="vectors", ylabel="kilobytes of the saved model", ylim=(0, None))
right.legend(fontsize=8)
plt.show()
