import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference import Fast, Variational
from sparsebayes.inference.state import Report, Step
from sparsebayes.likelihoods import Gaussians, Multinomial, Softmax

PROPER = {"weight_hyperprior": Gamma(1e-6, 1e-6), "noise_hyperprior": Gamma(1e-6, 1e-6)}
MADE = {
    "gaussian": problems.gaussian(*problems.regression(0)),
    "fixed noise": problems.gaussian(*problems.regression(0), noise_std=0.5),
    "outputs": problems.problem(*problems.outputs(0), Gaussians(3)),
    "bernoulli": problems.bernoulli(*problems.classification(0)),
    "softmax": problems.problem(*problems.classes(0), Softmax(3)),
    "multinomial": problems.problem(*problems.classes(0), Multinomial(3)),
}


@pytest.mark.parametrize("problem", MADE.values(), ids=MADE)
def test_a_fit_is_the_posterior_at_its_precisions(problem):
    found = fits.fit(Fast(), problem)
    posterior = fits.anew(found)
    assert_array_equal(found.active, posterior.active)
    assert_allclose(found.mean, posterior.mean, rtol=1e-5, atol=1e-7)
    assert_allclose(found.root @ found.root.T, posterior.covariance, rtol=1e-5, atol=1e-8)
    relative = np.broadcast_to(posterior.output_precision, found.noise_std.shape)
    assert_allclose(found.noise_std, (found.precisions.noise * relative) ** -0.5, rtol=1e-6)


def test_only_a_variational_fit_has_a_lower_bound():
    assert np.isnan(fits.fit(Fast(), MADE["gaussian"]).lower_bound)
    found = fits.fit(Variational(), problems.gaussian(*problems.regression(0), **PROPER))
    assert found.lower_bound == found.history[-1].lower_bound < found.log_evidence


def test_with_a_proper_hyperprior_only_relevant_columns_count_as_precisions():
    found = fits.fit(Variational(), problems.gaussian(*problems.regression(0), **PROPER))
    assert len(found.active) == 8
    assert 3 <= found.n_precisions == found.relevant.sum() < 8


def test_a_report_keeps_everything_to_itself_and_never_stops():
    report = Report()
    assert not report.iteration(Step(*np.zeros(6)))
    assert not report.learning(0.0)
    assert report.note("done") is None
