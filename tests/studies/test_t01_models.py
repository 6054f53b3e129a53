"""The models of the benchmark tables."""

import numpy as np
import pytest

from studies.data import samples
from studies.measures import n_vectors
from studies.papers import t01_models


def test_vectors_of_several_classifiers_are_summed():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    one = samples.Sample(
        "usps", False, random.normal(size=(60, 2)) + 3 * y[:, None], y, *3 * [None]
    )
    for fit in (t01_models.usps_rvm, t01_models.usps_svm, t01_models.usps_best):
        model = fit(one)
        assert 3 <= n_vectors(model) <= 180


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # narrow widths
def test_scales_are_learned_where_inputs_do_not_matter_and_the_width_is_one_of_eight():
    one = samples.sample("friedman1", 0)
    rows = slice(100)
    few = one._replace(X=one.X[rows], y=one.y[rows])
    rvm, best = t01_models.rvm(few), t01_models.best(few)
    assert rvm.gamma in few.gammas(t01_models.WIDTHS)
    errors = [few.error(model.predict(few.X_test)) for model in (best, rvm)]
    assert errors[0] < 0.5 * errors[1]
