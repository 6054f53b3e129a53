"""
How well is the noise itself known?
===================================

With few rows the noise is a guess. ``inference="variational"`` gives a distribution of it in place
of one number, ``noise_posterior_``. The distribution becomes narrow as rows are added.
"""

# %%
# A noisy sinc with 15, 50 and 200 rows, each drawn five times. ``noise_posterior_`` is the Gamma
# distribution of the noise precision, one over the squared noise. The picture has the density of
# the noise itself, and each line is another draw of the data.

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import gamma

from sparsebayes import RVR, Gamma, Variational, student_t
from sparsebayes.datasets import noisy_sinc

TRUE_NOISE = 0.1
ROWS = (15, 50, 200)
models = {
    (n, draw): RVR(inference="variational").fit(*noisy_sinc(n, TRUE_NOISE, random_state=draw))
    for n in ROWS
    for draw in range(5)
}

noise = np.linspace(0.02, 0.2, 400)
figure, axes = plt.subplots(1, 3, figsize=(9, 3.5), sharex=True, layout="constrained")
for n, ax in zip(ROWS, axes, strict=True):
    for draw in range(5):
        posterior = models[n, draw].noise_posterior_
        precision = gamma(posterior.shape, scale=1.0 / posterior.rate)
        density = precision.pdf(noise**-2) * 2.0 * noise**-3
        ax.plot(noise, density, color="C0", alpha=0.7, label="one draw" if draw == 0 else None)
    ax.axvline(TRUE_NOISE, color="0.2", ls="--", label="true noise")
    ax.set(title=f"{n} rows", xlabel="noise", yticks=[], ylim=(0, None))
axes[0].set_ylabel("density")
axes[0].legend(fontsize=8, loc="upper right")
plt.show()

# %%
# The same as intervals of 90 %. With few rows they are too narrow, and miss the true noise too
# often. The approximation counts every row for the noise, although some are used up for the
# weights. Take the distribution as an indication when rows are few.

for n in ROWS:
    posteriors = [models[n, draw].noise_posterior_ for draw in range(5)]
    ends = [gamma(p.shape, scale=1.0 / p.rate).ppf([0.95, 0.05]) ** -0.5 for p in posteriors]
    print(f"{n:3d} rows:", ", ".join(f"{low:.3f} to {high:.3f}" for low, high in ends))

# %%
# The distribution goes into the quantiles: with few rows their tails are heavier than those of a
# Gaussian with the same standard deviation. For an interval to report, take the default ``RVR()``
# all the same: it also knows that the function is uncertain between few rows.

for n in ROWS:
    mean, std = models[n, 2].predict([[0.5]], return_std=True)
    tail = models[n, 2].predict_quantiles([[0.5]], [0.999])[0, 0]
    print(f"{n:3d} rows: the 99.9 % quantile is {(tail - mean[0]) / std[0]:.2f} std away")

# %%
# ``lower_bound_`` is a lower bound of the log evidence. It compares kernels or priors on the same
# rows. Here are three priors over the precisions of the weights: the default, which is very broad
# and pays for that with every column, a narrower one, and one that makes each weight Student-t. All
# columns stay in the model; ``prune`` drops those that do not pay.

X, y = noisy_sinc(50, TRUE_NOISE, random_state=2)
priors = {"default": None, "Gamma(0.1, 0.1)": Gamma(0.1, 0.1), "student_t(1)": student_t(1.0)}
for name, prior in priors.items():
    model = RVR(inference=Variational(weight_hyperprior=prior)).fit(X, y)
    before, n_columns = model.predict(X), len(model.weights_)
    moved = np.abs(model.prune().predict(X) - before).max()
    print(
        f"{name:16s} lower bound {model.lower_bound_:7.1f}; pruned from {n_columns} columns to "
        f"{len(model.weights_)}, which moved the curve by at most {moved:.4f}"
    )
