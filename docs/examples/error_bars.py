"""Error bars that grow where there are no data, rows that are new, and a check of calibration."""

import matplotlib

matplotlib.use("Agg")

import numpy as np

from sparsebayes import RVR
from sparsebayes.datasets import noisy_sinc
from sparsebayes.diagnostics import RegressionCalibrationDisplay, calibration_report
from sparsebayes.plots import PredictiveBandDisplay

X, y = noisy_sinc(120, noise_std=0.1, random_state=3)
seen = (X[:, 0] < 2.0) | (X[:, 0] > 6.0)
model = RVR().fit(X[seen], y[seen])
print(f"{len(model.relevance_)} vectors, {len(model.covering_)} covering rows")

new = np.array([[0.0], [4.0], [8.0], [12.0], [1e6]])
mean, std = model.predict(new, return_std=True)
for row in zip(new[:, 0], mean, std, model.novelty(new), strict=True):
    print("x {:g}: {:.2f} +- {:.2f}, novelty {:.2f}".format(*row))

X_test, y_test = noisy_sinc(300, noise_std=0.1, random_state=4)
near = (X_test[:, 0] < 2.0) | (X_test[:, 0] > 6.0)
report = calibration_report(model, X_test[near], y_test[near])
print(report)
RegressionCalibrationDisplay.from_report(report).figure_.savefig("calibration.png")
PredictiveBandDisplay.from_estimator(model, X[seen], y[seen], margin=0.25).figure_.savefig(
    "band.png"
)

small = model.drop_covering()
print("without covering rows:", small.predict(new, return_std=True)[1].round(2))
