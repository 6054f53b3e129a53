"""What NumPy says of floating-point errors, which is no news to a user of a model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])


def without_numpy_errors(function: Function) -> Function:
    """The function, in which NumPy neither raises nor warns, whatever the user has told it.

    An exponential that vanishes far from the data is no error. Results that must be finite are
    checked.
    """

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return called  # type: ignore[return-value]
