"""Models elsewhere: files, agreement of exports, microcontrollers, databases."""

from studies.carry import agreement, database, embedded, files

EXPERIMENTS = [
    one for module in (files, agreement, embedded, database) for one in module.EXPERIMENTS
]
