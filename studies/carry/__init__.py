"""Models elsewhere: files, agreement of exports, microcontrollers, databases."""

from studies.carry import embedded, files

EXPERIMENTS = [*files.EXPERIMENTS, *embedded.EXPERIMENTS]
