"""Every inference climbs to a stationary point of the same evidence, on every likelihood."""

import numpy as np
import problems
import pytest
from laws.parts import (
    LIKELIHOODS,
    MODELS,
    NO_PRICE,
    constant,
    differences,
    has_price,
    over,
    over_pairs,
    some_posterior,
    some_row_weights,
)
from numpy.testing import assert_allclose

from sparsebayes import evidence, statistics
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.inference import EM, Fast
from sparsebayes.inference.addition import BlockSize, choose_block
from sparsebayes.inference.deletion import deletion_gain, single_deletion_gain, without, worth
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.newton import derivatives
from sparsebayes.inference.prices import prices_of
from sparsebayes.inference.start import nothing_of
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions

TOL = 1e-3
MAX_ITER = 5000
# Of 150 rows its two columns gain 3.7 nats, and their price is 4.3.
FAINT = "probabilities"
SEEDS = pytest.mark.parametrize("seed", range(3))


ENDS = {}


def states(inference, problem):
    """All states of an inference, from its start to where it settles."""
    problem = inference.with_hyperpriors(problem)
    found = [inference.init(problem)]
    while not found[-1].settled and len(found) <= MAX_ITER:
        found.append(inference.step(problem, found[-1], TOL))
    return found


def end_of(inference, part, seed):
    """Where an inference settles on a problem of eight columns, found once."""
    key = repr(inference), part, seed
    if key not in ENDS:
        ENDS[key] = states(inference, part.problem(seed, 40, 8))[-1]
    return ENDS[key]


def survey(posterior):
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return every, evidence.candidate_relevance(posterior, every)


def never_falls(values):
    assert len(values) > 1
    return np.diff(values).min() >= -1e-9 * np.abs(values).max()


# Ends.


@over_pairs()
@SEEDS
def test_an_inference_ends_at_a_stationary_point(inference, part, seed):
    end = end_of(inference, part, seed)
    assert end.settled
    assert not end.stalled
    posterior = end.posterior
    assert len(posterior.active) > 0 or has_price(inference)
    assert largest_gradient(posterior) <= TOL
    anew = find_posterior(posterior.problem, posterior.active, posterior.precisions)
    assert_allclose(evidence.objective(posterior), evidence.objective(anew), rtol=1e-7)


def free(inference, part):
    """No hyperprior makes columns stay, and no price makes them go."""
    return not inference.needs_proper_hyperpriors and not has_price(inference)


@over_pairs(free)
@SEEDS
def test_at_the_end_no_candidate_is_in_the_wrong_place(inference, part, seed):
    posterior = end_of(inference, part, seed).posterior
    assert 0 < len(posterior.active) < posterior.problem.n_candidates
    assert survey(posterior)[1].gain.max() <= TOL
    assert np.all(evidence.active_relevance(posterior).excess > 0.0)


@over_pairs(lambda inference, part: has_price(inference))
@SEEDS
def test_at_the_end_each_column_is_worth_its_price_and_no_other_is(inference, part, seed):
    """Beside the others; what a deletion costs is told at the mode after it."""
    posterior = end_of(inference, part, seed).posterior
    prices = prices_of(inference.min_gain, posterior.problem)
    price, gain = prices.beside(posterior.active), survey(posterior)[1].gain
    outside = np.setdiff1d(np.arange(len(price)), posterior.active)
    assert np.all(gain[outside] <= price[outside])
    for position, one in enumerate(posterior.active):
        left = without(posterior, np.array([position])).refreshed()
        loss = evidence.log_evidence(posterior) - evidence.log_evidence(left)
        assert loss >= price[one]
    assert worth(posterior, prices) >= worth(nothing_of(posterior.problem), prices)


@over_pairs(lambda inference, part: has_price(inference))
@SEEDS
def test_a_price_leaves_some_of_the_columns_that_pay_nothing(inference, part, seed):
    """Where there is one, fewer columns are kept, at no more evidence."""
    dear, free = (end_of(each, part, seed).posterior for each in (inference, NO_PRICE))
    assert len(dear.active) <= len(free.active)
    assert evidence.log_evidence(dear) <= evidence.log_evidence(free) + TOL


@over_pairs(lambda inference, part: not has_price(inference) or part is not MODELS[FAINT])
def test_relevant_columns_are_found(inference, part):
    """The first two; of the others none has a weight that counts."""
    check_first_two(inference, part.problem(4, 150, 8))


@over_pairs(lambda inference, part: has_price(inference) and part is MODELS[FAINT])
def test_relevant_columns_of_more_rows_are_worth_their_price(inference, part):
    """Where 150 rows are not enough."""
    check_first_two(inference, part.problem(4, 600, 8))


def check_first_two(inference, problem):
    posterior = states(inference, problem)[-1].posterior
    size = np.abs(posterior.mean * np.sqrt(posterior.output_precision)).max(axis=1)
    counts = posterior.active[size > 0.3 * size.max()] % 8
    assert set(counts) == {0, 1}


# Climbs.


@over_pairs(lambda inference, part: constant(part) and inference in (EM(), Fast()))
@pytest.mark.parametrize(
    ("weights", "noise"),
    [(None, None), (student_t(3.0), None), (Gamma(1e-2, 1e-4), Gamma(1.0, 0.1))],
    ids=["flat", "student t", "gamma"],
)
@SEEDS
def test_the_objective_never_falls(inference, part, weights, noise, seed):
    noise = noise if part.likelihood.noise.estimated else None
    inference = type(inference)(weight_hyperprior=weights, noise_hyperprior=noise)
    found = states(inference, part.problem(seed, 30, 10))
    assert never_falls([evidence.objective(state.posterior) for state in found])


@over_pairs(lambda inference, part: inference.needs_proper_hyperpriors)
@SEEDS
def test_a_lower_bound_never_falls(inference, part, seed):
    found = states(inference, part.problem(seed, 30, 10))
    assert never_falls([state.lower_bound for state in found])


# Steps.


@over(LIKELIHOODS)
@pytest.mark.parametrize("weights", [FLAT, student_t(3.0)], ids=["flat", "student t"])
@pytest.mark.parametrize("weight", [None, some_row_weights(24)], ids=["", "weighted"])
def test_newtons_derivatives_are_those_of_the_objective(part, weights, weight):
    """With the curvature held; the noise is one of the parameters where it is estimated."""
    hyperpriors = {"weight_hyperprior": weights, "noise_hyperprior": Gamma(2.0, 0.1)}
    posterior = some_posterior(part, weight=weight, **hyperpriors)
    here = np.log(posterior.weight_precision)
    if part.likelihood.noise.estimated:
        here = np.append(here, np.log(posterior.noise_precision))

    def moved(logs):
        noise = np.exp(logs[len(posterior.active) :])
        precisions = Precisions(np.exp(logs[: len(posterior.active)]), posterior.noise_precision)
        return posterior.at(
            precisions._replace(noise=float(noise[0])) if len(noise) else precisions
        )

    ours = derivatives(posterior)
    slope = differences(lambda logs: evidence.objective(moved(logs)), here, 1e-4)
    assert_allclose(ours.gradient, slope, rtol=1e-5, atol=1e-6)
    bend = differences(lambda logs: derivatives(moved(logs)).gradient, here, 1e-4)
    assert_allclose(ours.hessian, bend, rtol=1e-6, atol=1e-7)
    assert np.all(ours.em_curvature > 0.0)


@over(LIKELIHOODS)
@SEEDS
def test_a_deletion_gains_the_difference_of_the_evidence(part, seed):
    posterior = some_posterior(part, seed).refreshed()
    active, alpha = posterior.active, posterior.weight_precision
    latent = part.expanded(posterior.problem.data.inputs, active) @ posterior.mean.ravel()
    here = part.log_evidence(posterior, active, alpha, latent)
    for gone in ([0], [1], [1, 0]):
        left, precision = np.delete(active, gone), np.delete(alpha, gone)
        if len(left):
            difference = part.log_evidence(posterior, left, precision, latent) - here
            gain = deletion_gain(posterior, np.array(gone))
            assert_allclose(gain, difference, rtol=1e-6, atol=1e-7)
    alone = [deletion_gain(posterior, np.array([i])) for i in range(len(active))]
    assert_allclose(single_deletion_gain(posterior), alone, rtol=1e-10, atol=1e-13)


@over(LIKELIHOODS, lambda part: constant(part) and part.likelihood.layout.n_outputs == 1)
def test_each_candidate_of_a_block_has_the_gain_and_precision_of_its_turn(part):
    problem = part.problem(1, 90, 12)
    posterior = problems.posterior_at(problem, [11], np.array([2.0]), part.noise_precision)
    every, relevance = survey(posterior)
    block = choose_block(posterior, relevance, every, 1e-3, BlockSize())
    assert len(block.candidates) >= 2
    shortlist = relevance.gain > 1e-3
    for candidate, precision in zip(block.candidates, block.weight_precision, strict=True):
        relevance = survey(posterior)[1]
        assert candidate == np.argmax(shortlist * relevance.gain)
        assert_allclose(precision, relevance.best_precision[candidate], rtol=1e-6)
        more = np.append(posterior.active, candidate)
        alpha = np.append(posterior.weight_precision, precision)
        posterior = find_posterior(
            posterior.problem, more, posterior.precisions._replace(weight=alpha)
        )
