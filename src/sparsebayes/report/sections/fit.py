"""How the fit went, and what to know before the model is used: warnings in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.report.drawing import COLOURS, LINES, legend_above, picture
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import Subject
from sparsebayes.report.markup import Html, beside, bullets, clipped, figure, heading, paragraph
from sparsebayes.report.numbers import counted, listed, percent, short

MOST_LINES = 4
# Points of a line; a fit of thousands of steps needs no more.
MOST_STEPS = 300
# A smaller rise means nothing, and is drawn as one.
LEAST_RISE = 1.0


def fit(found: Findings) -> list[Html]:
    """Remarks, and the evidence along the fit."""
    sentences = cautions(found)
    remarks = bullets(sentences) if sentences else paragraph("There is nothing to warn of.")
    parts = [heading("Remarks"), remarks, heading("The evidence along the fit"), *_history(found)]
    return parts


def _history(found: Findings) -> list[Html]:
    model = found.given.estimator
    histories, outcome = found.given.fitted.histories, model.outcome_
    ended = "converged" if outcome.converged else "ended before it had converged"
    text = (
        f"The fit {ended} after {counted(model.n_iter_, 'step')}, with a log evidence of "
        f"{short(model.log_evidence_, 5)}. The evidence is the probability of the training targets "
        "under the model: it weighs how well they are met against how much the model can bend."
    )
    of_mean = (
        "The curve is that of the search for vectors that say the same as a Gaussian process, so "
        "it does not end at the evidence of the process."
        if getattr(model, "inference", None) == "projection" or hasattr(model, "covering_")
        else ""
    )
    if max(map(len, histories)) < 2:
        return [paragraph(text)]
    first, last = histories[0][0].log_evidence, histories[0][-1].log_evidence
    caption = (
        f"What the search maximises, after each step: from {short(first, 6)} to {short(last, 6)}."
    )
    return [paragraph(text, of_mean), beside([figure(_curves(found, caption), caption)])]


def _curves(found: Findings, label: str) -> Html:
    """The log evidence of each fit by step."""
    histories = found.given.fitted.histories[:MOST_LINES]
    names = found.given.class_names if found.given.classes is not None else found.given.targets

    def draw(ax: Any) -> None:
        for k, history in enumerate(histories):
            every = -(-len(history) // MOST_STEPS)
            steps = list(range(0, len(history), every))
            values = [history[step].log_evidence for step in steps]
            text = clipped(names[k], 20) if len(histories) > 1 else None
            marker = "o" if len(steps) < 40 else ""
            ax.plot(steps, values, LINES[k], marker=marker, ms=3.5, color=COLOURS[k], label=text)
        ax.set(xlabel="step", ylabel="what the search maximises")
        low, high = ax.get_ylim()
        if high - low < LEAST_RISE:
            ax.set_ylim(low - 0.5 * LEAST_RISE, high + 0.5 * LEAST_RISE)
        ax.xaxis.get_major_locator().set_params(integer=True)
        if len(histories) > 1:
            legend_above(ax)

    return picture("evidence", label, draw, size=(4.5, 2.7))


# Fewer rows than this leave wide error bars on everything.
FEW_ROWS = 30
# A row of more novelty is nearer to nothing that the model knows.
NOVEL = 0.5
# Where more of its own rows are new to it, a model has learned little, of which others tell.
MOST_NOVEL = 0.5
# A model with more of the rows as vectors has not become sparse.
LARGE_SHARE = 0.5


def cautions(found: Findings) -> list[str]:
    """What to know before the model is used; nothing where all is well."""
    sentences = [sentence for check in CHECKS for sentence in check(found)]
    return list(dict.fromkeys(sentences))


def _of_fit(found: Findings) -> Iterator[str]:
    outcome = found.given.estimator.outcome_
    if not outcome.converged:
        yield f"The fit did not end well. {outcome.value}"


def _of_missing_estimate(found: Findings) -> Iterator[str]:
    if not found.held_out.predictions:
        yield (
            "There is no estimate of the error on unseen rows, so nothing here says how good the "
            f"model is. {found.held_out.how} Collect more rows, or give rows that the model has "
            "not seen (new=True)."
        )


def _of_twins(found: Findings) -> Iterator[str]:
    if found.twins:
        yield found.twins


def _of_target(found: Findings) -> Iterator[str]:
    given = found.given
    columns = given.y if given.classes is None else given.y[:, None]
    for k in np.flatnonzero(np.ptp(columns, axis=0) == 0):
        yield f"{given.targets[k]} has the same value in all rows, so there is nothing to predict."


def _of_error(found: Findings) -> Iterator[str]:
    trivial = "predicting the mean" if found.given.classes is None else "the shares of the classes"
    for k, score in enumerate(found.scores):
        if not score.verdict.startswith("clearly"):
            yield (
                f"{found.naming(k)}On unseen rows the model is {score.verdict} {trivial}. It may "
                "have learned nothing that holds for new rows."
            )


def _of_trust(found: Findings) -> Iterator[str]:
    for k, each in enumerate(found.trust):
        if not each.fine:
            yield f"{found.naming(k)}{each.finding}"


def _of_rows(found: Findings) -> Iterator[str]:
    given = found.given
    if given.n_rows < FEW_ROWS:
        yield (
            f"There are only {counted(given.n_rows, 'row')}: the figures of this page are rough, "
            "as their error bars say."
        )
    if given.n_inputs > given.n_rows and not given.new and not given.pairwise:
        yield (
            f"There are more inputs ({given.n_inputs}) than rows ({given.n_rows}). Some inputs may "
            "look relevant by chance; trust the error on unseen rows, not the list of inputs."
        )


def _of_constants(found: Findings) -> Iterator[str]:
    given = found.given
    if given.pairwise or given.n_rows < 2:
        return
    low, high = (_dense(each).ravel() for each in (given.X.min(axis=0), given.X.max(axis=0)))
    constant = np.flatnonzero(low == high)
    if len(constant):
        names = listed([given.names[k] for k in constant])
        verb = "has the same value" if len(constant) == 1 else "have one value each"
        yield f"{names} {verb} in all rows, so nothing can be learned from it."


def _of_novelty(found: Findings) -> Iterator[str]:
    given = found.given
    if not hasattr(given.estimator, "covering_"):
        return
    novel = given.estimator.novelty(given.X) > NOVEL
    if not novel.any() or (not given.new and novel.mean() > MOST_NOVEL):
        return
    which = listed([str(row) for row in np.flatnonzero(novel)])
    if given.new:
        yield (
            f"{percent(novel.mean())} of the rows are unlike what the model was fitted to (novelty "
            f"above {NOVEL:g}; rows {which}, counted from 0). Error bars are wide there, and "
            "should be."
        )
    else:
        yield (
            f"{percent(novel.mean())} of the rows stand alone (rows {which}, counted from 0): even "
            "with them, the model knows less than half of what there is to know there."
        )


def _of_shrinking_bars(found: Findings) -> Iterator[str]:
    kinds = [kind for kind in found.given.fitted.columns.kinds if kind.n_columns]
    if hasattr(found.given.estimator, "covering_") or not any(
        k.formula.definition.local for k in kinds
    ):
        return
    what = "Error bars" if found.given.classes is None else "The error bars behind probabilities"
    yield (
        f"{what} are those of the weights. They shrink away from the data instead of growing, so "
        "do not trust them outside the range of the rows. "
        'RVR and RVC with inference="projection", the default, have error bars that grow.'
    )


def _of_size(found: Findings) -> Iterator[str]:
    given, n_vectors = found.given, len(found.given.estimator.relevance_)
    if not given.new and n_vectors > LARGE_SHARE * given.n_rows:
        yield (
            f"The model keeps {n_vectors} of {given.n_rows} rows as vectors, so it is not small. "
            "The target may change more quickly than the rows can show, or the noise may be very "
            "low."
        )


def _of_other_rows(found: Findings) -> Iterator[str]:
    at_home = _vectors_are_rows(found.given)
    if at_home and found.given.new:
        yield (
            "Vectors of the model are among these rows, so the model has seen some of them or all: "
            "its errors here are smaller than on new rows. Ask for a report of the training rows "
            "without new=True (--new)."
        )
    if at_home is False and not found.given.new:
        yield (
            "The vectors of the model are not where they would be among these rows, so these are "
            "not the rows that it was fitted to, or not in their order. The figures on unseen rows "
            "are those of models fitted to these rows. If the model has not seen them, ask for a "
            "report with new=True."
        )


def _vectors_are_rows(given: Subject) -> bool | None:
    """Whether vectors are where they were among the training rows; None where it is not known."""
    model = given.estimator
    vectors = getattr(model, "relevance_vectors_", None)
    placed = isinstance(getattr(model, "centres", None), np.ndarray | list)
    if given.pairwise or placed or vectors is None or not vectors.shape[0]:
        return None
    if given.new:
        return _are_among(vectors, given.X)
    if model.relevance_.max() >= given.n_rows:
        return False
    return np.array_equal(_dense(given.X[model.relevance_]), _dense(vectors))


def _dense(rows: Any) -> np.ndarray:
    return rows.toarray() if issparse(rows) else rows


def _are_among(vectors: Any, rows: Any) -> bool:
    """Whether more vectors are among the rows than chance would have there."""
    known = {row.tobytes() for row in _dense(rows)}
    found = sum(vector.tobytes() in known for vector in np.ascontiguousarray(_dense(vectors)))
    return found > max(1, 0.05 * vectors.shape[0])


CHECKS: tuple[Callable[[Findings], Iterator[str]], ...] = (
    _of_fit,
    _of_missing_estimate,
    _of_twins,
    _of_target,
    _of_error,
    _of_trust,
    _of_other_rows,
    _of_rows,
    _of_constants,
    _of_novelty,
    _of_shrinking_bars,
    _of_size,
)
