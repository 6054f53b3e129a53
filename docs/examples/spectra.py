"""Sixty spectra of 700 wavelengths: more inputs than rows, and neighbours that are alike."""

import numpy as np

from sparsebayes import RVR, Bias, Linear, SparseBayesRegressor

random = np.random.default_rng(0)
wavelength = np.linspace(1100.0, 2500.0, 700)


def mixtures(n_rows):
    """Spectra of mixtures of four components, and the amount of the first with an error of 0.4."""
    centres = np.array([[1200, 1730], [1450, 1940], [1520, 2100], [1250, 2310]])
    pure = sum(np.exp(-(((wavelength - centre[:, None]) / 60.0) ** 2)) for centre in centres.T)
    amounts = random.uniform(0.0, 4.0, (n_rows, 4))
    spectra = amounts @ pure + random.normal(0.0, 0.02, (n_rows, len(wavelength)))
    return spectra, amounts[:, 0] + random.normal(0.0, 0.4, n_rows)


X, y = mixtures(60)
X_new, y_new = mixtures(1000)

# Few wavelengths, or all of them a little? The evidence of both is compared.
model = SparseBayesRegressor(Linear() + Bias()).fit(X, y)
print("the evidence prefers", "all wavelengths" if model.selected_.all() else "a few of them")

mean, std = model.predict(X_new, return_std=True)
print(f"error of new targets: {np.sqrt(np.mean((mean - y_new) ** 2)):.2f}, of which 0.40 is noise")
print(f"90 % intervals hold {np.mean(np.abs(mean - y_new) < 1.645 * std):.0%}")

# That model standardises its inputs, so that units do not matter. Here all have one unit, and with
# a linear kernel of them as they are, coefficients can be compared along the axis.
linear = RVR(kernel="linear").fit(X, y)
print(f"error with a linear kernel: {np.sqrt(np.mean((linear.predict(X_new) - y_new) ** 2)):.2f}")
largest = np.argmax(linear.coef_[0])
print(f"largest coefficient: {linear.coef_[0, largest]:.4f} at {wavelength[largest]:.0f} nm")
try:
    from sparsebayes.plots import CoefficientDisplay

    display = CoefficientDisplay.from_estimator(linear, wavelength, axis_name="wavelength (nm)")
    display.figure_.savefig("coefficients.png")
except ImportError as missing:
    print(missing)
