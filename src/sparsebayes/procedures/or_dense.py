"""A sparse model, or a dense one if the evidence prefers it.

The evidence of a process with one variance and one noise comes from eigenvalues of its kernel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.inference.prices import OF_PRECISION
from sparsebayes.inference.state import Fit, Outcome, Report
from sparsebayes.problem import Problem

# What an evidence that is soon found may miss.
SLACK = 2.0
# Evidence is called very strong from a factor of 150 on [Kass and Raftery 1995]. Who asks for few
# columns gets them, unless there is very strong evidence for all. Where few of 20 columns act on 30
# to 75 rows, a factor of 20 is not rare. Beyond 150, small spectra would lose their dense model.
STRONG = float(np.log(150.0))
# Ratios of noise to the largest eigenvalue that are tried, as powers of ten, and how many.
RATIOS = (-9.0, 3.0, 73)
# Eigenvalues below this are those of no kernel at all.
SMALLEST = 1e-100
# Ends of a fit that is no evidence; the first may be that of a process whose rows count once.
UNSOUND = (Outcome.NOISE_VANISHED, Outcome.OUT_OF_RANGE)


@dataclass(frozen=True)
class OrDense:
    """Fit by `sparse`, and by `dense` on columns of a process that has all columns at once.

    Few columns out of many are one hypothesis: the targets depend on few of the inputs. That all of
    them matter a little, as in spectra, is another, and it is taken if the evidence for it is
    very strong. It has one precision, which has its price as that of any column has. Few columns
    that pass through the targets are no evidence of anything. A process may: where there are more
    inputs than rows, noise of the inputs stands for that of the targets, and new rows have it too.
    But not where rows are repeated, or weighted: to pass through these is likely beyond all bounds.

    The evidence of a regression with the process is found from eigenvalues first. Mostly that
    settles it.

    Parameters
    ----------
    sparse, dense : what has `fit(problem, report)`
    form : of the columns that is dense, with `bind()` for its columns and `kernel(inputs)` for the
        covariance of the process between inputs, or None if that is not all
    """

    sparse: Any
    dense: Any
    form: Any

    def fit(self, problem: Problem, report: Report) -> list[Fit]:
        """The fits of the more likely one."""
        few = self.sparse.fit(problem, report)
        sound = _sound(few, *UNSOUND)
        if sound and _worth(few) + STRONG > self._most(problem):
            return few
        found = self.dense.fit(replace(problem, columns=self.form.bind()), report)
        every = [replace(fit, in_dense_form=True, price=OF_PRECISION) for fit in found]
        report.note(f"sparse: {_worth(few):.6g}, dense: {_worth(every):.6g}")
        once = not np.any(problem.data.weight != 1.0)
        as_sound = _sound(every, *UNSOUND[once:])
        strong = _worth(every) > _worth(few) + STRONG
        return every if (as_sound, strong) > (sound, False) else few

    def _most(self, problem: Problem) -> float:
        """The log evidence that the process can have, where it is soon found."""
        data = problem.data
        if not problem.noise.inferred or np.any(data.weight != 1.0):
            return np.inf
        kernel = self.form.kernel(data.inputs)
        if kernel is None:
            return np.inf
        return SLACK + ridge_log_evidence(kernel, data.target.reshape(len(kernel), -1))


def _worth(fits: list[Fit]) -> float:
    """Log evidence less the price of columns."""
    return sum(fit.log_evidence - fit.price for fit in fits)


def _sound(fits: list[Fit], *unsound: Outcome) -> bool:
    """Whether no fit ended in one of these ways."""
    return all(fit.outcome not in unsound for fit in fits)


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
