"""Models elsewhere: files, agreement of exports, microcontrollers, databases."""

from studies.carry import agreement, embedded, files

EXPERIMENTS = [*files.EXPERIMENTS, *agreement.EXPERIMENTS, *embedded.EXPERIMENTS]
