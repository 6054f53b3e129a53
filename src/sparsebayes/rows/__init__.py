"""WHERE the rows are: in memory, or evaluated chunk by chunk, or in blocks that are anywhere.

`fold(statistic, chosen)` calls `statistic(design, target, weight)` on blocks of rows and adds up
the tuples of numbers and arrays that it returns. `design` has the columns `chosen` of the block.
`map(function, chosen)` strings together what `function(design)` returns for each row. Nothing else
in the package touches rows, so nothing else depends on where they are.

Many rows come in `Blocks`, of arrays, files or a cluster, and are passed over a few times only:
`blocks.fold(statistic)` adds up what `statistic(block)` returns, in the order of the blocks.
"""

from sparsebayes.rows.blocks import ArrayBlocks, Blocks
from sparsebayes.rows.in_memory import ChunkedRows, InMemoryRows, SparseRows, make_rows
from sparsebayes.rows.look import Look, LookPass, Sample, scattered
from sparsebayes.rows.merging import equal_rows, merged
from sparsebayes.rows.reader import Block, RowReader
from sparsebayes.rows.rows import (
    BLOCK_NUMBERS,
    Data,
    Rows,
    Statistic,
    check_sizes,
    evaluate_finite,
    largest_size,
    largest_values,
    row_slices,
)
from sparsebayes.rows.weighing import (
    KnownNoise,
    Weighed,
    are_counts,
    effective_factor,
    factor_of_sums,
    known_noise,
    once_each,
    one_for_equal,
    weighed,
)

__all__ = [
    "BLOCK_NUMBERS",
    "ArrayBlocks",
    "Block",
    "Blocks",
    "ChunkedRows",
    "Data",
    "InMemoryRows",
    "KnownNoise",
    "Look",
    "LookPass",
    "RowReader",
    "Rows",
    "Sample",
    "SparseRows",
    "Statistic",
    "Weighed",
    "are_counts",
    "check_sizes",
    "effective_factor",
    "equal_rows",
    "evaluate_finite",
    "factor_of_sums",
    "known_noise",
    "largest_size",
    "largest_values",
    "make_rows",
    "merged",
    "once_each",
    "one_for_equal",
    "row_slices",
    "scattered",
    "weighed",
]
