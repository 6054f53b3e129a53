"""A fitted model as one C99 header: constant tables, loops over them, and a test of itself.

`layout` says which columns there are, `formulas`, `spread` and `responses` have their tables and
choose the C that reads them from `source`, `selftest` has the rows that prove it, and `header` puts
it together. C is kept with the names `model_...` and the type `real`; `writing.Style` turns these
into what was asked for.
"""

from sparsebayes.export.c.header import to_c

__all__ = ["to_c"]
