"""The page of a report, from its sections, and its foot."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.writing import write_whole
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import Subject, checked
from sparsebayes.report.live import policy_of, script_of
from sparsebayes.report.markup import CSS, Html, clipped, escaped, facts, joined, paragraph, section
from sparsebayes.report.numbers import counted
from sparsebayes.report.sections.calibration import calibration
from sparsebayes.report.sections.fit import fit
from sparsebayes.report.sections.inputs import inputs
from sparsebayes.report.sections.predictions import predictions
from sparsebayes.report.sections.summary import summary
from sparsebayes.report.sections.use import use
from sparsebayes.report.sections.vectors import vectors

# The key of each section, its name in the menu, its heading, and what writes it.
SECTIONS = (
    ("summary", "Summary", "Summary", summary),
    ("calibration", "Trust", "Can its {} be trusted?", calibration),
    ("predictions", "Predictions", "Predicted and observed", predictions),
    ("inputs", "Inputs", "What the inputs do", inputs),
    ("vectors", "Vectors", "What the model is made of", vectors),
    ("fit", "Fit and remarks", "The fit, and what to know", fit),
    ("use", "Use", "How to use it", use),
)


@without_numpy_errors
def report(model: Any, X: Any, y: Any, *, new: bool = False, title: str | None = None) -> str:
    """One HTML page about a fitted model, which needs no other file.

    It says how good the model is on rows that it has not seen, whether its error bars or
    probabilities can be trusted, what the inputs do, what the model is made of, what speaks against
    it, and how to use it elsewhere. A model that is not large answers to controls of its inputs,
    where the browser runs scripts; the page has no script but the model. Pictures need matplotlib:
    ``pip install 'sparsebayes[plot]'``.

    Parameters
    ----------
    model : estimator
        A fitted RVR, RVC, SparseBayesRegressor or SparseBayesClassifier, or what `sparsebayes.load`
        gives.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Inputs: the training rows, or rows that the model has not seen.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Their targets or labels.
    new : bool, default=False
        Whether the model has not seen these rows. By default they are the training rows: the error
        on unseen rows is then found by cross-validation, which fits the same kind of model to parts
        of them, five times, or once for more than 5000 rows. Weights, noise and exposures that
        `fit` was given are not known here, and not used. With True the model itself predicts the
        rows, and nothing is fitted.
    title : str, default=None
        The heading of the page.

    Returns
    -------
    page : str
        The page. The same model and rows give the same page.

    See Also
    --------
    write_report : Writes the page to a file.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.report import report
    >>> model = RVR().fit(*noisy_sinc(60, random_state=0))
    >>> page = report(model, *noisy_sinc(40, random_state=1), new=True, title="A noisy sinc")
    >>> "<h1>A noisy sinc</h1>" in page
    True
    """
    given = checked(model, X, y, new)
    found = Findings(given)
    name = title or f"A model of {clipped(', '.join(given.targets), 60)}"
    uncertain = "error bars" if given.classes is None else "probabilities"
    sections = joined(
        section(key, f"{k}. {heading.format(uncertain)}", write(found))
        for k, (key, _, heading, write) in enumerate(SECTIONS, 1)
    )
    script = "" if found.live is None else script_of(found.live)
    return _page(name, _lead(given), sections, closing(found), script)


def write_report(
    model: Any, X: Any, y: Any, path: Any, *, new: bool = False, title: str | None = None
) -> None:
    """Write the page of `report` to a file.

    An earlier file stays as it is until the new page is complete.

    Parameters
    ----------
    model : estimator
        A fitted RVR, RVC, SparseBayesRegressor or SparseBayesClassifier, or what `sparsebayes.load`
        gives.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Inputs: the training rows, or rows that the model has not seen.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Their targets or labels.
    path : str or path
        The file to write, such as "report.html".
    new : bool, default=False
        Whether the model has not seen these rows; see `report`.
    title : str, default=None
        The heading of the page.

    See Also
    --------
    report : Returns the page, and says what is on it.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.report import write_report
    >>> model = RVR().fit(*noisy_sinc(60, random_state=0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "report.html"
    ...     write_report(model, *noisy_sinc(40, random_state=1), path, new=True)
    ...     path.exists()
    True
    """
    page = report(model, X, y, new=new, title=title)
    write_whole(Path(path), page.encode())


def _lead(given: Subject) -> str:
    """What the page is about, in a line."""
    rows = f"{counted(given.n_rows, 'row')}{' that the model has not seen' if given.new else ''}"
    name = type(given.estimator).__name__
    return f"{name} of sparsebayes, {rows}, {counted(given.n_inputs, 'input')}"


def _page(title: str, lead: str, sections: Html, closing: Html, script: str) -> str:
    links = "".join(f'<li><a href="#{key}">{name}</a></li>' for key, name, *_ in SECTIONS)
    live = f'<script type="module">{script}</script>\n' if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy_of(script)}">\n'
        f"<title>{escaped(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n"
        f"<header><h1>{escaped(title)}</h1>\n<p>{escaped(lead)}</p>\n"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
        f"<main>\n{sections}\n</main>\n{closing}\n{live}</body>\n</html>\n"
    )


PACKAGES = ("numpy", "scipy", "scikit-learn", "matplotlib")


def closing(found: Findings) -> Html:
    """The foot of the page."""
    from sparsebayes import __version__

    parameters = found.given.estimator.get_params(deep=False)
    rows = [(name, written(value)) for name, value in sorted(parameters.items())]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    parts = joined(
        [
            Html("<h2>Parameters of the estimator</h2>"),
            facts(rows),
            paragraph(
                f"sparsebayes {__version__}, {versions}, Python {platform.python_version()}.",
                "The same model and rows give the same page.",
                kind="quiet",
            ),
        ]
    )
    return Html(f"<footer><div>{parts}</div></footer>")


def written(value: Any) -> str:
    """A parameter, without what differs from run to run."""
    if callable(value) and hasattr(value, "__name__"):
        return f"the function {value.__name__}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return clipped(repr(value), 120)
