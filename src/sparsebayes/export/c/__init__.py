"""A fitted model as one C99 header: constant tables, loops over them, and a test of itself.

`language` has the words of C for the loops of a graph, `answers` the functions that users call,
`source` the C that is the same for all models, `selftest` the rows that prove it, and `header` puts
it together. C is kept with the names `model_...` and the type `real`; `writing.Style` turns these
into what was asked for.
"""

from sparsebayes.export.c.header import to_c

__all__ = ["to_c"]
