"""Where do signals come from? A complex dictionary: a column for each direction."""

import numpy as np

from sparsebayes import Linear, SparseBayesRegressor

random = np.random.default_rng(0)
degrees = np.arange(-90.0, 91.0)
sensors = np.arange(12)[:, None]


def heard_from(angles):
    """What 12 sensors, half a wavelength apart, hear of a unit signal from each angle."""
    return np.exp(1j * np.pi * sensors * np.sin(np.radians(angles)))


def noise(*shape):
    """Complex noise with E|e|^2 = 1."""
    return (random.normal(size=shape) + 1j * random.normal(size=shape)) / np.sqrt(2.0)


sources = np.array([-20.0, 10.0, 18.0])
snapshots = heard_from(sources) @ noise(3, 20) + 0.3 * noise(12, 20)

# Real and imaginary part of a weight have one precision, and snapshots share their columns.
model = SparseBayesRegressor(Linear()).fit(heard_from(degrees), snapshots)
strength = np.sqrt(np.mean(np.abs(model.coef_) ** 2, axis=0))
for k in np.flatnonzero(model.selected_):
    print(f"{degrees[k]:+.0f} degrees, strength {strength[k]:.2f}")
print(f"noise {np.mean(model.noise_std_):.2f}")
