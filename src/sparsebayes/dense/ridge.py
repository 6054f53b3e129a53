"""The evidence of a process with one variance and one noise, from the eigenvalues of its kernel."""

from __future__ import annotations

import numpy as np

# Ratios of noise to the largest eigenvalue that are tried, as powers of ten, and how many.
RATIOS = (-9.0, 3.0, 73)
# Eigenvalues below this are those of no kernel at all.
SMALLEST = 1e-100


def ridge_log_evidence(
    kernel: np.ndarray, targets: np.ndarray, ratios: tuple[float, float, int] = RATIOS
) -> float:
    """The log evidence of targets (n, k) under v (K + r I), the best v and r for each of them.

    With eigenvalues l_i and targets u_i along the eigenvectors, v = mean u_i^2 / (l_i + r), and

        log p = -n/2 log(2 pi e v) - 1/2 sum_i log(l_i + r).

    The ratio is one of several that are a third of a power of ten apart or less, so that at most
    some tenths of a nat are missed.
    """
    n_rows = len(kernel)
    values, vectors = np.linalg.eigh(kernel)
    energy = (vectors.T @ targets) ** 2
    largest = float(values[-1]) if values[-1] > SMALLEST else 1.0
    shrunk = np.maximum(values, 0.0) + largest * np.logspace(*ratios)[:, None]
    variance = np.maximum((1.0 / shrunk) @ energy / n_rows, np.finfo(float).tiny)
    volume = 0.5 * np.log(shrunk).sum(axis=1)
    value = -0.5 * n_rows * np.log(2.0 * np.pi * np.e * variance) - volume[:, None]
    return float(value.max(axis=0).sum())
