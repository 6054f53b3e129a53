"""Models elsewhere: files, agreement of exports, microcontrollers, databases."""

from studies.carry import files

EXPERIMENTS = [*files.EXPERIMENTS]
