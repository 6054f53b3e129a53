"""Models elsewhere: files, agreement of exports, microcontrollers, web pages, databases."""

from studies.carry import agreement, database, embedded, files, web

EXPERIMENTS = [
    one for module in (files, agreement, embedded, web, database) for one in module.EXPERIMENTS
]
