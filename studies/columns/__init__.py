"""Columns of your own: which of them matter, with how much weight, and how sure that is."""

from studies.columns import recovery

EXPERIMENTS = [*recovery.EXPERIMENTS]
