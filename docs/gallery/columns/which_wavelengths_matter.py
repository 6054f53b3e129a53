"""
Which wavelengths matter?
=========================

In spectra there are more inputs than rows, and neighbours are alike. ``SparseBayesRegressor`` asks
the evidence whether few inputs or all of them explain the target, and keeps the likelier model.
"""

# %%
# Sixty simulated spectra of 700 wavelengths: mixtures of four components with bands that overlap.
# The amount of the first component is the target, known with an error of 0.4.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.model_selection import GridSearchCV

from sparsebayes import RVR, Bias, Linear, SparseBayesRegressor
from sparsebayes.plots import CoefficientDisplay

random = np.random.default_rng(0)
wavelength = np.linspace(1100.0, 2500.0, 700)
centres = np.array([[1200, 1730], [1450, 1940], [1520, 2100], [1250, 2310]])
pure = sum(np.exp(-(((wavelength - centre[:, None]) / 60.0) ** 2)) for centre in centres.T)


def mixtures(n_rows):
    """Spectra, and the amount of the first component with its error."""
    amounts = random.uniform(0.0, 4.0, (n_rows, 4))
    spectra = amounts @ pure + random.normal(0.0, 0.02, (n_rows, len(wavelength)))
    return spectra, amounts[:, 0] + random.normal(0.0, 0.4, n_rows)


X, y = mixtures(60)
X_new, y_new = mixtures(1000)

either = SparseBayesRegressor(Linear() + Bias()).fit(X, y)
print("the evidence prefers", "all wavelengths" if either.selected_.all() else "few wavelengths")

# %%
# The choice changes with the draw here, and few wavelengths predict nearly as well as all.
# ``RVR(kernel="linear")`` keeps all of them. Its inputs are taken as they are, so its coefficients
# can be compared along the axis. Partial least squares (PLS) is what chemometrics mostly uses.

linear = RVR(kernel="linear").fit(X, y)
pls = GridSearchCV(PLSRegression(scale=False), {"n_components": range(1, 11)}, cv=5).fit(X, y)


def show(name, model, X_new=X_new):
    """Print the error for new spectra."""
    error = np.sqrt(np.mean((model.predict(X_new) - y_new) ** 2))
    print(f"{name:25} RMSE {error:.3f}, of which 0.4 is the error of the targets")


show("SparseBayesRegressor:", either)
show('RVR(kernel="linear"):', linear)
show(f"PLS, {pls.best_params_['n_components']} components by CV:", pls)

# %%
# The coefficients are large where the component absorbs, and nearly equal to those of PLS. But
# their standard deviations are larger still, and the picture leaves them out: each wavelength
# could be replaced by its neighbours. The prediction is known much better than a coefficient.

print(f"largest coefficient {linear.coef_.max():.3f}, its std {linear.coef_std_.max():.3f}")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
top.plot(wavelength, X[:20].T, color="0.7", lw=0.5)
top.plot(wavelength, 3 * pure[0], color="C3", label="the component, alone")
top.set_ylabel("absorbance")
bottom.plot(wavelength, linear.coef_[0], color="C0", label='RVR(kernel="linear")')
bottom.plot(wavelength, pls.best_estimator_.coef_[0], "--", color="C1", label="PLS")
bottom.set(xlabel="wavelength (nm)", ylabel="coefficient")
figure.legend(loc="outside upper center", ncols=3)
plt.show()

# %%
# To learn what matters, ask about bands: means over 100 nm. Few of them are kept. The one at 1750
# nm, where no other component absorbs, is well known. Its neighbour is not: its error bar
# contains zero.

bands, bands_new = (spectra.reshape(-1, 14, 50).mean(axis=2) for spectra in (X, X_new))
middle = wavelength.reshape(14, 50).mean(axis=1)
few = SparseBayesRegressor(Linear() + Bias()).fit(bands, y)
show(f"{few.selected_.sum()} of 14 bands:", few, bands_new)

figure, ax = plt.subplots(figsize=(8, 3), layout="constrained")
ax.fill_between(wavelength, pure[0], color="C3", alpha=0.15, lw=0, label="the component, alone")
display = CoefficientDisplay.from_estimator(few, middle, axis_name="wavelength (nm)", ax=ax)
ax.legend(fontsize=8)
plt.show()
