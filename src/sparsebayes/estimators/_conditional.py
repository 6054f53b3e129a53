"""Methods that an estimator has under a condition. Where it has not, the error says why.

`available_if` of scikit-learn says "has no attribute" whatever the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MethodType
from typing import Any, NoReturn


class Conditional:
    """A method that is there where `check` of the estimator raises no error.

    Parameters
    ----------
    function : the method
    check : estimator -> None, or an error whose sentence says why it has no such method
    """

    def __init__(self, function: Callable, check: Callable[[Any], None]) -> None:
        self.fn, self.check = function, check

    def __get__(self, estimator: Any, kind: type | None = None) -> Callable:
        if estimator is None:
            return self.fn
        try:
            self.check(estimator)
        except ValueError as error:  # `hasattr` knows no other error
            raise AttributeError(str(error)) from error
        return MethodType(self.fn, estimator)


def there_if(check: Callable[[Any], None]) -> Callable[[Callable], Any]:
    """A decorator of methods that are there where `check` raises no error."""
    return partial(Conditional, check=check)


class Missing:
    """A method that others have, and this estimator has not.

    Parameters
    ----------
    why : a sentence, and what to do
    """

    def __init__(self, why: str) -> None:
        self.why = why

    def __get__(self, estimator: Any, kind: type | None = None) -> NoReturn:
        raise AttributeError(self.why)
