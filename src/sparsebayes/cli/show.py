"""`sparsebayes show`: what is in a model."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

from sparsebayes.cli.messages import counted, in_columns, listed, rounded
from sparsebayes.cli.outputs import size_of
from sparsebayes.cli.predict import target_names
from sparsebayes.cli.relevance import in_a_line, shares_of_inputs
from sparsebayes.model import load

MOST_INPUTS = 20
# How the noise is told of that a response of a kind has.
NOISE: dict[str, Callable[[Any], str]] = {
    "real": lambda response: ", ".join(rounded(float(std)) for std in response.noise_std),
    "varying": lambda response: "varies with the inputs",
}


def run(options: Namespace) -> None:
    """Print what a model is, takes and says."""
    model = load(options.model)
    size = size_of(options.model.stat().st_size)
    print(f"{options.model} ({size})")
    print(in_columns([*_facts(model)]))
    figures = model.face.about.get("held_out")
    if figures:
        from sparsebayes.cli.held_out import as_text

        print(f"\n{as_text(figures, model.face.estimator)}")
    if options.formula:
        from sparsebayes.export import formula

        print(f"\n{formula(model)}")


def _facts(model: Any) -> Iterator[tuple[str, str]]:
    about = model.face.about
    kind = "classification" if model.response.is_probability else "regression"
    yield "model", f"{model.face.estimator}, {kind}, sparsebayes {about.get('sparsebayes', '?')}"
    yield "target", ", ".join(target_names(model))
    if model.response.is_probability:
        yield "classes", listed(model.classes_.tolist(), MOST_INPUTS)
    yield from _inputs(model.face)
    yield from _size(model)
    if model.response.kind in NOISE:
        yield "noise", NOISE[model.response.kind](model.response)
    likelihood = _likelihood(model)
    if likelihood is not None:
        yield "likelihood", likelihood
    if "log_evidence" in about:
        yield "log evidence", rounded(about["log_evidence"])
    if "outcome" in about:
        yield "outcome", about["outcome"]
    relevance = _relevance(model)
    if relevance is not None:
        yield "relevance", relevance


def _inputs(face: Any) -> Iterator[tuple[str, str]]:
    if face.table is None:
        yield f"{face.n_features} inputs", listed(face.input_names, MOST_INPUTS)
        return
    columns = [each.name for each in face.table.columns]
    yield f"{len(columns)} columns", listed(columns, MOST_INPUTS)
    for each in face.table.columns:
        if each.categories is not None:
            yield f"  {each.name}", f"one of {listed(each.categories, MOST_INPUTS)}"
    yield "inputs", f"{face.n_features}, with one for each category"


def _size(model: Any) -> Iterator[tuple[str, str]]:
    about = model.face.about
    n_rows = about.get("n_rows")
    of_rows = f" of {counted(n_rows, 'row')}" if n_rows else ""
    if "n_relevance" in about:
        yield "vectors", f"{about['n_relevance']}{of_rows}"
    covering = model.plain.spread.columns or ()
    n_covering = sum(each.n_columns for each in covering)
    if n_covering:
        yield "covering", f"{counted(n_covering, 'column')} for error bars that grow off the data"


def _likelihood(model: Any) -> str | None:
    """What was learned of the likelihood, if it is known."""
    if model.source is None:
        return None
    return model.to_estimator()._model.target.words(rounded)


def _relevance(model: Any) -> str | None:
    """The most relevant inputs, if they are known."""
    shares = model.face.about.get("relevance")
    if shares is None and model.source is not None:
        shares = shares_of_inputs(model.to_estimator())
    return None if shares is None else in_a_line(shares)
