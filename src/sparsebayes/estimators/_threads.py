"""How many threads the linear algebra may use."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController  # comes with scikit-learn

# Up to this many columns, threads wait for each other longer than they compute.
FEW_COLUMNS = 1024


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread_if_small(n_columns: int):
    """A context in which matrices of few columns are factorised by one thread.

    On a machine that has other work, a team of threads on small matrices is many times slower.
    """
    if n_columns > FEW_COLUMNS:
        return nullcontext()
    return _controller().limit(limits=1, user_api="blas")
