"""Columns of your own, their weights and what a fit says of them."""

from studies.columns import weights

EXPERIMENTS = [*weights.EXPERIMENTS]
