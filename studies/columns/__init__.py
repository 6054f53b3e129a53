"""Columns of your own: which of them matter, with how much weight, and how sure that is."""

from studies.columns import (
    copies,
    directions,
    inclusion,
    recovery,
    shapes,
    spectra,
    structures,
    weights,
)

EXPERIMENTS = [
    *recovery.EXPERIMENTS,
    *shapes.EXPERIMENTS,
    *inclusion.EXPERIMENTS,
    *spectra.EXPERIMENTS,
    *structures.EXPERIMENTS,
    *directions.EXPERIMENTS,
    *weights.EXPERIMENTS,
    *copies.EXPERIMENTS,
]
