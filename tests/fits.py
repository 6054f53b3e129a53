"""Fits of small problems, and what can be asked of them, for the tests of inferences."""

from __future__ import annotations

import numpy as np
import problems

from sparsebayes import evidence, statistics
from sparsebayes.inference import EM, Fast, Mackay
from sparsebayes.inference.addition import first_products
from sparsebayes.inference.fast import SearchProgress
from sparsebayes.inference.loop import Limits, run_from
from sparsebayes.inference.phases import Phase, Schedule
from sparsebayes.inference.prices import prices_of
from sparsebayes.inference.state import Report, State
from sparsebayes.posterior import find_posterior

SEARCHES = [Fast(), Mackay(), EM()]


def fit(inference, problem, tol=1e-3, max_iter=5000, report=None, state=None):
    """A fit of the problem as it is, with the hyperpriors that it has."""
    state = inference.init(problem) if state is None else state
    return run_from(state, inference, problem, Limits(max_iter, tol), report or Report())


def fast_state(problem, active, precisions):
    """Where "fast" stands with these candidates at these precisions."""
    posterior = find_posterior(problem, np.asarray(active), precisions)
    progress = SearchProgress(first_products(posterior), Phase(Schedule()), prices_of(0.0, problem))
    return State(posterior, memory=progress)


def anew(found):
    """The posterior at the precisions of a fit or a posterior, found from zero."""
    return find_posterior(found.problem, found.active, found.precisions)


def largest_gain(posterior):
    """Of a candidate that is not in the model."""
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return evidence.candidate_relevance(posterior, every).gain.max()


def sinc(seed, n_rows=40, width=3.0):
    """Kernels on the rows of a noisy sinc: columns that are nearly collinear if these are wide."""
    random = np.random.default_rng(seed)
    inputs = np.sort(random.uniform(-10.0, 10.0, n_rows))
    target = np.sinc(inputs / np.pi) + 0.1 * random.normal(size=n_rows)
    return problems.kernel_design(inputs, inputs, width), target


class Watch(Report):
    """Keeps what it hears, and asks to stop after some iterations or evaluations."""

    def __init__(self, stop_after=None, stop_learning_after=None):
        self.steps, self.values, self.notes = [], [], []
        self.stop_after, self.stop_learning_after = stop_after, stop_learning_after

    def iteration(self, step):
        self.steps.append(step)
        return len(self.steps) == self.stop_after

    def learning(self, value):
        self.values.append(value)
        return len(self.values) == self.stop_learning_after

    def note(self, text):
        self.notes.append(text)
