"""
Is it calibrated?
=================

A model is calibrated if what it says with a probability of 90 % is true nine times in ten.
``calibration_report`` checks this on rows that were held out, for any regressor with error bars and
any classifier with probabilities.
"""

# %%
# First a regression of five inputs: 200 rows to learn from, 1000 held out. The
# peer is the Gaussian process of scikit-learn, with one width for each input.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_friedman1, make_moons
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.svm import SVC

from sparsebayes import RVC, RVR
from sparsebayes.diagnostics import (
    ClassificationCalibrationDisplay,
    RegressionCalibrationDisplay,
    calibration_report,
)

X, y = make_friedman1(1200, n_features=5, noise=1.0, random_state=0)
rvr = RVR().fit(X[:200], y[:200])
report = calibration_report(rvr, X[200:], y[200:])
print(f"{len(rvr.relevance_)} vectors")
print(report)

# %%
# The left panel has the share of targets inside intervals of every level. The right panel has the
# predicted probability of a smaller target, which is evenly spread if the model is calibrated. Grey
# is what chance allows.

display = RegressionCalibrationDisplay.from_report(report)
display.figure_.suptitle("RVR, rows that it has not seen")
plt.show()

# %%
# The peer, by the same report. ``nlpd`` is minus the mean log density of the held-out targets; it
# judges the means and the error bars at once, and lower is better. Of two calibrated models the one
# with the smaller ``sharpness``, the mean error bar, says more. ``RVR`` is nearly as good as the
# process, which keeps all rows.

kernel = ConstantKernel(10.0) * RBF(np.ones(5)) + WhiteKernel(1.0)
process = GaussianProcessRegressor(kernel, normalize_y=True).fit(X[:200], y[:200])
of_process = calibration_report(process, X[200:], y[200:])
for name, each in (("RVR", report), ("Gaussian process", of_process)):
    print(f"{name:16s} rmse {each.rmse:.3f}, sharpness {each.sharpness:.3f}, nlpd {each.nlpd:.3f}")
    print("    coverage", dict(zip(each.levels.tolist(), each.coverage.tolist(), strict=True)))

# %%
# Then two classes. The peer is a support vector machine with Platt's method, which learns
# probabilities by cross-validation. Dots on the diagonal are calibrated; the bars are two standard
# errors. Below are the numbers of rows.

X, y = make_moons(2200, noise=0.3, random_state=0)
models = {
    "RVC": RVC().fit(X[:200], y[:200]),
    "SVC and Platt": CalibratedClassifierCV(SVC(), ensemble=False).fit(X[:200], y[:200]),
}
figure, axes = plt.subplots(
    2, 2, figsize=(9, 5), sharex=True, sharey="row", height_ratios=(3, 1), layout="constrained"
)
for pair, (name, model) in zip(axes.T, models.items(), strict=True):
    report = calibration_report(model, X[200:], y[200:])
    reliability = ClassificationCalibrationDisplay.from_report(report, ax=pair)
    pair[0].set_title(name)
    print(
        f"{name}: error {report.error:.1%}, log loss {report.log_loss:.3f}, "
        f"expected calibration error {report.expected_calibration_error:.3f}"
    )
plt.show()
