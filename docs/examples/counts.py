"""Counts: how many events a day, with quantiles that are whole numbers."""

import numpy as np

from sparsebayes import RVR

random = np.random.default_rng(0)
X = random.uniform(0.0, 10.0, (300, 1))
rate = np.exp(1.0 + np.sin(X[:, 0]))

# Poisson counts: the variance is the mean.
y = random.poisson(rate)
model = RVR(likelihood="poisson").fit(X, y)
print(f"{len(model.relevance_)} vectors explain {model.score(X, y):.0%} of the deviance")
new = np.array([[1.5], [4.7]])
for x, mean, (low, high) in zip(
    new[:, 0], model.predict(new), model.predict_quantiles(new, [0.05, 0.95]), strict=True
):
    print(f"at {x:g}: {mean:.1f} on average, {low:.0f} to {high:.0f} in nine of ten cases")

# Counted over different times: pass the time as exposure, and predictions are for one unit of it.
hours = random.uniform(0.5, 8.0, 300)
counted = random.poisson(hours * rate)
by_hour = RVR(likelihood="poisson").fit(X, counted, exposure=hours)
print("events an hour:", by_hour.predict(new).round(1))
# The same as in scikit-learn's PoissonRegressor: rates as targets, exposures as weights.
as_rates = RVR(likelihood="poisson").fit(X, counted / hours, sample_weight=hours)
print("the same from rates:", as_rates.predict(new).round(1))

# Counts that vary more than that are negative binomial. The data say how much.
wild = random.negative_binomial(2.0, 2.0 / (2.0 + rate))
for likelihood in ("poisson", "negative_binomial"):
    fitted = RVR(likelihood=likelihood).fit(X, wild)
    print(f"{likelihood}: log evidence {fitted.log_evidence_:.0f}, {fitted.likelihood_}")
