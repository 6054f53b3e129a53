"""A model as text: a formula for a paper, and JSON for any other language."""

from __future__ import annotations

import json
from numbers import Integral
from typing import Any

import numpy as np

from sparsebayes.export.given import plain_model, plains_of
from sparsebayes.export.notation import LATEX, TEXT, Notation
from sparsebayes.export.sums import sums_of
from sparsebayes.portable import PortableModel
from sparsebayes.portable.coding import Tree, Writer, parts_of
from sparsebayes.portable.columns import PlainColumns
from sparsebayes.portable.files import FORMAT, RECORDS, VERSION


def formula(model: Any, digits: int = 4, latex: bool = False) -> str:
    """A fitted model as a formula, with its vectors and its noise.

    Columns that are linear in the inputs are joined: each input has one coefficient. Where noise
    varies with the inputs, g is the logarithm of its variance.

    Parameters
    ----------
    model : fitted estimator, or what `sparsebayes.load` gives
    digits : int, default=4
        How many significant digits numbers have, from 1 to 17. Large weights that nearly cancel
        need more of them; 17 give the model itself.
    latex : bool, default=False
        Whether to write LaTeX, an `align*` environment of amsmath, instead of plain text.

    Returns
    -------
    text : str

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, Linear, SparseBayesRegressor
    >>> from sparsebayes.export import formula
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> y = 1 + 2 * X[:, 1] + 1e-3 * X[:, 0] ** 2
    >>> print(formula(SparseBayesRegressor(Linear() + Bias()).fit(X, y), digits=2).splitlines()[0])
    f(x) = 1 + 2 x1
    """
    if isinstance(digits, bool) or not isinstance(digits, Integral) or not 1 <= digits <= 17:
        raise ValueError(f"digits must be a whole number from 1 to 17, got {digits!r}.")
    digits = int(digits)
    plain = plain_model(model)
    notation = LATEX if latex else TEXT
    lines = [*_sums(plain, notation, digits), *_vectors(plain, notation, digits)]
    return notation.page([*lines, *notation.response(plain, digits)])


def _sums(model: PortableModel, notation: Notation, digits: int) -> list[str]:
    """f of each output or class, g of the noise, and the kernels that occur in them."""
    lines = [
        notation.sum(name, found, model.face.input_names, digits)
        for name, found in sums_of(model).items()
    ]
    kernels = _kernels(model, notation)
    for number, columns in enumerate(kernels, start=1):
        which = number if len(kernels) > 1 else None
        lines.append(notation.kernel(columns, which, model.face.input_names, digits))
    return lines


def _vectors(model: PortableModel, notation: Notation, digits: int) -> list[str]:
    """The vector of each kernel."""
    centres = [row for each in _kernels(model, notation) for row in each.items]
    return [notation.vector(i, row, digits) for i, row in enumerate(centres, start=1)]


def _kernels(model: PortableModel, notation: Notation) -> list[PlainColumns]:
    """The kernels of f, and of g where the noise has one."""
    every = [columns for plain in plains_of(model) for columns in plain.columns]
    return [columns for columns in every if columns.formula in notation.kernels]


def to_json(model: Any) -> str:
    """A fitted model as JSON: the plain form of `sparsebayes.portable`, with arrays as lists.

    Parameters
    ----------
    model : fitted estimator, or what `sparsebayes.load` gives

    Returns
    -------
    text : str
        Records are objects {"record": name, "fields": {...}}; infinite numbers are
        {"number": "inf"}.

    Examples
    --------
    >>> import json, numpy as np
    >>> from sparsebayes import RVR
    >>> from sparsebayes.export import to_json
    >>> X = np.linspace(-10, 10, 50)[:, None]
    >>> y = np.sinc(X[:, 0] / np.pi) + 1e-2 * np.cos(9 * X[:, 0])
    >>> json.loads(to_json(RVR().fit(X, y)))["model"]["record"]
    'PortableRegressor'
    """
    plain, writer = plain_model(model), _ListWriter(RECORDS)
    parts = parts_of(plain)
    parts.pop("source")
    fields = {name: writer.tree(value, name) for name, value in parts.items()}
    tree = {"record": type(plain).__name__, "fields": fields}
    return json.dumps({"format": FORMAT, "version": VERSION, "model": tree})


class _ListWriter(Writer):
    """A writer that has arrays as lists."""

    def _array(self, array: np.ndarray, where: str) -> Tree:
        return [self.tree(each, where) for each in array.tolist()]
