"""How a fitted estimator goes elsewhere: into a pickle, a file, a formula, a table, a page."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator
from sklearn.exceptions import InconsistentVersionWarning

if TYPE_CHECKING:
    from sparsebayes.model import PortableModel

# Where a saved model says which version wrote it.
VERSION_KEY = "_sparsebayes_version"


def installed_version() -> str:
    """The version of this package."""
    from sparsebayes import __version__

    return __version__


class Carried(BaseEstimator):
    """Methods that hand a fitted estimator to parts that are loaded when they are asked for."""

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, and the version that they are of."""
        return {**super().__getstate__(), VERSION_KEY: installed_version()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the attributes; a warning where they are of another version."""
        state = dict(state)
        written, here = state.pop(VERSION_KEY, "an older version"), installed_version()
        if written != here and "_fitted" in state:
            warnings.warn(
                InconsistentVersionWarning(
                    estimator_name=type(self).__name__,
                    current_sklearn_version=f"{here} of sparsebayes",
                    original_sklearn_version=f"{written} of sparsebayes",
                ),
                stacklevel=2,
            )
        super().__setstate__(state)

    def to_portable(self) -> PortableModel:
        """The fitted model as plain arrays, which predicts with NumPy alone.

        Returns
        -------
        model : PortableRegressor or PortableClassifier
            The same model without scikit-learn.
        """
        from sparsebayes.estimators._saving import portable_model

        return portable_model(self)

    def save(self, path: Any) -> None:
        """Write the fitted model to a file, without pickle. `sparsebayes.load` reads it.

        What `partial_fit` has gathered is not saved. The user guide describes the format:
        https://sparsebayes.example/guide/carry.html

        Parameters
        ----------
        path : str, path or binary file
            Where to write, such as "model.sbm".

        Raises
        ------
        NotPortableError
            If a function of yours makes the columns, or the model is complex.

        Examples
        --------
        >>> import os, tempfile
        >>> import sparsebayes
        >>> model = sparsebayes.RVR().fit(*sparsebayes.datasets.noisy_sinc(50, random_state=0))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "model.sbm")
        ...     model.save(path)
        ...     again = sparsebayes.load(path)
        >>> again.predict([[0.0]]).shape
        (1,)
        """
        from sparsebayes.estimators._saving import portable_model

        portable_model(self, whole=True).save(path)

    def formula(self, digits: int = 4, latex: bool = False) -> str:
        """The fitted model as a formula, with its vectors and its noise.

        Parameters
        ----------
        digits : int, default=4
            Number of significant digits, from 1 to 17. Large weights that nearly cancel need more
            of them; 17 digits give exactly the model.
        latex : bool, default=False
            Whether to write LaTeX, an ``align*`` environment of amsmath, instead of plain text.

        Returns
        -------
        text : str
            The formula.

        Examples
        --------
        >>> from sparsebayes import Bias, Linear, SparseBayesRegressor
        >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
        >>> model = SparseBayesRegressor(Linear() + Bias()).fit(X, [1.0, 3.1, 4.9, 7.0, 9.1])
        >>> print(model.formula(digits=2).splitlines()[0])
        f(x) = 1 + 2 x0
        """
        from sparsebayes.export import formula

        return formula(self, digits, latex)

    def to_frame(self) -> Any:
        """The columns that the model keeps, with their weights, as a pandas frame.

        Returns
        -------
        frame : DataFrame
            A row for each column of the model, indexed by its name: the training row that it is
            centred on, the inputs there, and the mean and the standard deviation of its weight.
        """
        from sparsebayes.export import to_frame

        return to_frame(self)

    def report(
        self, X: Any, y: Any, path: Any = None, *, new: bool = False, title: str | None = None
    ) -> str | None:
        """Write one HTML page about the fitted model.

        The page needs no other file. Pictures need matplotlib: ``pip install 'sparsebayes[plot]'``.
        `sparsebayes.report.report` says what is on it.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs: the training rows, or rows that the model has not seen.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets or labels.
        path : str or path, default=None
            The file to write, such as "report.html". None returns the page.
        new : bool, default=False
            Whether the model has not seen these rows. By default they are the training rows, and
            the error on unseen rows is found by cross-validation.
        title : str, default=None
            The heading of the page.

        Returns
        -------
        page : str or None
            The page, if it was not written to a file.
        """
        from sparsebayes.report import report, write_report

        if path is None:
            return report(self, X, y, new=new, title=title)
        write_report(self, X, y, path, new=new, title=title)
        return None
