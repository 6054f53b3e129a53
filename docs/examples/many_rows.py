"""Many rows, bounded memory: centres from a subset, all rows in the likelihood."""

from sklearn.datasets import make_friedman1

from sparsebayes import RVR

X, y = make_friedman1(5000, noise=1.0, random_state=0)
model = RVR(gamma=0.5, centres=300, verbose=1).fit(X, y)
print(f"{len(model.relevance_)} of 300 centres kept, noise {model.noise_std_:.3f}")

# The kernel matrix within 5 MB: it is evaluated again, chunk by chunk, at every pass.
small = RVR(gamma=0.5, centres=300, cache_size=5).fit(X, y)
print("same model in chunks:", abs(small.predict(X[:5]) - model.predict(X[:5])).max() < 1e-6)
