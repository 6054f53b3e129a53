"""What a skops file of a fitted estimator holds."""

from __future__ import annotations


def skops_types() -> list[str]:
    """List the types in a skops file of a fitted estimator, to be trusted when you load it.

    They are classes of sparsebayes that hold plain data, and the sparse matrices that a model of
    sparse inputs has. None of them runs anything when it is made.

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

    from sparsebayes.estimators import RVC, RVR, SparseBayesClassifier, SparseBayesRegressor
    from sparsebayes.estimators._fitted import Fitted
    from sparsebayes.estimators._saving import RECORDS
    from sparsebayes.inference.addition import BlockSize
    from sparsebayes.inference.phases import Schedule
    from sparsebayes.inference.state import Step

    kinds = (
        *RECORDS.values(),
        *(RVR, RVC, SparseBayesRegressor, SparseBayesClassifier),
        *(Fitted, Step, Schedule, BlockSize),
    )
    names = (f"{kind.__module__}.{kind.__qualname__}" for kind in (*kinds, csr_matrix, csr_array))
    return sorted(names)
