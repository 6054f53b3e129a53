"""A header put together."""

from __future__ import annotations

import warnings
from typing import Any

from sparsebayes.export.c.banner import banner, class_table
from sparsebayes.export.c.formulas import BankCode, bank_codes, columns_code, functions
from sparsebayes.export.c.layout import Layout, layout_of
from sparsebayes.export.c.responses import ResponseCode, response_code
from sparsebayes.export.c.selftest import rows_to_test, self_test
from sparsebayes.export.c.single import single_loss
from sparsebayes.export.c.spread import SpreadCode, spread_code
from sparsebayes.export.c.writing import Style, Table
from sparsebayes.export.given import plain_model
from sparsebayes.export.probes import MOST_LOST, own_vectors, probe_rows
from sparsebayes.portable import PortableClassifier, PortableModel
from sparsebayes.portable.models import new_inputs

LEAST_POSITIVE = {"double": "2.2250738585072014e-308", "float": "1.17549435e-38f"}


def to_c(
    model: Any,
    *,
    name: str = "model",
    precision: str = "double",
    std: bool = True,
    rows: Any = None,
) -> str:
    """A fitted model as a C99 header, which needs no library but that of math.h and no memory.

    All functions are static, and read constant tables. A regressor becomes `model_predict` and
    `model_predict_std`, a classifier `model_predict_proba` and `model_predict_class`, a model with
    covering rows also `model_novelty`. The comment at the head of the header lists inputs, outputs,
    and bytes. Compiled with -DSPARSEBAYES_SELFTEST the header is a program that tests itself.

    Parameters
    ----------
    model : fitted estimator, or what `sparsebayes.load` gives
    name : str, default="model"
        A C identifier, which all names begin with.
    precision : {"double", "float"}, default="double"
        A warning says so if single precision loses more than 1e-3 of the standard deviation, or in
        a probability.
    std : bool, default=True
        Whether to write error bars. Without them the tables are smaller. A classifier then has only
        `model_predict_class`, and no probabilities if these depend on error bars. A class that
        depends on them too is refused.
    rows : array-like of shape (n_rows, n_features), default=None
        For the test of itself; by default a few of the model's own vectors, and rows beside them.

    Returns
    -------
    header : str

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> from sparsebayes.export import to_c
    >>> X = np.linspace(-10, 10, 50)[:, None]
    >>> model = RVR().fit(X, np.sinc(X[:, 0] / np.pi) + 1e-2 * np.cos(9 * X[:, 0]))
    >>> header = to_c(model, name="sinc", precision="float")
    >>> "static inline void sinc_predict(const float x[SINC_N_INPUTS]" in header
    True
    """
    style, plain = Style(name, precision), plain_model(model)
    covers = std and plain.plain.spread.covers
    response = response_code(plain, layout_of(plain.plain, False), std)
    layout = layout_of(plain.plain, bool(response.wants) or covers)
    banks = bank_codes(layout, style)
    spread = spread_code(layout, banks, response.wants, covers)
    answers = response.answers + (("novelty",) if spread.covers else ())
    tables = _tables(layout, banks, spread, response)
    written = [table.text(style) for table in tables]
    loss = _loss(plain, style)
    tested = rows_to_test(own_vectors(plain)) if rows is None else new_inputs(rows, plain.face)
    guard = f"{name.upper()}_H"
    parts = [
        banner(plain, answers, tables, spread.n_stacked * style.number_bytes, loss, style),
        f"#ifndef {guard}\n#define {guard}\n\n#include <math.h>\n#include <stdint.h>\n",
        _macros(plain, layout, spread, response, style),
        *written,
        *([class_table(plain, style)] if isinstance(plain, PortableClassifier) else []),
        style.code(_code(banks, spread, response)),
        self_test(plain, answers, tested, style),
        f"#endif /* {guard} */",
    ]
    return "\n".join(parts) + "\n"


def _tables(
    layout: Layout, banks: list[BankCode], spread: SpreadCode, response: ResponseCode
) -> list[Table]:
    used = [] if _all_used(layout) else [Table("model_used", layout.used)]
    columns = [table for bank in banks for table in bank.tables(bank.number in spread.whitened)]
    weights = Table("model_weights", layout.plain.weights)
    own = spread.tables() if spread.needed else []
    return [*used, *columns, weights, *own, *response.tables]


def _all_used(layout: Layout) -> bool:
    """Whether every input counts, as far as columns on points are concerned."""
    widths = [bank.columns.items.shape[1] for bank in layout.banks if bank.columns.items.ndim == 2]
    return not widths or len(layout.used) == widths[0]


def _macros(
    model: PortableModel,
    layout: Layout,
    spread: SpreadCode,
    response: ResponseCode,
    style: Style,
) -> str:
    sizes = {
        "N_INPUTS": model.face.n_features,
        **response.sizes,
        "N_LATENTS": layout.plain.weights.shape[1],
        "N_MEAN": layout.n_mean,
        "N_COLUMNS": layout.n_all,
        "N_USED": len(layout.used),
        **spread.sizes(),
    }
    lines = [f"#define MODEL_{name} {size}" for name, size in sizes.items()]
    number = "(k)" if _all_used(layout) else "model_used[k]"
    lines.append(f"#define MODEL_INPUT(k) {number}")
    text = style.code("\n".join(lines))
    return f"{text}\n{style.code('#define MODEL_TINY ')}{LEAST_POSITIVE[style.precision]}\n"


def _code(banks: list[BankCode], spread: SpreadCode, response: ResponseCode) -> str:
    return "".join(
        [
            *functions(banks, spread.whitened),
            columns_code(banks),
            spread.code(),
            *response.code,
        ]
    )


def _loss(model: PortableModel, style: Style) -> float | None:
    """What single precision loses; None of double precision."""
    if not style.single:
        return None
    loss = single_loss(model, probe_rows(model))
    if loss > MOST_LOST:
        of = "in a probability" if isinstance(model, PortableClassifier) else "of the std"
        warnings.warn(
            f"in single precision the model loses about {loss:.1e} {of} at and around its own "
            'vectors; use precision="double" if that is too much.',
            UserWarning,
            stacklevel=3,
        )
    return loss
