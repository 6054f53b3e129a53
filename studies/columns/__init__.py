"""Columns of your own: which of them matter, with how much weight, and how sure that is."""

from studies.columns import directions, recovery, structures

EXPERIMENTS = [*recovery.EXPERIMENTS, *structures.EXPERIMENTS, *directions.EXPERIMENTS]
