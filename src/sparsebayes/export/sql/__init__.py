"""A fitted model as one SELECT.

A statement is a chain of small SELECTs, `chain`, each of which computes some columns from those of
the one before: inputs, columns of the model, latent values and their variance, and what the
response makes of them. A database says how it writes things in `dialects`.
"""

from sparsebayes.export.sql.statement import to_sql

__all__ = ["to_sql"]
