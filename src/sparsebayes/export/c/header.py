"""A header put together."""

from __future__ import annotations

import warnings
from typing import Any

from sparsebayes.export.c.banner import banner, class_table
from sparsebayes.export.c.latent import (
    LatentCode,
    defined,
    latent_code,
    of_noise,
    tables_of_noise,
)
from sparsebayes.export.c.layout import layout_of
from sparsebayes.export.c.responses import ResponseCode, of_latents, response_code
from sparsebayes.export.c.selftest import rows_to_test, self_test
from sparsebayes.export.c.single import single_loss
from sparsebayes.export.c.writing import Style, Table
from sparsebayes.export.given import plain_model
from sparsebayes.export.probes import MOST_LOST, own_vectors, probe_rows
from sparsebayes.model import PortableModel
from sparsebayes.model.face import new_inputs
from sparsebayes.model.numpy_errors import without_numpy_errors

LEAST_POSITIVE = {"double": "2.2250738585072014e-308", "float": "1.17549435e-38f"}


@without_numpy_errors
def to_c(
    model: Any,
    *,
    name: str = "model",
    precision: str = "double",
    std: bool = True,
    rows: Any = None,
) -> str:
    """Write a fitted model as a C99 header, which needs math.h and allocates no memory.

    All functions are static and read constant tables. A regressor becomes ``model_predict`` and
    ``model_predict_std``, a classifier ``model_predict_proba`` and ``model_predict_class``, and a
    model with covering rows also has ``model_novelty``. The comment at the head of the header lists
    inputs, outputs and bytes. Compiled with ``-DSPARSEBAYES_SELFTEST`` the header is a program that
    tests itself.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives.
    name : str, default="model"
        A C identifier, with which all names begin.
    precision : {"double", "float"}, default="double"
        The type of all numbers. There is a warning if floats lose more than 0.001 of the standard
        deviation, or of a probability.
    std : bool, default=True
        Whether to write error bars. Without them the tables are smaller. A classifier then has only
        ``model_predict_class``, and no probabilities if these depend on error bars. It is refused
        if the class depends on them too. The mean of counts depends on error bars, so a model of
        counts only leaves ``model_predict_std`` out.
    rows : array-like of shape (n_rows, n_features), default=None
        Rows for the test of itself. By default they are a few vectors of the model, and rows beside
        them.

    Returns
    -------
    header : str
        The text of the header.

    Raises
    ------
    NotPortableError
        If a function of yours makes columns.

    See Also
    --------
    RVR.drop_covering : Makes the tables smaller.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_c
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0))
    >>> header = to_c(model, name="sinc", precision="float")
    >>> "static inline void sinc_predict(const float x[SINC_N_INPUTS]" in header
    True
    """
    style, plain = Style(name, precision), plain_model(model)
    response = response_code(plain, layout_of(plain.plain, False), std)
    covers = std and plain.plain.spread.covers
    latent = latent_code(plain.plain, response.wants, covers, style)
    noise = None
    if response.noise is not None:
        noise = latent_code(response.noise, "variance", False, style)
    answers = response.answers + (("novelty",) if covers else ())
    tables = _tables(latent, noise, response)
    stacked = max(each.spread.n_stacked for each in (latent, noise or latent))
    tested = rows_to_test(own_vectors(plain)) if rows is None else new_inputs(rows, plain.face)
    guard = f"{name.upper()}_H"
    parts = [
        banner(plain, answers, tables, stacked * style.number_bytes, _loss(plain, style), style),
        f"#ifndef {guard}\n#define {guard}\n\n#include <math.h>\n#include <stdint.h>\n",
        _macros(plain, latent, noise, response, style),
        *(table.text(style) for table in tables),
        *([class_table(plain, style)] if plain.response.is_probability else []),
        style.code(_code(latent, noise, response)),
        self_test(plain, answers, tested, style),
        f"#endif /* {guard} */",
    ]
    return "\n".join(parts) + "\n"


def _tables(latent: LatentCode, noise: LatentCode | None, response: ResponseCode) -> list[Table]:
    of_response = list(response.tables)
    if noise is None:
        return [*latent.tables(), *of_response]
    own = [*noise.tables(), *of_latents(noise.layout)]
    return [*latent.tables(), *of_response, *tables_of_noise(own)]


def _macros(
    model: PortableModel,
    latent: LatentCode,
    noise: LatentCode | None,
    response: ResponseCode,
    style: Style,
) -> str:
    inputs = {"N_INPUTS": model.face.n_features}
    lines = [defined({**inputs, **response.sizes}), latent.macros()]
    if noise is not None:
        lines.append(of_noise(f"{defined(inputs)}\n{noise.macros()}"))
    text = style.code("\n".join(lines))
    return f"{text}\n{style.code('#define MODEL_TINY ')}{LEAST_POSITIVE[style.precision]}\n"


def _code(latent: LatentCode, noise: LatentCode | None, response: ResponseCode) -> str:
    of_other = "" if noise is None else of_noise(noise.code())
    return "".join([latent.code(), of_other, *response.code])


def _loss(model: PortableModel, style: Style) -> float | None:
    """What single precision loses; None of double precision."""
    if not style.single:
        return None
    loss = single_loss(model, probe_rows(model))
    if loss > MOST_LOST:
        of = "in a probability" if model.response.is_probability else "of the std"
        warnings.warn(
            f"in single precision the model loses about {loss:.1e} {of} at and around its own "
            'vectors; use precision="double" if that is too much.',
            UserWarning,
            stacklevel=4,
        )
    return loss
