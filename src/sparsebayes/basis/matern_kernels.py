"""Matérn kernels: of functions that are less smooth than those of the Gaussian kernel."""

from __future__ import annotations

from sparsebayes.basis.radial import RadialKernel

__all__ = ["Matern12Kernel", "Matern32Kernel", "Matern52Kernel"]


class Matern12Kernel(RadialKernel):
    """The Matérn kernel with nu = 1/2, for functions that are continuous and nowhere smooth.

    For an input x and a centre c it is ``exp(-r)``, where r^2 is
    ``sum_k (input_scale_k / width)^2 (x_k - c_k)^2``.

    Parameters
    ----------
    width : float, "scale", "auto", "learn" or list of float, default="scale"
        The width, or how it is found; see `GaussianKernel`.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    input_scale : None, "learn" or array of shape (n_features,), default=None
        A factor for each input; see `GaussianKernel`.

    See Also
    --------
    GaussianKernel : For smooth functions.
    ProcessKernel : A Matérn kernel of scikit-learn, and kernels that are made of it.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Matern12Kernel, SparseBayesRegressor
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.abs(X[:, 0]) + np.random.default_rng(0).normal(0, 0.3, 60)
    >>> model = SparseBayesRegressor(Matern12Kernel(width="learn")).fit(X, y)
    >>> bool(model.score(X, np.abs(X[:, 0])) > 0.9)
    True
    """

    keyword = "matern12"
    formula_name = "matern12"


class Matern32Kernel(RadialKernel):
    """The Matérn kernel with nu = 3/2, for functions that can be differentiated once.

    For an input x and a centre c it is ``(1 + r) exp(-r)``, where r^2 is 3 times
    ``sum_k (input_scale_k / width)^2 (x_k - c_k)^2``.

    Parameters
    ----------
    width : float, "scale", "auto", "learn" or list of float, default="scale"
        The width, or how it is found; see `GaussianKernel`.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    input_scale : None, "learn" or array of shape (n_features,), default=None
        A factor for each input; see `GaussianKernel`.

    See Also
    --------
    GaussianKernel : For smooth functions.
    ProcessKernel : A Matérn kernel of scikit-learn, and kernels that are made of it.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Matern32Kernel, SparseBayesRegressor
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.abs(X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> basis = Matern32Kernel(width="learn")
    >>> model = SparseBayesRegressor(basis, inference="projection").fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    keyword = "matern32"
    formula_name = "matern32"


class Matern52Kernel(RadialKernel):
    """The Matérn kernel with nu = 5/2, for functions that can be differentiated twice.

    For an input x and a centre c it is ``(1 + r + r^2 / 3) exp(-r)``, where r^2 is 5 times
    ``sum_k (input_scale_k / width)^2 (x_k - c_k)^2``.

    Parameters
    ----------
    width : float, "scale", "auto", "learn" or list of float, default="scale"
        The width, or how it is found; see `GaussianKernel`.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    input_scale : None, "learn" or array of shape (n_features,), default=None
        A factor for each input; see `GaussianKernel`.

    See Also
    --------
    GaussianKernel : For smooth functions.
    ProcessKernel : A Matérn kernel of scikit-learn, and kernels that are made of it.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Matern52Kernel, SparseBayesRegressor
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.abs(X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> basis = Matern52Kernel(width="learn")
    >>> model = SparseBayesRegressor(basis, inference="projection").fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    keyword = "matern52"
    formula_name = "matern52"
