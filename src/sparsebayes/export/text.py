"""A model as text: a formula for a paper, JSON for any other language, types of a skops file."""

from __future__ import annotations

import json
from inspect import isabstract
from numbers import Integral
from typing import Any

import numpy as np

from sparsebayes.export.given import plain_model, plains_of
from sparsebayes.export.notation import KERNELS, LATEX, TEXT, Notation
from sparsebayes.export.targets import sums_of
from sparsebayes.model import PortableModel
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.coding import Tree, Writer, parts_of
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.effect_view import effect_view
from sparsebayes.model.files import FORMAT, RECORDS, VERSION

# So many effects are named.
MOST_EFFECTS = 6


@without_numpy_errors
def formula(model: Any, digits: int = 4, latex: bool = False) -> str:
    """Write a fitted model as a formula, with its vectors and its noise.

    Columns that are linear in the inputs are added up, so that each input has one coefficient.
    Where noise depends on the inputs, g is the logarithm of its variance. With the kernel of
    effects the text names the largest effects with their shares of the variance.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives.
    digits : int, default=4
        Number of significant digits, from 1 to 17. Large weights that nearly cancel need more of
        them; 17 digits give exactly the model.
    latex : bool, default=False
        Whether to write LaTeX, an ``align*`` environment of amsmath, instead of plain text.

    Returns
    -------
    text : str
        The formula.

    See Also
    --------
    to_frame : The same numbers as a table.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/formula.html

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
    lines += [] if latex else _effects(plain)
    return notation.page([*lines, *notation.response(plain, digits)])


def _sums(model: PortableModel, notation: Notation, digits: int) -> list[str]:
    """f of each output or class, g of the noise, and the kernels that occur in them."""
    lines = [
        notation.sum(name, found, model.face.input_names, digits)
        for name, found in sums_of(model).items()
    ]
    kernels = _kernels(model)
    for number, columns in enumerate(kernels, start=1):
        which = number if len(kernels) > 1 else None
        lines.append(notation.kernel_of(columns, which, model.face.input_names, digits))
    return lines


def _vectors(model: PortableModel, notation: Notation, digits: int) -> list[str]:
    """The vector of each kernel."""
    centres = [row for each in _kernels(model) for row in each.items]
    return [notation.vector_of(i, row, digits) for i, row in enumerate(centres, start=1)]


def _effects(model: PortableModel) -> list[str]:
    """The largest effects of inputs and of pairs, where a kernel of effects has them."""
    (plain, *_), names, lines = plains_of(model), model.face.input_names, []
    n_outputs = plain.weights.shape[1]
    for output in range(n_outputs):
        view = effect_view(plain, output)
        if view is not None:
            of_output = f" on output {output}" if n_outputs > 1 else ""
            shares = list(view.shares().items())[:MOST_EFFECTS]
            words = [
                f"{' with '.join(names[k] for k in key)} {share:.1%}"
                for key, share in shares
                if key
            ]
            lines.append(f"effects{of_output}, of the variance of f: {', '.join(words)}")
    return lines


def _kernels(model: PortableModel) -> list[PlainColumns]:
    """The kernels of f, and of g where the noise has one."""
    every = [columns for plain in plains_of(model) for columns in plain.columns]
    return [columns for columns in every if columns.formula in KERNELS]


@without_numpy_errors
def to_json(model: Any) -> str:
    """Write a fitted model as JSON, for any other language.

    It is the plain form of `sparsebayes.model`, with arrays as lists.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives.

    Returns
    -------
    text : str
        Records are objects ``{"record": name, "fields": {...}}``. Infinite numbers are
        ``{"number": "inf"}``.

    Raises
    ------
    NotPortableError
        If a function of yours makes columns.

    See Also
    --------
    load : Reads files of `save`; nothing here reads the JSON.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> import json
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_json
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0))
    >>> json.loads(to_json(model))["model"]["record"]
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


def skops_types() -> list[str]:
    """List the types in a skops file of a fitted estimator, to be trusted when you load it.

    They are classes of sparsebayes that hold plain data, kernel objects of scikit-learn, and the
    sparse matrices that a model of sparse inputs has. None of them runs anything when it is made.
    What `partial_fit` has gathered is not among them.

    Returns
    -------
    names : list of str
        For ``skops.io.load(file, trusted=skops_types())``.

    See Also
    --------
    load : Reads a file without skops or scikit-learn.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes.export import skops_types
    >>> "sparsebayes.estimators.rvr.RVR" in skops_types()
    True
    """
    from scipy.sparse import csr_array, csr_matrix

    from sparsebayes.basis.process_kernels import ObjectValues
    from sparsebayes.columns.scaled import FreeParameters
    from sparsebayes.estimators import RVC, RVR, SparseBayesClassifier, SparseBayesRegressor
    from sparsebayes.estimators._fitted import Fitted
    from sparsebayes.estimators._saving import RECORDS
    from sparsebayes.estimators.evidence_search import AllRows, Criterion, EvidenceSearch
    from sparsebayes.inference.addition import BlockSize
    from sparsebayes.inference.phases import Schedule
    from sparsebayes.inference.state import Step

    kinds = (
        *RECORDS.values(),
        *(RVR, RVC, SparseBayesRegressor, SparseBayesClassifier),
        *(EvidenceSearch, AllRows, Criterion, ObjectValues, FreeParameters),
        *(Fitted, Step, Schedule, BlockSize),
        *(csr_matrix, csr_array),
    )
    names = (f"{kind.__module__}.{kind.__qualname__}" for kind in (*kinds, *_kernel_objects()))
    return sorted(names)


def _kernel_objects() -> list[type]:
    """The kernels of scikit-learn that can be made."""
    from sklearn.gaussian_process import kernels

    every = (each for each in vars(kernels).values() if isinstance(each, type))
    return [each for each in every if issubclass(each, kernels.Kernel) and not isabstract(each)]
