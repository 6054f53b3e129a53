"""What was fitted, and whether it is any good."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.report.findings import Findings
from sparsebayes.report.given import Subject
from sparsebayes.report.markup import Html, clipped, facts, paragraph
from sparsebayes.report.numbers import counted, noise_std_of, percent, short
from sparsebayes.report.scores import explained
from sparsebayes.report.sections.fit import cautions


def summary(found: Findings) -> list[Html]:
    """The verdict, and the facts."""
    n_cautions = len(cautions(found))
    remark = (
        Html(
            f'There {"is" if n_cautions == 1 else "are"} <a href="#fit">'
            f"{counted(n_cautions, 'remark')} to read</a> before the model is used."
        )
        if n_cautions
        else "Nothing else speaks against using it."
    )
    return [
        *(paragraph(each, kind="verdict") for each in _verdict(found)),
        paragraph(found.held_out.how, remark),
        facts(_facts(found.given)),
    ]


def _verdict(found: Findings) -> list[str]:
    """What limits the rest, then the error on unseen rows, and whether error bars are right."""
    if not found.scores:
        return ["How good the model is on rows that it has not seen could not be found out."]
    words = _of_targets if found.given.classes is None else _of_classes
    twins = [found.twins] if found.twins else []
    return [*twins, *(words(found, k) for k in range(len(found.scores)))]


def _of_targets(found: Findings, k: int) -> str:
    score, share = found.scores[k], explained(found.held_out.predictions[k])
    sentence = (
        f"On rows that it had not seen, the model is off by {score.error} (root mean square). "
        f"That is {score.verdict} predicting the mean, which is off by {short(score.trivial)}"
    )
    if np.isfinite(share.value) and share.value > 0.0:
        sentence += f": it explains {share.in_percent} of the variance"
    return f"{found.naming(k)}{sentence}. {found.trust[k].finding}"


def _of_classes(found: Findings, k: int) -> str:
    score = found.scores[k]
    return (
        f"On rows that it had not seen, the model is wrong in {score.error.in_percent} of them. "
        f"Always answering the most common class is wrong in {percent(score.trivial)}, and in the "
        f"probabilities that it gives, the model is {score.verdict} giving each class its share. "
        f"{found.trust[k].finding}"
    )


def _facts(given: Subject) -> list[tuple[str, object]]:
    """Names and numbers."""
    model = given.estimator
    what = "Rows (new to the model)" if given.new else "Rows"
    pairs: list[tuple[str, object]] = [
        ("Model", _kind(model)),
        ("Predicts", clipped(", ".join(given.targets), 80)),
        (what, given.n_rows),
        ("Inputs", _inputs(given)),
        *_parts(given),
    ]
    pairs += _learned(given)
    pairs.append(("Log evidence", short(model.log_evidence_, 5)))
    pairs.append(("Fit", model.outcome_.name.lower().replace("_", " ")))
    return pairs


def _learned(given: Subject) -> list[tuple[str, object]]:
    """What is known of the target besides its mean."""
    likelihood = ("Likelihood", given.fitted.target.words(short))
    if given.classes is None:
        noise = noise_std_of(given.estimator, given.X, short)
        found = [likelihood, ("Standard deviation of the noise", noise)]
    else:
        found = [("Classes", clipped(", ".join(given.class_names), 80)), likelihood]
    return [(name, value) for name, value in found if value is not None]


def _kind(model: Any) -> str:
    inference = model.inference
    name = inference if isinstance(inference, str) else type(inference).__name__.lower()
    kernel = getattr(model, "kernel", None)
    about = [] if kernel is None else [f"{getattr(kernel, '__name__', kernel)} kernel"]
    return ", ".join([type(model).__name__, *about, f"{name} inference"])


def _inputs(given: Subject) -> object:
    if given.pairwise:
        return f"kernel values with {given.n_inputs} rows"
    n_columns = len(given.factors)
    if n_columns == given.n_inputs:
        return given.n_inputs
    return f"{given.n_inputs}, of {counted(n_columns, 'column')} of a table"


def _parts(given: Subject) -> list[tuple[str, object]]:
    """What the model is made of."""
    model = given.estimator
    parts: list[tuple[str, object]] = []
    n_vectors = len(model.relevance_)
    if n_vectors:
        share = "" if given.new else f" ({percent(n_vectors / given.n_rows)} of the rows)"
        parts.append(("Relevance vectors", f"{n_vectors}{share}"))
    elif not hasattr(model, "coef_"):
        parts.append(("Columns in the model", str(given.fitted.columns.n_columns)))
    if hasattr(model, "covering_"):
        parts.append(("Rows that carry the error bars", str(len(model.covering_))))
    if hasattr(model, "coef_"):
        used = int(np.count_nonzero(model.selected_))
        parts.append(("Inputs in use", f"{used} of {given.n_inputs}"))
    return parts
