"""The top-down start of a search: many candidates under a weak prior, and a few re-estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sparsebayes import statistics
from sparsebayes.columns import NO_ROW, spread
from sparsebayes.evidence import objective
from sparsebayes.inference.deletion import all_but, removable
from sparsebayes.inference.phases import Schedule
from sparsebayes.inference.reestimation import mackay_update
from sparsebayes.inference.start import spanning_columns, weak_start
from sparsebayes.likelihoods import Frozen
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem


def top_down(
    problem: Problem, schedule: Schedule, candidates: np.ndarray | None = None
) -> Posterior:
    """The posterior after a few re-estimates of many candidates.

    Where the curvature varies, the quadratic at f = 0 takes the place of the likelihood at first,
    and stays there for all these steps if rows and candidates are many. With the curvature held,
    steps can lose their way: of rows that are sure it is next to nothing, and so are then all
    weights. So the highest of the modes on the way is where they end.

    Parameters
    ----------
    candidates : that are known to follow the targets; if none are, such as span all others
    """
    varies = not problem.likelihood.constant_curvature
    first = problem.changed(likelihood=Frozen(problem.likelihood)) if varies else problem
    posterior = weak_start(first, start_candidates(first, schedule, candidates))
    if varies and len(problem.data.target) * len(posterior.active) ** 2 <= schedule.start_work:
        posterior = replace(posterior, problem=problem).refreshed()
    n_steps = schedule.start_steps if candidates is None else schedule.known_steps
    modes = []
    for number in range(n_steps):
        updated = mackay_update(posterior)
        gone = removable(posterior, schedule.poorly_at_start)
        kept = all_but(posterior, gone) if len(gone) else None
        posterior = posterior.at(updated if kept is None else updated.of(kept), kept)
        varies = not posterior.problem.likelihood.constant_curvature
        if varies and number % schedule.start_refresh == 0:
            posterior = posterior.refreshed()
            modes.append(posterior)
    modes.append(replace(posterior, problem=problem).refreshed())
    return max(reversed(modes), key=objective)


def start_candidates(
    problem: Problem, schedule: Schedule, known: np.ndarray | None
) -> np.ndarray | None:
    """Which candidates a fit starts with (k,); None for all of them.

    Those that are known to be good, or such as span all others; and some more, spread evenly. If
    no candidate will ever leave or enter, all of them.
    """
    few = known is None and problem.n_candidates <= schedule.first_look
    if few or not problem.weight_hyperprior.is_flat:
        return None
    chosen = spanning_candidates(problem, schedule) if known is None else known
    return np.union1d(chosen, some_of_each(problem, schedule))


def some_of_each(problem: Problem, schedule: Schedule) -> np.ndarray:
    """One in so many of the candidates of each kind of columns, evenly spaced.

    Of plain columns beside a kernel it is all, as long as they are few. Kinds are taken one by one,
    so that their order does not matter.
    """
    part = min(1.0, schedule.start_columns / problem.n_candidates) / schedule.one_in
    found, start, beside = [], 0, len(problem.columns.kinds) > 1
    for kind in problem.columns.kinds:
        own, plain = np.arange(start, start + kind.n_columns), kind.centre_rows == NO_ROW
        few = beside and plain.all() and len(own) <= schedule.few_plain
        found.append(own if few else spread(own, max(2, int(part * len(own)))))
        start += kind.n_columns
    columns = np.concatenate(found)
    classes = problem.n_columns * np.arange(problem.layout.n_classes)
    return np.add.outer(classes, columns).ravel()


def spanning_candidates(problem: Problem, schedule: Schedule) -> np.ndarray:
    """Candidates that span all others (k,), or as many as may start if it takes too many.

    They are looked for among few, evenly spaced. Unless these are at least twice as many as it
    takes, they may not say all that others can.
    """
    some = spread(np.arange(problem.n_candidates), schedule.first_look)
    gram = statistics.gram(problem, some, problem.no_weights(len(some)))
    spanning = some[spanning_columns(gram)]
    if 2 * len(spanning) <= len(some):
        return spanning
    return spread(np.arange(problem.n_candidates), schedule.start_columns)
