"""The lists that laws run over: every likelihood with its naive twin, and every inference.

A new likelihood is entered here, once; inferences are those that have a name. `reference` has the
naive densities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import problems
import pytest
import reference

from sparsebayes import inference, statistics
from sparsebayes.inference import EM, Fast
from sparsebayes.likelihoods import (
    Bernoulli,
    Bounded,
    CumulativeLogit,
    Frozen,
    Gaussian,
    Gaussians,
    Heteroscedastic,
    Likelihood,
    Multinomial,
    NegativeBinomial,
    Poisson,
    Resemblance,
    Softmax,
    StudentT,
    Variances,
)

UNITS = np.array([1.0, 1e-3, 50.0])


@dataclass(frozen=True, eq=False)
class Part:
    """A likelihood, data for it, and what it is, naively.

    Attributes
    ----------
    data : (seed, n_rows, n_columns) -> design and target; the first two columns are relevant
    density : naive, of rows with latent values (n, L)
    held : the same with the curvature that the evidence has, where that is not its own
    noise_precision : one to look at
    steps : the same with the curvature that steps to a mode take, where that is yet another
    family : the likelihood with its parameters left open, and these, where there are any
    """

    likelihood: Likelihood
    data: Callable
    density: Callable
    held: Callable | None = None
    noise_precision: float = 1.0
    steps: Callable | None = None
    family: tuple[Likelihood, np.ndarray] | None = None

    def problem(self, seed=0, n_rows=24, n_columns=5, **options):
        return problems.problem(*self.data(seed, n_rows, n_columns), self.likelihood, **options)

    def shaped(self, latent):
        """Latent values (n, L) as the likelihood wants them."""
        return latent[:, 0] if self.likelihood.layout.single else latent

    def expanded(self, design, candidates=None):
        """The naive design (n, L, P), of all candidates or of some."""
        layout = self.likelihood.layout
        whole = reference.expanded_design(design, layout.n_classes, layout.n_outputs)
        if candidates is None:
            return whole
        outputs = np.arange(layout.n_outputs)
        return whole[:, :, (candidates[:, None] * layout.n_outputs + outputs).ravel()]

    @property
    def volume_density(self):
        """The density with the curvature that the evidence has."""
        return self.held or self.density

    def log_evidence(self, posterior, candidates, weight_precision, held_at=None):
        """Naive, of any candidates at the noise of a posterior; N x N where the noise is Gaussian.

        With latent values `held_at`, of the quadratic that the log density is there.
        """
        data, relative = posterior.problem.data, posterior.output_precision
        expanded = self.expanded(data.inputs, candidates)
        each = np.ones(self.likelihood.layout.n_outputs)
        if self.density is reference.gaussian:
            long = expanded.reshape(-1, expanded.shape[2])
            noise = np.tile(posterior.noise_precision * relative * each, len(data.target))
            prior = np.kron(weight_precision, relative * each)
            return reference.log_evidence(long, data.target.ravel(), prior, noise)
        density, held = self.density, self.volume_density
        if held_at is not None:
            density = held = reference.taylor(held, held_at)
        prior = np.kron(weight_precision, each)
        return reference.laplace(density, held, expanded, data.target, prior)


def real(seed, n_rows, n_columns):
    return problems.regression(seed, n_rows, n_columns, min(2, n_columns))


def several(seed, n_rows, n_columns):
    design, targets = alike(seed, n_rows, n_columns)
    return design, targets * UNITS


def alike(seed, n_rows, n_columns):
    return problems.outputs(seed, n_rows, n_columns, min(2, n_columns))


def binary(seed, n_rows, n_columns):
    return problems.classification(seed, n_rows, n_columns, min(2, n_columns))


def probabilities(seed, n_rows, n_columns):
    design, target = binary(seed, n_rows, n_columns)
    return design, np.abs(target - np.random.default_rng(seed).uniform(0.0, 0.5, n_rows))


def with_tangent(seed, n_rows, n_columns):
    design, target = binary(seed, n_rows, n_columns)
    return design, np.column_stack([target, np.linspace(0.1, 5.0, n_rows)])


def labels(seed, n_rows, n_columns):
    return problems.classes(seed, n_rows, n_columns, min(2, n_columns))


def counts(seed, n_rows, n_columns):
    design, latent = problems.regression(seed, n_rows, n_columns, min(2, n_columns), noise=0.3)
    random = np.random.default_rng(seed + 2000)
    return design, random.poisson(np.exp(1.0 + 0.5 * latent)).astype(float)


def exposed(seed, n_rows, n_columns):
    design, target = counts(seed, n_rows, n_columns)
    return design, np.column_stack([target, np.linspace(-1.0, 1.0, n_rows)])


def heavy(seed, n_rows, n_columns):
    """Every seventh row is an outlier."""
    design, target = real(seed, n_rows, n_columns)
    return design, target + 5.0 * (np.arange(n_rows) % 7 == 3)


def ranks(seed, n_rows, n_columns):
    design, target = real(seed, n_rows, n_columns)
    return design, np.digitize(target, [-1.5, 0.0, 1.0]).astype(float)


def squares(seed, n_rows, n_columns):
    """The log variance depends on the columns."""
    design, latent = problems.regression(seed, n_rows, n_columns, min(2, n_columns), noise=0.0)
    random = np.random.default_rng(seed + 3000)
    return design, np.exp(latent) * random.normal(size=n_rows) ** 2


def contrasts(seed, n_rows, n_columns):
    """Latent values of three classes, as two contrasts."""
    design, targets = alike(seed, n_rows, n_columns)
    return design, targets[:, :2]


CUTS = np.array([-1.0, 0.2, 2.5])
MEAN_CONTRASTS = reference.with_mean_curvature(reference.class_contrasts)
# What users fit.
MODELS = {
    "gaussian": Part(Gaussian(), real, reference.gaussian, noise_precision=4.0),
    "known noise": Part(Gaussian(0.5), real, reference.gaussian, noise_precision=4.0),
    "gaussians": Part(Gaussians(3), several, reference.gaussian),
    "bernoulli": Part(Bernoulli(), binary, reference.bernoulli),
    "probabilities": Part(Bernoulli(), probabilities, reference.bernoulli),
    "softmax": Part(Softmax(3), labels, reference.classes),
    "multinomial": Part(Multinomial(3), labels, reference.class_contrasts, MEAN_CONTRASTS),
    "poisson": Part(
        Poisson(1.0), counts, reference.poisson(1.0), family=(Poisson(), np.array([1.0]))
    ),
    "exposures": Part(
        Poisson(0.5), exposed, reference.poisson(0.5), family=(Poisson(), np.array([0.5]))
    ),
    "negative binomial": Part(
        NegativeBinomial(0.3, 1.0),
        counts,
        reference.negative_binomial(0.3, 1.0),
        family=(NegativeBinomial(), np.array([np.log(0.3), 1.0])),
    ),
    "student-t": Part(
        StudentT(4.0, 0.4),
        heavy,
        reference.student_t(4.0, 0.4),
        reference.student_t(4.0, 0.4, "expected"),
        steps=reference.student_t(4.0, 0.4, "em"),
        family=(StudentT(), np.log([0.4**-2, 2.0])),
    ),
    "ordered": Part(
        CumulativeLogit(4, CUTS),
        ranks,
        reference.ordered(CUTS),
        family=(CumulativeLogit(4), np.array([CUTS[0], *np.log(np.diff(CUTS))])),
    ),
    "variances": Part(
        Variances(0.5), squares, reference.variances(0.5), family=(Variances(), np.array([0.5]))
    ),
}
# Quadratics that take the place of one of these.
SURROGATES = {
    f"frozen {name}": Part(
        Frozen(part.likelihood),
        part.data,
        reference.frozen(part.volume_density if part.steps else part.density),
    )
    for name, part in MODELS.items()
    if not part.likelihood.constant_curvature
}
SURROGATES["bounded"] = Part(Bounded(Bernoulli()), with_tangent, reference.tangents)
# What the mean of a dense model is fitted by.
GOALS = {
    "outputs of known noise": Part(
        Gaussians(3, 0.5), alike, reference.gaussian, noise_precision=4.0
    ),
    "resemblance": Part(
        Resemblance(3, 0.2), contrasts, reference.resemblance(0.2), reference.resemblance(0.2, True)
    ),
}
# What noise that varies begins with.
BEGINNINGS = {"heteroscedastic": Part(Heteroscedastic(), real, reference.gaussian, None, 4.0)}
LIKELIHOODS = MODELS | SURROGATES | GOALS | BEGINNINGS

NO_PRICE = Fast(min_gain=0.0)
INFERENCES = [*(kind() for kind in inference.INFERENCES.values()), NO_PRICE]


def over(parts, having=lambda part: True):
    """A law over some of the parts."""
    chosen = {name: part for name, part in parts.items() if having(part)}
    marked = [pytest.param(part, id=name, marks=lane(name)) for name, part in chosen.items()]
    return pytest.mark.parametrize("part", marked)


def lane(name):
    """The quick lane leaves out parts that are like others in it."""
    alike = ("exposures", "negative binomial", "variances", "heteroscedastic")
    return [pytest.mark.slow] if name.removeprefix("frozen ") in alike else []


def over_pairs(having=lambda inference, part: True):
    """A law over all models, each with the inferences that can be used with it."""
    return pytest.mark.parametrize(("inference", "part"), list(pairs(MODELS, having)))


def pairs(cases, having, part_of=lambda case: case):
    """Each case with each inference that can be used with its part."""
    for name, case in cases.items():
        for each in INFERENCES:
            part = part_of(case)
            if each.objection(part.likelihood) is None and having(each, case):
                # EM takes hundreds of steps, and each costs more for several latent values.
                slow = [pytest.mark.slow] if each == EM() and not single(part) else lane(name)
                yield pytest.param(each, case, id=f"{each!r} {name}", marks=slow)


def has_price(inference):
    """Whether columns must gain more than nothing: then few may be left, or none."""
    return inference == Fast()


def constant(part):
    return part.likelihood.constant_curvature


def curved(part):
    return not part.likelihood.constant_curvature


def single(part):
    return part.likelihood.layout.single


def some_candidates(problem, seed=0):
    """Half of the candidates, in no order."""
    order = np.random.default_rng(seed).permutation(problem.n_candidates)
    return order[: problem.n_candidates // 2]


def some_weights(problem, active, seed=1):
    return np.random.default_rng(seed).normal(size=problem.no_weights(len(active)).shape)


def some_precisions(active):
    """From weak to strong."""
    return np.geomspace(1e-2, 20.0, len(active))


def some_row_weights(n_rows):
    return np.random.default_rng(2).uniform(0.5, 2.0, n_rows)


def some_posterior(part, seed=0, **options):
    """Over half of the candidates."""
    problem = part.problem(seed, **options)
    active = some_candidates(problem)
    return problems.posterior_at(problem, active, some_precisions(active), part.noise_precision)


def gradient_size(posterior):
    """Length of the gradient of the log posterior, in posterior standard deviations."""
    score = statistics.expansion(posterior.problem, posterior.active, posterior.mean).score
    gradient = posterior.noise_precision * score - posterior.pull
    energy = np.sum(gradient * (posterior.covariance @ gradient), axis=0)
    return np.sqrt(np.sum(posterior.output_precision * energy))


def differences(function, point, step=1e-5):
    """Central differences for each entry of a point, along the first axes (*point.shape, ...)."""
    point = np.asarray(point, dtype=float)
    found = []
    for i in np.ndindex(point.shape):
        unit = np.zeros(point.shape)
        unit[i] = step
        found.append((function(point + unit) - function(point - unit)) / (2.0 * step))
    return np.array(found).reshape(point.shape + np.shape(found[0]))
