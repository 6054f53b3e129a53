"""Other targets: outliers, counts, noise that varies, ordered classes; and other libraries."""

from studies.targets import agreement, counts, noise, ordinal, outliers

EXPERIMENTS = [
    *outliers.EXPERIMENTS,
    *counts.EXPERIMENTS,
    *noise.EXPERIMENTS,
    *ordinal.EXPERIMENTS,
    *agreement.EXPERIMENTS,
]
