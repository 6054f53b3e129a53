"""A property that is computed once for each object, without a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 (named as functools has it)
    """What a method returns, computed when it is first asked for.

    That of `functools` holds a lock while it computes until Python 3.12: one for all objects of a
    class. Two threads that fit would wait for each other, and a process that is forked while a
    thread computes would wait for ever. Here two threads may compute the same value twice.
    """

    def __init__(self, method: Callable[[Any], T]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> cached_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = self.method(instance)
        vars(instance)[self.name] = value
        return value
