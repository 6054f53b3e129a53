"""Targets that are counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Likelihood, NegativeBinomial, Poisson
from sparsebayes.model.responses import CountTargets
from sparsebayes.rows import Data
from sparsebayes.targets.numbers import Numbers
from sparsebayes.targets.target import Coded, Number
from sparsebayes.targets.values import checked_exposure


@dataclass(frozen=True)
class CountsTarget(Numbers):
    """Counts, or pairs of them and the logarithms of their exposures."""

    counts = finds = True

    def obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks: they have exposures."""
        told = "exposure needs all rows in memory; pass rates and weights"
        return None if self.given.exposure is None else told

    def check(self, y: np.ndarray, exposure: Any = None) -> np.ndarray:
        """Counts, or pairs with the logarithms of their exposures (n, 2)."""
        what, called = "counts or rates" if self.takes_rates else "counts", self.likelihood.called
        if (y < 0.0).any():
            raise ValueError(f"y must hold {what} of 0 or more with {called}, got {y.min()}.")
        odd = y[y != np.floor(y)]
        if len(odd) and not self.takes_rates:
            raise ValueError(
                f"y must hold whole numbers with {called}, whose spread depends on what is "
                f"counted; got {odd[0]}. Pass counts, and fit(X, y, exposure=...) where exposures "
                'differ; likelihood="poisson" takes rates.'
            )
        return y if exposure is None else np.column_stack([y, checked_exposure(exposure, len(y))])

    def _checked(self, rows: Any) -> Any:
        rows = super()._checked(rows)
        if self.given.exposure is None:
            return rows
        y = rows.target
        if (y != np.floor(y)).any():
            raise ValueError(
                f"y must hold counts where exposure is given, got {y[y != np.floor(y)][0]}. Pass "
                "counts, or rates as y with their exposure as sample_weight."
            )
        return replace(rows, target=self.check(y, self.given.exposure))

    def _likelihood(self, data: Data, centres: bool) -> Likelihood:
        """The likelihood; without an intercept its logarithmic mean is 0, unless it is given."""
        if centres or self.likelihood.log_mean is not None:
            return self.likelihood
        return replace(self.likelihood, log_mean=0.0)

    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> CountTargets:
        """Counts whose logarithmic mean is the latent value."""
        found: Any = fits[0].problem.likelihood
        return CountTargets(float(found.log_mean), float(getattr(found, "dispersion", 0.0)))

    def _mean_in_words(self, number: Number) -> str:
        return f"{number(float(np.exp(self.likelihood.log_mean)))} where nothing is known"

    def score(self, y: np.ndarray, mean: np.ndarray, weight: np.ndarray) -> float:
        """D^2 = 1 - deviance / that of the mean; 0 where the latter is 0 and the former is not."""
        if (y < 0.0).any():
            raise ValueError(f"y must hold counts or rates of 0 or more, got {y.min()}.")
        deviance = self.likelihood.deviance
        of_mean = weight @ deviance(y, np.full_like(y, weight @ y / weight.sum()))
        of_model = weight @ deviance(y, np.maximum(mean, np.finfo(float).tiny))
        if of_mean <= 0.0:
            return float(of_model <= 0.0)
        return float(1.0 - of_model / of_mean)


@dataclass(frozen=True)
class PoissonCounts(CountsTarget):
    """Counts whose variance is their mean, or rates with exposures as weights."""

    name = "poisson"
    likelihoods = (Poisson,)
    takes_rates = True

    def are_rates(self, y: np.ndarray) -> bool:
        """Whether these are rates, whose weights are exposures: not all are integers."""
        count = y if y.ndim == 1 else y[:, 0]
        return bool((count != np.floor(count)).any())

    def words(self, number: Number) -> str:
        """The mean."""
        return f"Poisson counts, {self._mean_in_words(number)}"


@dataclass(frozen=True)
class NegativeBinomialCounts(CountsTarget):
    """Counts that vary more than their mean."""

    name = "negative_binomial"
    likelihoods = (NegativeBinomial,)

    def words(self, number: Number) -> str:
        """Dispersion and mean."""
        dispersion = number(1.0 / self.likelihood.size)
        return f"negative binomial counts of dispersion {dispersion}, {self._mean_in_words(number)}"
