"""Generated data sets have the distribution that the papers give."""

import numpy as np

from sparsebayes.datasets import RIPLEY_CENTRES, noisy_sinc, ripley_mixture, sinc


def test_sinc():
    x = np.array([-2.0, 0.0, 3.0])
    np.testing.assert_allclose(sinc(x), [np.sin(2) / 2, 1.0, np.sin(3) / 3])


def test_noisy_sinc_has_the_noise_it_says():
    X, y = noisy_sinc(20_000, noise_std=0.3, random_state=0)
    assert X.min() == -10
    assert X.max() == 10
    assert abs((y - sinc(X[:, 0])).std() - 0.3) < 0.01


def test_ripley_mixture_has_four_centres_and_a_bayes_error_of_eight_percent():
    X, y = ripley_mixture(20_000, random_state=0)
    assert y.mean() == 0.5
    distance = ((X[:, None, None] - RIPLEY_CENTRES) ** 2).sum(axis=-1)
    likelihood = np.exp(-distance / 0.06).sum(axis=-1)
    assert abs(np.mean(likelihood.argmax(axis=1) != y) - 0.08) < 0.01


def test_a_seed_repeats_the_draw():
    for make in (noisy_sinc, ripley_mixture):
        first, second = make(30, random_state=3), make(30, random_state=3)
        np.testing.assert_array_equal(first[0], second[0])
        np.testing.assert_array_equal(first[1], second[1])
