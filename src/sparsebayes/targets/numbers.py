"""Targets that are real numbers, with one of several kinds of noise; what numbers share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from sparsebayes._parameters import is_number
from sparsebayes.assembly import assemble
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import (
    Gaussian,
    Gaussians,
    Heteroscedastic,
    Likelihood,
    StudentT,
    weighted_median,
)
from sparsebayes.model.real import uncertain_noise
from sparsebayes.model.responses import RealTargets, VaryingTargets
from sparsebayes.rows import Blocks, Data
from sparsebayes.targets.noise import (
    TargetNoise,
    check_noise_beside,
    noise_and_weight,
    refuse_noise_std,
)
from sparsebayes.targets.rows import RowsInBlocks, RowsInMemory, Seen
from sparsebayes.targets.target import Coded, Given, MeanLeft, Number, Target
from sparsebayes.targets.values import (
    check_target_size,
    is_constant,
    is_lazy,
    numeric_target,
    warn_of_column,
)

MULTI_OUTPUT = ("shared", "separate")
SEPARATE = 'multi_output="separate" fits each output for itself; "shared" does not'


@dataclass(frozen=True)
class Numbers(Target):
    """A target of numbers."""

    numeric = True
    instead: ClassVar[str] = "leave it out"

    def asked(self, noise_std: Any, multi_output: str, inference: Inference) -> Target:
        """The target as the parameters of an estimator ask for it; an error where they disagree."""
        self._refuse_noise(noise_std, None)
        return self

    def told(self, given: Given) -> tuple[Self, Given]:
        """The target with the noise or the exposure of rows."""
        if given.exposure is not None and not self.counts:
            refuse_exposure(self.name)
        given = given._replace(y=numbers_of(given))
        noise, weight = self._noise_of(given)
        return replace(self, noise=noise, given=given), given._replace(weight=weight)

    def _noise_of(self, given: Given) -> tuple[TargetNoise, Any]:
        """What is known of Gaussian noise, and the weights that go with it."""
        self._refuse_noise(None, given.noise_std)
        return self.noise, given.weight

    def _refuse_noise(self, of_all: Any, of_rows: Any) -> None:
        """An error where a noise is given that goes with Gaussian noise only."""
        if of_all is not None or of_rows is not None:
            given = "noise_std of fit" if of_all is None else f"noise_std={of_all!r}"
            raise ValueError(
                f'{given} is that of Gaussian noise, and likelihood="{self.name}" has another: '
                f"{self.instead}."
            )

    def obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks."""
        return f'likelihood="{self.name}" needs all rows in memory'

    def check(self, y: np.ndarray, exposure: Any = None) -> np.ndarray:
        """Values of y, any of which will do; an error for an exposure of what are no counts."""
        if exposure is not None:
            refuse_exposure(self.name)
        return y

    def are_rates(self, y: np.ndarray) -> bool:
        """Whether these are rates, whose weights are exposures."""
        return False

    def read(self, rows: RowsInMemory | RowsInBlocks, centres: bool) -> Coded:
        """Rows as a fit takes them: checked, weighed, and what is taken out of them."""
        self._check_sizes(rows)
        if not rows.squeezed and rows.n_outputs == 1 and not self.several:
            warn_of_column()
            rows = rows.as_column()
        squeezed = rows.squeezed
        rows = self._checked(rows)
        seen = rows.numbers(self._scales(rows), not self.counts)
        offset, centred = self._taken_out(seen) if centres else (0.0, False)
        data = seen.data._replace(target=seen.data.target - offset)
        blocks = rows.read_by(numeric=True, offset=offset, factor=seen.factor)
        alone = squeezed and np.ndim(offset) == 1
        left = None if centres or blocks is not None else self._mean_left(data)
        if data.target.shape[1:] == (1,):
            data = data._replace(target=data.target[:, 0])
        return Coded(
            rows,
            data,
            self._likelihood(data, centres),
            seen.observed,
            seen.learning,
            blocks,
            np.ravel(offset)[0] if alone else offset,
            centred,
            squeezed,
            left=left,
        )

    def _check_sizes(self, rows: RowsInMemory | RowsInBlocks) -> None:
        """An error where targets are too large or too small, or beyond a noise that is given."""
        check_target_size(rows.ends)
        check_noise_beside(self.noise.std, rows.ends)

    def _scales(self, rows: RowsInMemory | RowsInBlocks) -> bool:
        """Whether weights are scaled: they are no known precisions, and no exposures of rates."""
        return not self.noise.of_rows and not self.are_rates(rows.target)

    def _checked(self, rows: Any) -> Any:
        """Rows whose targets were checked, all of them or a sample."""
        if rows.n_outputs > 1:
            raise ValueError(
                f'likelihood="{self.name}" takes one target, got {rows.n_outputs} columns of y. '
                f"Use sklearn.multioutput.MultiOutputRegressor({self.given.name}(...))."
            )
        self.check(np.append(rows.target, rows.ends))
        return rows

    def _taken_out(self, seen: Seen) -> tuple[Any, bool]:
        """What is taken out of the targets; and whether a bias is then not needed beside kernels.

        A constant has no spread that its residuals could be measured by.
        """
        if not self.likelihood.has_units:
            return 0.0, True
        constant = is_constant(seen.ends)
        return np.where(constant, 0.0, self._centre(seen))[()], not constant.any()

    def _centre(self, seen: Seen) -> Any:
        """The mean of each output."""
        return seen.mean

    def _mean_left(self, data: Data) -> MeanLeft | None:
        """The mean and spread of a target that is far from 0 and whose mean was not taken out."""
        if data.target.ndim > 1 or not self.likelihood.has_units:
            return None
        mean = float(np.average(data.target, weights=data.weight))
        variance = float(np.average((data.target - mean) ** 2, weights=data.weight))
        far = abs(mean) > np.ptp(data.target)
        return MeanLeft(mean, variance**0.5) if far else None

    def _likelihood(self, data: Data, centres: bool) -> Likelihood:
        """The likelihood of these targets, less what was taken out."""
        return self.likelihood


@dataclass(frozen=True)
class Real(Numbers):
    """Real numbers with Gaussian noise: one output, or several.

    Parameters
    ----------
    noise_std : of the constructor: None, a number or "factor"
    separate : whether each of several outputs has a fit for itself
    """

    noise_std: Any = None
    separate: bool = False

    name = "gaussian"
    likelihoods = (Gaussian, Gaussians)
    usual = True

    def asked(self, noise_std: Any, multi_output: str, inference: Inference) -> Real:
        """The target with what the parameters of an estimator say of noise and outputs."""
        separate = multi_output == "separate"
        shared = inference.objection(Gaussians(2)) is None and not is_number(noise_std)
        return replace(self, noise_std=noise_std, separate=separate, several=separate or shared)

    def _noise_of(self, given: Given) -> tuple[TargetNoise, Any]:
        of_rows, name = given.noise_std, given.name
        return noise_and_weight(self.noise_std, of_rows, name, given.X, given.weight)

    def obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks: several outputs have a fit each."""
        shape = y.shape if is_lazy(y) else np.asarray(y).shape
        return SEPARATE if self.separate and len(shape) == 2 and shape[1] > 1 else None

    def _checked(self, rows: Any) -> Any:
        return rows

    def read(self, rows: RowsInMemory | RowsInBlocks, centres: bool) -> Coded:
        """Rows as a fit takes them."""
        coded = super().read(rows, centres)
        several = coded.data.target.ndim == 2
        return coded._replace(each=several and self.separate, doubtful=True)

    def further(self, rows: RowsInBlocks, offset: Any) -> Blocks:
        """Blocks of more rows than those that were read, less what was taken out of these."""
        self._check_sizes(rows)
        factor = rows.observed(self._scales(rows), density=True).factor
        return rows.read_by(numeric=True, offset=offset, factor=factor)

    def _likelihood(self, data: Data, centres: bool) -> Likelihood:
        if data.target.ndim == 1 or self.separate:
            return Gaussian(self.noise.std)
        refuse_noise_std(self.noise_std, self.noise)
        return Gaussians(data.target.shape[1])

    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> RealTargets:
        """A Gaussian whose noise is a number, or has a distribution."""
        posteriors = [inference.noise_posterior(fit) for fit in fits]
        known = [(each.shape, each.rate) for each in posteriors if each is not None]
        noise_std = np.concatenate([fit.noise_std for fit in fits])
        offset = coded.offsets(len(noise_std))
        if known:
            return uncertain_noise(offset, noise_std, np.array(known))
        return RealTargets(offset, noise_std)


@dataclass(frozen=True)
class HeavyTails(Numbers):
    """Real numbers with Student-t noise, some of which may be outliers."""

    name = "student_t"
    likelihoods = (StudentT,)
    finds = weighs_rows = True
    instead = "use likelihood=StudentT(scale=...)"

    def _centre(self, seen: Seen) -> float:
        return weighted_median(seen.data.target, seen.data.weight)

    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> RealTargets:
        """A Gaussian whose noise precision has a Gamma distribution."""
        likelihood: Any = fits[0].problem.likelihood
        df, scale = likelihood.values
        noise = np.array([[0.5 * df, 0.5 * df * scale**2]])
        return uncertain_noise(coded.offsets(1), np.array([likelihood.noise_std]), noise)

    def words(self, number: Number) -> str:
        """Scale and degrees of freedom."""
        df, scale = map(number, self.likelihood.values)
        return f"Student-t noise of scale {scale} with {df} degrees of freedom"


@dataclass(frozen=True)
class VaryingNoise(Numbers):
    """Real numbers with Gaussian noise that depends on the inputs."""

    name = "heteroscedastic"
    likelihoods = (Heteroscedastic,)
    varies = True
    instead = (
        'leave it out, as the noise is learned; or known noise of rows needs likelihood="gaussian"'
    )

    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> Any:
        """A Gaussian whose noise is a model of the inputs; unless it is the same everywhere."""
        if len(fits) == 1:
            return Real(Gaussian()).response(fits, coded, inference)
        found: Any = fits[1].problem.likelihood
        noise, limits = assemble(fits[1]).plain, np.array(found.limits)
        return VaryingTargets(coded.offsets(1), noise, float(found.log_mean), limits, 0.0)

    def words(self, number: Number) -> str:
        """Say nothing more: there are no parameters."""
        return "Gaussian noise that may vary with the inputs"


def numbers_of(given: Given) -> Any:
    """The targets as numbers; those that are lazy as they are."""
    return given.y if is_lazy(given.y) else numeric_target(given.name, given.y)


def refuse_exposure(name: str) -> None:
    """An error where exposures are given for what are no counts."""
    raise ValueError(
        'exposure is for counts, likelihood="poisson" or "negative_binomial"; got '
        f'likelihood="{name}".'
    )
