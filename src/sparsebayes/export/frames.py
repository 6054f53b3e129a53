"""The columns of a model as a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors


@without_numpy_errors
def to_frame(model: Any) -> Any:
    """Write the columns that a fitted model keeps, with their weights, as a pandas frame.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives.

    Returns
    -------
    frame : DataFrame
        A row for each column of the model, indexed by its name. ``training_row`` is the row that a
        kernel is centred on, and the next columns are the values of the inputs there; they are
        missing for columns without a centre. ``weight`` and ``weight_std`` are the mean and the
        standard deviation of the weight, ``weight_0``, ``weight_0_std``, ... for several outputs or
        classes. Columns of a model of the noise are not in it.

    See Also
    --------
    formula : The same numbers as a formula.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_frame
    >>> frame = to_frame(RVR().fit(*noisy_sinc(50, random_state=0)))
    >>> list(frame.columns)
    ['training_row', 'x0', 'weight', 'weight_std']
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install 'sparsebayes[cli]'") from error
    estimator = model if hasattr(model, "column_names_") else model.to_estimator()
    fitted = estimator._model
    columns, plain = fitted.columns, fitted.predictor.plain
    rows = columns.centre_rows
    found: dict[str, Any] = {"training_row": pd.Series(rows, dtype="Int64").mask(rows < 0).array}
    names = getattr(estimator, "feature_names_in_", None)
    names = [f"x{k}" for k in range(estimator.n_features_in_)] if names is None else list(names)
    if any(kind.centres is not None for kind in columns.kinds):
        centres = np.vstack([centres_of(kind, len(names)) for kind in columns.kinds])
        found.update(zip(names, centres.T, strict=True))
    n_latents = plain.weights.shape[1]
    alone = fitted.squeezed or (n_latents == 1 and hasattr(estimator, "classes_"))
    for k in range(n_latents):
        name = "weight" if alone else f"weight_{k}"
        found[name] = plain.weights[:, k]
        found[f"{name}_std"] = np.sqrt(np.diag(plain.posterior.of_weights(k)))
    return pd.DataFrame(found, index=pd.Index(estimator.column_names_, name="column"))


def centres_of(kind: Any, n_features: int) -> np.ndarray:
    """The points that columns of a kind are centred on, NaN where there are none (m, d)."""
    if kind.centres is None:
        return np.full((kind.n_columns, n_features), np.nan)
    return kind.centres.toarray() if hasattr(kind.centres, "toarray") else np.asarray(kind.centres)
