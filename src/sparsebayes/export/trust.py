"""What a skops file of a fitted estimator holds."""

from __future__ import annotations

from inspect import isabstract


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
