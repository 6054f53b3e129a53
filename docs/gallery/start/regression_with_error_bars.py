"""
A first regression
==================

``RVR`` learns a curve from noisy rows. It keeps a few of the rows, the vectors, and it gives an
error bar with every prediction. There is nothing to tune.
"""

# %%
# One hundred noisy rows of sin(x) / x. The fit learns the width of the kernel, the noise and the
# vectors from these rows.

import matplotlib.pyplot as plt

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc, sinc
from sparsebayes.plots import PredictiveBandDisplay

X, y = noisy_sinc(100, noise_std=0.1, random_state=0)
model = RVR().fit(X, y)
print(f"{len(model.relevance_)} vectors for {len(X)} rows")
print(f"the noise is {model.noise_std_:.3f}, the true one 0.1")

# %%
# The curve is a sum of kernels that stand on the circled rows. The band is two standard deviations
# wide on both sides, so it should hold about 19 of 20 new targets.

figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
display = PredictiveBandDisplay.from_estimator(model, X, y, margin=0.1, ax=ax)
ax.plot(display.grid, sinc(display.grid), ":", color="0.2", label="true function")
ax.set(xlabel="x", ylabel="y")
ax.legend(fontsize=8, loc="upper left")
plt.show()

# %%
# ``predict`` returns the mean, and the standard deviation of a new target if you ask for it.
# ``predict_quantiles`` returns an interval: here the one that holds a new target nine times in ten.

new = [[0.0], [5.0], [20.0]]
mean, std = model.predict(new, return_std=True)
low, _, high = model.predict_quantiles(new, [0.05, 0.5, 0.95]).T
for (x,), m, s, a, b in zip(new, mean, std, low, high, strict=True):
    print(f"x = {x:2g}: {m:5.2f} ± {s:.2f}, nine times in ten from {a:5.2f} to {b:5.2f}")

# %%
# The last row lies far outside the data. There the prediction is the mean of the targets, and the
# error bar is wide.
