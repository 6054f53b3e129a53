"""How many threads the linear algebra may use."""

from __future__ import annotations

from functools import cache

from threadpoolctl import ThreadpoolController  # comes with scikit-learn


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread():
    """A context in which linear algebra is done by one thread.

    A fit is a long row of operations on matrices of tens to hundreds of columns. A team of threads
    makes it slower by half on an idle machine, and many times slower on one that has other work.
    """
    return _controller().limit(limits=1, user_api="blas")
