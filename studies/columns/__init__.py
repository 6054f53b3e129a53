"""Dictionaries of columns: which of them have a part in the target."""

from studies.columns import inclusion

EXPERIMENTS = [*inclusion.EXPERIMENTS]
