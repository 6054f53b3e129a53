"""A fitted model as one SELECT.

A statement is a chain of small SELECTs, `chain`, each of which computes some columns from those of
the one before. The first make the inputs. The others are printed from the graph of the model, by
`printer`: `placement` says what is a column of which SELECT, `inputs` how large inputs may be. A
database says how it writes things in `dialects`; `lists` are for those that have them.
"""

from sparsebayes.export.sql.statement import to_sql

__all__ = ["to_sql"]
