"""WHERE the rows are: in memory, or evaluated chunk by chunk.

`fold(function, active)` calls `function(design, target, weight)` on blocks of rows, `design` being
the columns `active` of the block, and adds up the tuples of numbers and arrays that it returns.
`map(function, active)` strings together what `function(design)` returns for each row. Nothing else
in the package touches rows, so nothing else depends on where they are.
"""

from sparsebayes.rows._blocks import BLOCK_NUMBERS, row_slices
from sparsebayes.rows.choice import make_rows
from sparsebayes.rows.chunked import ChunkedRows
from sparsebayes.rows.in_memory import InMemoryRows

__all__ = ["BLOCK_NUMBERS", "ChunkedRows", "InMemoryRows", "make_rows", "row_slices"]
