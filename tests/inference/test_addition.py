import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose

from sparsebayes import evidence, statistics
from sparsebayes.inference.addition import BlockSize, CandidateBlock, choose_block, with_block

BETA = 4.0


def survey(posterior):
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return every, evidence.candidate_relevance(posterior, every)


def choose(posterior, least_gain=1e-3, **size):
    every, relevance = survey(posterior)
    return choose_block(posterior, relevance, every, least_gain, BlockSize(**size))


def extended(posterior, column, precision):
    """The posterior with one more column, found from the rows."""
    return problems.posterior_at(
        posterior.problem,
        np.append(posterior.active, column),
        np.append(posterior.weight_precision, precision),
        posterior.noise_precision,
    )


def plain(seed):
    """Two irrelevant columns in the model, and 28 candidates of which six are relevant."""
    design, target = problems.regression(seed, 60, 30, 6)
    problem = problems.gaussian(design, target)
    return problems.posterior_at(problem, [20, 21], np.array([1.0, 2.0]), BETA)


def kernels(seed):
    """Overlapping kernels and weights of rows, and a model of the bias."""
    random = np.random.default_rng(seed)
    inputs = np.sort(random.uniform(-10.0, 10.0, 60))
    target = np.sin(inputs) + 0.1 * random.normal(size=60)
    design = problems.kernel_design(inputs, inputs, 1.5)
    problem = problems.gaussian(design, target, weight=random.uniform(0.5, 2.0, 60))
    return problems.posterior_at(problem, [0], np.array([1.0]), BETA)


@pytest.mark.parametrize("case", [plain, kernels])
def test_each_column_is_the_best_of_its_turn(case):
    posterior = case(3)
    block = choose(posterior)
    for column, precision in zip(block.candidates, block.weight_precision, strict=True):
        gain = survey(posterior)[1].gain
        assert_allclose(gain[column], gain.max(), rtol=1e-6)
        posterior = extended(posterior, column, precision)


@pytest.mark.parametrize("case", [plain, kernels])
def test_what_is_left_gains_little(case):
    """Of fewer columns than the shortlist and the block hold, none is forgotten."""
    posterior = case(4)
    block = choose(posterior, 0.5)
    assert 0 < len(block.candidates) < BlockSize().most
    for column, precision in zip(block.candidates, block.weight_precision, strict=True):
        posterior = extended(posterior, column, precision)
    assert survey(posterior)[1].gain.max() <= 0.5 + 1e-6


@pytest.mark.parametrize("distance", [0.0, 1e-9, 1e-6, 1e-3])
def test_of_near_copies_only_one_enters(distance):
    design, target = problems.regression(5, 60, 30, 6)
    other = np.random.default_rng(6).normal(size=(60, 4))
    design[:, 10:14] = design[:, [0]] + distance * other
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, [20], np.array([1.0]), BETA)
    gain = survey(posterior)[1].gain
    assert gain[[0, 10, 11, 12, 13]].min() > 5.0  # each alone would be welcome
    columns = choose(posterior, 0.1).candidates
    assert np.isin(columns, [0, 10, 11, 12, 13]).sum() == 1
    assert np.isin(np.arange(1, 6), columns).sum() >= 4


def test_a_copy_of_an_active_column_does_not_enter():
    design, target = problems.regression(5, 60, 30, 6)
    design[:, 10] = design[:, 0]
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, [0], np.array([1e-3]), BETA)
    assert not np.isin([0, 10], choose(posterior).candidates).any()


def test_nothing_to_gain_is_an_empty_block():
    posterior = plain(7)
    largest = survey(posterior)[1].gain.max()
    block = choose(posterior, largest)
    assert block.candidates.shape == block.weight_precision.shape == (0,)
    assert list(choose(posterior, 0.999 * largest).candidates) != []


def test_active_columns_are_never_chosen():
    for seed in range(5):
        for case in (plain, kernels):
            posterior = case(seed)
            columns = choose(posterior).candidates
            assert not np.isin(columns, posterior.active).any()
            assert len(np.unique(columns)) == len(columns)


def test_a_block_has_a_largest_size():
    posterior = plain(8)
    whole = choose(posterior).candidates
    assert list(choose(posterior, most=2).candidates) == list(whole[:2])


def test_a_shortlist_holds_the_largest_gains():
    posterior = plain(9)
    gain = survey(posterior)[1].gain
    columns = choose(posterior, shortlist=3).candidates
    assert set(columns) <= set(np.argsort(-gain)[:3])
    assert columns[0] == np.argmax(gain)


def test_a_bernoulli_block_raises_the_evidence():
    """There the gains are those of the held curvature, and so only near."""
    problem = problems.bernoulli(*problems.classification(10, 200, 20, 4))
    start = problems.posterior_at(problem, [15], np.array([10.0]))
    block = choose(start, 1.0)
    assert np.isin([0, 1, 2, 3], block.candidates).all()
    posterior = start
    for column, precision in zip(block.candidates, block.weight_precision, strict=True):
        posterior = extended(posterior, column, precision)
    rise = evidence.log_evidence(posterior) - evidence.log_evidence(start)
    assert rise > 10.0


def test_a_block_knows_the_largest_gain():
    posterior = plain(9)
    gain = survey(posterior)[1].gain.max()
    assert choose(posterior).largest_gain == choose(posterior, 1e9).largest_gain == gain


@pytest.mark.parametrize("case", [plain, kernels])
def test_the_posterior_with_a_block_is_that_of_all_columns_in_order(case):
    before = case(11)
    block = CandidateBlock(np.array([7, 3]), np.array([2.0, 0.5]), np.nan)
    grown = with_block(before, block)
    assert list(grown.active) == sorted([*before.active, 3, 7])
    for column, precision in ((7, 2.0), (3, 0.5)):
        assert grown.weight_precision[list(grown.active).index(column)] == precision
    expected = fits.anew(grown)
    assert_allclose(grown.mean, expected.mean, rtol=1e-9)
    assert_allclose(grown.covariance, expected.covariance, rtol=1e-9)
