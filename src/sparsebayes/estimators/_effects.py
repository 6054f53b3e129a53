"""What each input does, for people: names of inputs, curves, surfaces, shares."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sparsebayes._cached import cached_property
from sparsebayes.model.effect_view import EffectView

# Levels of an input are its values as long as these are few; else a curve has so many points.
N_POINTS = 60


@dataclass(frozen=True, eq=False)
class InputEffects:
    """What each input does to a prediction, and each pair of inputs.

    A model with the kernel of effects is a sum: a constant, an effect of each input, one of each
    pair, and what three inputs or more do together. Each effect has mean zero over the training
    rows, every input taken for itself. They are effects on the prediction of a regression, on the
    log odds of two classes, and on the logarithm of a count. `effects` of an estimator makes it.

    Parameters
    ----------
    names : tuple of str
        Names of the inputs.
    _view : object
        What the model knows of its effects.

    Attributes
    ----------
    shares : dict
        The share of each effect in the variance of the prediction (Sobol indices), the largest
        first. A key has the names of one or two inputs; the key ``()`` is for what more inputs do
        together.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-2, 2, size=(120, 3))
    >>> y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(0, 0.1, 120)
    >>> effects = RVR(kernel="effects").fit(X, y).effects()
    >>> list(effects.shares)[:2]
    [('x1', 'x2'), ('x0',)]
    >>> values, mean, std = effects.curve("x0")
    >>> bool(np.abs(mean - np.sin(2 * values)).max() < 0.2)
    True
    """

    names: tuple[str, ...]
    _view: EffectView = field(repr=False)

    @cached_property
    def shares(self) -> dict[tuple[str, ...], float]:
        """The share of each effect in the variance of the prediction, the largest first."""
        found = self._view.shares()
        return {tuple(self.names[k] for k in key): share for key, share in found.items()}

    def curve(
        self, name: str, values: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The effect of an input: its values, the mean, and the standard deviation.

        Parameters
        ----------
        name : str
            Name of the input, such as "x0" where X has no names.
        values : array of shape (n_points,), default=None
            Where to ask. None: over the range of the training rows.

        Returns
        -------
        values, mean, std : arrays of shape (n_points,)
            The mean is what the input adds to the prediction.
        """
        number = self._number(name)
        values = self._range(number) if values is None else np.asarray(values, dtype=np.float64)
        return values, *self._view.at([number], [values])

    def surface(
        self, first: str, second: str, n_points: int = 30
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The effect of a pair of inputs beside their own: values of both, mean, deviation.

        Parameters
        ----------
        first, second : str
            Names of the inputs.
        n_points : int, default=30
            Values of each input.

        Returns
        -------
        first_values, second_values : arrays of shape (n_first,) and (n_second,)
            Values of both inputs.
        mean, std : arrays of shape (n_first, n_second)
            What both together add to the prediction, and its standard deviation.
        """
        numbers = [self._number(name) for name in (first, second)]
        if numbers[0] == numbers[1]:
            raise ValueError(f"a surface needs two different inputs, got {first!r} twice.")
        values = [self._range(number, n_points) for number in numbers]
        grid = [each.ravel() for each in np.meshgrid(*values, indexing="ij")]
        shape = (len(values[0]), len(values[1]))
        mean, std = (each.reshape(shape) for each in self._view.at(numbers, grid))
        return values[0], values[1], mean, std

    def _number(self, name: str) -> int:
        known = [self.names[k] for k in self._view.inputs]
        if name not in known:
            raise ValueError(f"name must be one of {', '.join(map(repr, known))}, got {name!r}.")
        return self.names.index(name)

    def _range(self, number: int, n_points: int = N_POINTS) -> np.ndarray:
        """Values of an input over the range of its knots; its levels where these are few."""
        each = self._view.vectors.each
        (k,) = np.flatnonzero(each.number == number)
        levels = np.unique(each.knots[k][each.shares[k] > 0.0])
        if len(levels) < each.knots.shape[1]:
            return levels
        return np.linspace(levels[0], levels[-1], n_points)
