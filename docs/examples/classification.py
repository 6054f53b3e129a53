"""Two classes, with probabilities that integrate over what is not known of the weights."""

import matplotlib

matplotlib.use("Agg")

from sparsebayes import RVC
from sparsebayes.datasets import ripley_mixture
from sparsebayes.plots import ProbabilityDisplay

X, y = ripley_mixture(250, random_state=0)
model = RVC(gamma=4.0).fit(X, y)

X_test, y_test = ripley_mixture(5000, random_state=1)
print(f"{len(model.relevance_)} relevance vectors, accuracy {model.score(X_test, y_test):.3f}")
mean, variance = model.latent_mean_and_variance(X_test[:2])
print("latent mean", mean.round(2), "variance", variance.round(2))
print("probability", model.predict_proba(X_test[:2])[:, 1].round(3))

ProbabilityDisplay.from_estimator(model, X, y).figure_.savefig("classification.png")
