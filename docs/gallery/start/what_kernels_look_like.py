"""
What do the kernels look like?
==============================

A kernel says how far a vector reaches and how smooth the curve is. Here is each of them with the
curve that it fits to the same thirty rows. If in doubt, keep the default. For one input it is the
Gaussian one.
"""

# %%
# ``RVR(kernel=...)`` knows the kernels by a word. ``SparseBayesRegressor`` takes them as objects
# that can be added to other columns with ``+``. Any function of two arrays of rows is a kernel too,
# such as the periodic one here, and so is a kernel object of scikit-learn. The widths are given,
# for the comparison; ``RVR`` learns them.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.gaussian_process.kernels import RBF, DotProduct

from sparsebayes import (
    Basis,
    Bias,
    CallableKernel,
    CauchyKernel,
    GaussianKernel,
    GivenColumns,
    LaplacianKernel,
    Linear,
    LinearKernel,
    LinearSplineKernel,
    Matern12Kernel,
    Matern32Kernel,
    Matern52Kernel,
    PolynomialKernel,
    PrecomputedKernel,
    ProcessKernel,
    SigmoidKernel,
    SparseBayesRegressor,
)
from sparsebayes.plots import PredictiveBandDisplay


def periodic(rows, centres, period=2.0):
    return np.exp(-2.0 * np.sin(np.pi * (rows - centres.T) / period) ** 2)


kernels = {
    '"rbf"': GaussianKernel(width=0.7),
    '"laplacian"': LaplacianKernel(width=0.7),
    '"cauchy"': CauchyKernel(width=0.7),
    '"matern12"': Matern12Kernel(width=0.7),
    '"matern32"': Matern32Kernel(width=0.7),
    '"matern52"': Matern52Kernel(width=0.7),
    '"linear"': LinearKernel(),
    '"poly"': PolynomialKernel(degree=3),
    '"sigmoid"': SigmoidKernel(),
    '"linear_spline"': LinearSplineKernel(),
    "a function: periodic": CallableKernel(periodic),
    "an object: a sum": ProcessKernel(DotProduct() + RBF(0.5)),
}

# %%
# Thirty rows of a wave on a slope. Above each fit are three of the kernels that it may choose from,
# one on the first row, one in the middle and one on the last row (``bind`` makes the columns of a
# basis). The fit is a sum of such kernels on the circled vectors, and a constant. Beyond the data
# these bands are too narrow; those of ``RVR`` are not.

random = np.random.default_rng(0)
x = np.sort(random.uniform(0.0, 4.0, 30))
y = np.sin(np.pi * x) + 0.7 * x + random.normal(0.0, 0.15, 30)
X, grid = x[:, None], np.linspace(-0.5, 5.5, 300)[:, None]

layout = {"height_ratios": (1, 2) * 3, "layout": "constrained"}
figure, axes = plt.subplots(6, 4, figsize=(9, 10), sharex=True, **layout)
for k, (name, kernel) in enumerate(kernels.items()):
    above, below = axes[2 * (k // 4) : 2 * (k // 4) + 2, k % 4]
    columns = kernel.bind(X, np.ones(30)).evaluate(grid)
    above.plot(grid, columns[:, [0, 15, 29]])
    above.set(title=name, yticks=[])
    model = SparseBayesRegressor(kernel + Bias()).fit(X, y)
    PredictiveBandDisplay.from_estimator(model, X, y, margin=0.3, ax=below)
    below.set(xlim=(-0.5, 5.5), ylim=(-2, 5))
    print(f"{name:22s} {len(model.relevance_):2d} vectors, noise {model.noise_std_:.2f}")
figure.supxlabel("x")
for ax, label in zip(axes[:, 0], ("kernels", "fit") * 3, strict=True):
    ax.set_ylabel(label)
plt.show()

# %%
# The first six kernels are local, and follow the wave. Those with corners, "laplacian" and
# "matern12", follow some of the noise too. Of the others, the last follows wave and slope: it is a
# kernel object of scikit-learn, whose parameters are learned. The rest miss the wave or the slope,
# and call what they miss noise. Only the periodic kernel would go on with the wave. It knows no
# slope, so add one: kernels and other columns make a sum, which is a ``Basis`` again.

own = GivenColumns(lambda rows: np.hstack([rows, np.sin(np.pi * rows)]))
for basis in (CallableKernel(periodic) + Linear() + Bias(), own + Bias()):
    model = SparseBayesRegressor(basis).fit(X, y)
    names = " + ".join(name for name, _ in basis.parts)
    print(f"{names}: {len(model.weights_)} columns, noise {model.noise_std_:.2f}")
print("a sum is a basis:", isinstance(basis, Basis))

# %%
# Do you have the kernel values already? ``PrecomputedKernel`` takes the matrix in place of the
# inputs.

model = SparseBayesRegressor(PrecomputedKernel() + Bias()).fit(periodic(X, X), y)
print("at x = 5:", model.predict(periodic(np.array([[5.0]]), X)).round(2))
