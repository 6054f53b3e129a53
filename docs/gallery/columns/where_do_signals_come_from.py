"""
Where do signals come from?
===========================

An array of sensors hears a few waves. Make a complex dictionary with one column for each direction.
The columns that the model keeps are the directions, and it finds out how many there are.
"""

# %%
# Twelve sensors stand in a line, half a wavelength apart. They take 20 snapshots of three
# sources, two of which are close together. In a second scene these two send the same signal: one
# is an echo.

import matplotlib.pyplot as plt
import numpy as np

from sparsebayes import Linear, SparseBayesRegressor

random = np.random.default_rng(0)
degrees = np.arange(-90.0, 91.0)
sources = np.array([-20.0, 10.0, 18.0])


def heard_from(angles):
    """What each sensor hears of a unit signal from each angle."""
    return np.exp(1j * np.pi * np.arange(12)[:, None] * np.sin(np.radians(angles)))


def noise(*shape):
    """Complex noise with E|e|^2 = 1."""
    return (random.normal(size=shape) + 1j * random.normal(size=shape)) / np.sqrt(2.0)


signals = noise(3, 20)
scenes = {"three signals": signals, "an echo at 18 degrees": signals[[0, 1, 1]]}
dictionary = heard_from(degrees)

# %%
# The dictionary is ``X``. The snapshots are outputs that share their columns. Real and imaginary
# part of a weight are kept or left out together.
#
# Two classical methods stand beside it. The beamformer points the array at each direction and
# listens. Its peaks are wide: those of the two close sources merge, or are in the wrong place.
# Capon's method listens to a direction and suppresses all others. It tells the sources apart,
# unless one is the echo of another: then it loses both. The sparse model finds the three
# directions in both scenes. It was not told that there are three.

figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.8), sharey=True, layout="constrained")
for ax, (title, signals) in zip(axes, scenes.items(), strict=True):
    snapshots = heard_from(sources) @ signals + 0.3 * noise(12, 20)
    model = SparseBayesRegressor(Linear()).fit(dictionary, snapshots)
    strength = np.sqrt(np.mean(np.abs(model.coef_) ** 2, axis=0))
    print(f"{title}: noise {np.mean(model.noise_std_):.2f} (true 0.30)")
    for k in np.flatnonzero(model.selected_):
        print(f"  {degrees[k]:+.0f} degrees, strength {strength[k]:.2f}")

    beam = np.sqrt(np.mean(np.abs(dictionary.conj().T @ snapshots / 12) ** 2, axis=1))
    precision = np.linalg.inv(snapshots @ snapshots.conj().T / 20)
    capon = np.einsum("nk,nm,mk->k", dictionary.conj(), precision, dictionary).real ** -0.5

    ax.plot(degrees, beam, color="0.6", label="beamformer")
    ax.plot(degrees, capon, "--", color="C1", label="Capon")
    found = np.flatnonzero(model.selected_)
    ax.vlines(degrees[found], 0, strength[found], color="C0", lw=2)
    ax.plot(degrees[found], strength[found], "o", color="C0", label="SparseBayesRegressor")
    true = np.sqrt(np.mean(np.abs(signals) ** 2, axis=1))
    ax.plot(sources, true, "x", color="k", ms=10, mew=1.5, label="true")
    ax.set(title=title, xlabel="direction in degrees", xlim=(-60, 60))
axes[0].set_ylabel("strength")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
plt.show()
