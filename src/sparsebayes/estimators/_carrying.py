"""How a fitted estimator goes elsewhere: into a file, a formula, a table, a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sparsebayes.portable import PortableModel


class Carried:
    """Methods that hand a fitted estimator to parts that are loaded when they are asked for."""

    def to_portable(self) -> PortableModel:
        """The fitted model as plain arrays, which predicts with NumPy alone.

        Returns
        -------
        model : PortableRegressor or PortableClassifier
        """
        from sparsebayes.estimators._saving import portable_model

        return portable_model(self)

    def save(self, path: Any) -> None:
        """Write the fitted model to a file, without pickle. `sparsebayes.load` reads it.

        The format is described in docs/carry.md. What `partial_fit` has gathered is not saved.

        Parameters
        ----------
        path : str, path or binary file
            Such as "model.sbm".
        """
        from sparsebayes.estimators._saving import portable_model

        portable_model(self, whole=True).save(path)

    def formula(self, digits: int = 4, latex: bool = False) -> str:
        """The fitted model as a formula, with its vectors and its noise.

        Parameters
        ----------
        digits : int, default=4
            How many significant digits numbers have, from 1 to 17. Large weights that nearly cancel
            need more of them; 17 give the model itself.
        latex : bool, default=False
            Whether to write LaTeX, an `align*` environment of amsmath, instead of plain text.

        Returns
        -------
        text : str
        """
        from sparsebayes.export import formula

        return formula(self, digits, latex)

    def to_frame(self) -> Any:
        """The columns that the model keeps, with their weights, as a pandas frame.

        Returns
        -------
        frame : DataFrame
            A row for each column of the model, by its name: the training row that it is centred on,
            the inputs there, and mean and standard deviation of its weight.
        """
        from sparsebayes.export import to_frame

        return to_frame(self)

    def report(
        self, X: Any, y: Any, path: Any = None, *, new: bool = False, title: str | None = None
    ) -> str | None:
        """One page about the fitted model, as HTML that needs nothing but itself.

        Pictures need matplotlib: pip install 'sparsebayes[plot]'.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        path : str or path, default=None
            The file to write, such as "report.html". None returns the page.
        new : bool, default=False
            Whether the model has not seen these rows. By default they are the rows that it was
            fitted to, and the error on unseen rows is found by cross-validation.
        title : str, default=None
            The heading of the page.

        Returns
        -------
        page : str, or None if it was written to a file
        """
        from sparsebayes.report import report, write_report

        if path is None:
            return report(self, X, y, new=new, title=title)
        write_report(self, X, y, path, new=new, title=title)
        return None
