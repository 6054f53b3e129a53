"""A line of sensors, sources that it hears, and MUSIC, which finds their directions.

Sensors are half a wavelength apart; angles are in degrees from the perpendicular. MUSIC (Schmidt,
1986) is told the number of sources. With smoothing, the covariance is averaged over shorter lines
within the line, read forwards and backwards, which parts sources that are coherent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

N_SENSORS = 12
GRID = np.arange(-90.0, 91.0)
# Degrees between the first two sources, the least between those and the third, and how far from
# the perpendicular a source may be.
CLOSE, FAR, WIDEST = 8, 20, 60
SUBARRAY = 8


class Scene(NamedTuple):
    """What the sensors hear, (sensors, snapshots), and the directions of the sources, sorted."""

    heard: np.ndarray
    angles: np.ndarray
    noise: float


def steering(angles, n_sensors: int = N_SENSORS) -> np.ndarray:
    """One column for each angle: exp(i pi m sin(angle)) at sensor m."""
    places = np.arange(n_sensors)[:, None]
    return np.exp(1j * np.pi * places * np.sin(np.deg2rad(angles)))


def complex_normal(random, shape) -> np.ndarray:
    """Complex normal numbers of unit mean squared modulus."""
    real, imaginary = random.standard_normal((2, *shape))
    return (real + 1j * imaginary) / np.sqrt(2.0)


def directions(random, off_grid: bool) -> np.ndarray:
    """Two sources close to each other and one far from both; whole degrees unless off the grid."""
    first = random.integers(-WIDEST, WIDEST - CLOSE + 1)
    free = [one for one in range(-WIDEST, WIDEST + 1) if _is_far(one, first)]
    angles = np.sort([first, first + CLOSE, random.choice(free)]).astype(float)
    return angles + (random.uniform(-0.5, 0.5, len(angles)) if off_grid else 0.0)


def _is_far(angle: int, first: int) -> bool:
    return angle <= first - FAR or angle >= first + CLOSE + FAR


def scene(seed: int, decibels: float, n_snapshots: int, *, coherent=False, off_grid=False) -> Scene:
    """Three sources of unit power each, and noise so many decibels below one of them.

    Coherent sources have one signal between them, each with a phase of its own.
    """
    random = np.random.default_rng(seed)
    angles = directions(random, off_grid)
    if coherent:
        phases = np.exp(2j * np.pi * random.uniform(size=(len(angles), 1)))
        signals = phases * complex_normal(random, (1, n_snapshots))
    else:
        signals = complex_normal(random, (len(angles), n_snapshots))
    noise = 10.0 ** (-decibels / 20.0)
    error = noise * complex_normal(random, (N_SENSORS, n_snapshots))
    return Scene(steering(angles) @ signals + error, angles, noise)


def covariance(heard: np.ndarray, length: int = N_SENSORS) -> np.ndarray:
    """The covariance of sensors, averaged over the windows of a length if that is less than all."""
    windows = [heard[k : k + length] for k in range(len(heard) - length + 1)]
    total = sum(part @ part.conj().T for part in windows) / (len(windows) * heard.shape[1])
    if length == len(heard):
        return total
    return 0.5 * (total + total[::-1, ::-1].conj())


def pseudospectrum(heard: np.ndarray, n_sources: int, length: int = N_SENSORS) -> np.ndarray:
    """One over the squared norm of each steering column in the noise space, on the grid."""
    _, vectors = np.linalg.eigh(covariance(heard, length))
    noise_space = vectors[:, : length - n_sources]
    inside = noise_space.conj().T @ steering(GRID, length)
    return length / np.maximum((np.abs(inside) ** 2).sum(axis=0), 1e-12)


def peaks(values: np.ndarray, n_peaks: int) -> np.ndarray:
    """Angles of the highest local maxima, sorted; fewer if there are fewer."""
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    tops = np.flatnonzero((values > padded[:-2]) & (values >= padded[2:]))
    highest = tops[np.argsort(values[tops])[::-1][:n_peaks]]
    return np.sort(GRID[highest])


def music(one: Scene) -> np.ndarray:
    """Angles of as many peaks as there are sources."""
    n_sources = len(one.angles)
    return peaks(pseudospectrum(one.heard, n_sources), n_sources)


def smoothed_music(one: Scene) -> np.ndarray:
    """Angles that MUSIC finds with spatial smoothing."""
    n_sources = len(one.angles)
    return peaks(pseudospectrum(one.heard, n_sources, SUBARRAY), n_sources)
