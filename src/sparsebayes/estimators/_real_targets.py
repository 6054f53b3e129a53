"""What a fitted regressor says: its noise and offset, and predictions of targets."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from sparsebayes.estimators._lazy import lazy_moments, lazy_quantiles
from sparsebayes.estimators._model import SparseBayesModel, of_one_model
from sparsebayes.hyperpriors import Gamma
from sparsebayes.model.given import refuse_no_numbers
from sparsebayes.targets.complex import ROOT_2, joined_covariance
from sparsebayes.targets.values import is_lazy


class RealPredictions(SparseBayesModel):
    """A model of real targets, fitted."""

    # Fitted attributes.

    @property
    def noise_std_(self) -> Any:
        """Standard deviation of the noise of a new target: a number, or one for each output.

        With ``inference="projection"`` it includes what the vectors miss of the mean of the
        process. If `fit` was given the noise of each row, it is the root mean square. Counts and
        heteroscedastic noise have none.
        """
        noise = getattr(self._model.predictor.response, "noise_std", None)
        if noise is None:
            raise AttributeError(
                "noise_std_ is one noise for all rows, which this likelihood has not: "
                "predict(X, return_std=True) has the standard deviation of new targets."
            )
        found = self._model.shaped(noise * ROOT_2 if self._model.of_complex else noise)
        return found if np.ndim(found) else float(found)

    @property
    def outlier_weight_(self) -> np.ndarray:
        """With ``likelihood="student_t"``: how much each training row counts, 0 for an outlier."""
        weight = self._model.row_weight
        if weight is None:
            raise AttributeError('outlier_weight_ needs likelihood="student_t".')
        return weight

    @property
    def noise_posterior_(self) -> Gamma | list[Gamma]:
        """With ``inference="variational"``: the distribution of the noise precision."""
        found = getattr(self._model.predictor.response, "noise_gamma", None)
        if found is None or self._model.target.learned is not None:
            raise AttributeError('noise_posterior_ needs inference="variational".')
        posterior = [Gamma(float(shape), float(rate)) for shape, rate in found]
        return posterior[0] if self._model.squeezed else posterior

    @property
    def offset_(self) -> Any:
        """The mean of y that was taken out before the fit, and 0 if it was not.

        It is the median with Student-t noise. For counts it is the log mean where nothing is known.
        """
        found = self._model.shaped(self._model.predictor.response.offset)
        return found.copy() if np.ndim(found) else float(found)

    # Predictions.

    @of_one_model
    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Predict the mean of new targets, and their standard deviation or covariance.

        For counts, whose log mean is f, the mean is that of exp(f), averaged over what is uncertain
        about f.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs. The prediction of a Dask collection is lazy.
        return_std : bool, default=False
            Whether to return the standard deviation of a new target, noise included. For complex
            targets it is the root of the mean of ``|error|^2``.
        return_cov : bool, default=False
            Whether to return the covariance of new targets, noise included. At most one of the two
            can be asked for.

        Returns
        -------
        mean : array of shape (n_samples,) or (n_samples, n_outputs)
            The mean of a new target at each row.
        std : array of shape (n_samples,) or (n_samples, n_outputs)
            Its standard deviation, if `return_std` is true.
        cov : array of shape (n_samples, n_samples) or (n_samples, n_samples, n_outputs)
            The covariance between rows, if `return_cov` is true.

        Examples
        --------
        >>> import numpy as np
        >>> from sparsebayes import RVR
        >>> X = np.linspace(0, 10, 50)[:, None]
        >>> model = RVR().fit(X, np.sin(X[:, 0]) + 0.1 * np.cos(9 * X[:, 0]))
        >>> mean, std = model.predict([[5.0], [6.0], [7.0]], return_std=True)
        >>> mean.shape, std.shape
        ((3,), (3,))
        """
        if return_std and return_cov:
            raise RuntimeError("return_std and return_cov were both set; at most one can be asked.")
        model = self._model
        if is_lazy(X) and not model.of_complex:
            if return_cov:
                raise ValueError("return_cov needs rows in memory, as it is between all of them.")
            return lazy_moments(self, X, return_std)
        X, predictor = self._new_inputs(X), model.predictor
        if return_cov:
            mean, covariance = predictor.predict_covariance(X)
            covariance = joined_covariance(covariance) if model.of_complex else covariance
            return model.shaped(model.joined(mean)), model.shaped(covariance)
        if return_std:
            mean, std = predictor.predict_std(X)
            return model.shaped(model.joined(mean)), model.shaped(model.joined(std, np.hypot))
        return model.shaped(model.joined(predictor.predict_mean(X)))

    @of_one_model
    def predict_quantiles(self, X: Any, quantiles: Any = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Quantiles of the predictive distribution of new targets, noise included.

        With Gaussian noise they are those of a Gaussian with the mean and the standard deviation of
        `predict`. With ``inference="variational"`` the noise is averaged out as well, which makes
        the tails heavier, though not heavy enough where rows are few. Other likelihoods have
        quantiles of their own distribution: heavy tails with "student_t", whole numbers for counts.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.
        quantiles : array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Numbers between 0 and 1, at least 1e-9 from both.

        Returns
        -------
        y : array of shape (n_samples, n_quantiles) or (n_samples, n_quantiles, n_outputs)
            The quantiles of each row.

        Examples
        --------
        >>> import numpy as np
        >>> from sparsebayes import RVR
        >>> X = np.linspace(0, 10, 50)[:, None]
        >>> model = RVR().fit(X, np.sin(X[:, 0]) + 0.1 * np.cos(9 * X[:, 0]))
        >>> low, high = model.predict_quantiles([[5.0]], [0.05, 0.95])[0]  # a 90 % interval
        >>> bool(low < np.sin(5.0) < high)
        True
        """
        if self._model.of_complex:
            raise ValueError(
                "complex targets have no quantiles; use predict(X, return_std=True), whose std is "
                "the root of E|e|^2."
            )
        levels = np.asarray(quantiles, dtype=np.float64)
        if is_lazy(X) and self._model.squeezed:
            return lazy_quantiles(self, X, levels)
        if levels.ndim != 1 or not np.all((levels >= 1e-9) & (levels <= 1.0 - 1e-9)):
            raise ValueError(
                f"quantiles must be a list of numbers from 1e-9 to 1 - 1e-9, got {quantiles!r}."
            )
        return self._model.shaped(self._model.predictor.quantiles(self._new_inputs(X), levels))

    @of_one_model
    def log_density(self, X: Any, y: Any, exposure: Any = None) -> np.ndarray:
        """Log density of new targets under the predictive distribution.

        Minus its mean is the negative log predictive density (NLPD). For counts it is the log
        probability.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        exposure : array-like of shape (n_samples,), default=None
            For counts: how long, or over how much, each was counted; one by default.

        Returns
        -------
        log_density : array of the shape of y
            The log density of each target.
        """
        if self._model.of_complex:
            raise ValueError("log_density is for real targets; use predict(X, return_std=True).")
        refuse_no_numbers(y=y, exposure=exposure)
        X = self._new_inputs(X)
        target = np.asarray(y, dtype=np.float64)
        n_outputs = self._model.predictor.plain.weights.shape[1]
        shape = (X.shape[0],) if self._model.squeezed else (X.shape[0], n_outputs)
        if target.shape != shape:
            raise ValueError(f"y must have the shape {shape}, got {target.shape}.")
        if not np.isfinite(target).all():
            raise ValueError("y must hold finite numbers.")
        target = self._model.target.check(target, exposure)
        found = self._model.predictor.log_density(X, target.reshape(len(target), -1))
        return self._model.shaped(found)

    @of_one_model
    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> np.ndarray:
        """Draw new targets: functions from their posterior, plus noise.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_inputs, n_features)
            New inputs. One draw is one function at all of these rows.
        n_samples : int, default=1
            Number of draws.
        random_state : int, RandomState instance or None, default=0
            Seed of the draws.

        Returns
        -------
        y : array of shape (n_inputs, n_samples) or (n_inputs, n_outputs, n_samples)
            The draws.
        """
        random = check_random_state(random_state)
        draws = self._model.predictor.sample(self._new_inputs(X), n_samples, random)
        draws = self._model.joined(draws)
        return draws[..., 0] if self._model.squeezed else np.swapaxes(draws, 1, 2)
