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
