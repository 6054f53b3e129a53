"""Rows in blocks, for the tests of passes over them."""

from __future__ import annotations

import numpy as np

from sparsebayes.rows import ArrayBlocks, RowReader


def directly(function, *arguments):
    """Calls a function as it is."""
    return function(*arguments)


def blocks_of(inputs, target, weight=None, n_threads=1, **reading):
    """Blocks of arrays, in this process."""
    reader = RowReader(inputs.shape[1], **reading)
    return ArrayBlocks(inputs, np.asarray(target), weight, reader, directly, n_threads)
