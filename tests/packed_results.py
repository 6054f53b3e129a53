"""Made-up results of studies, as packed ones are."""

from studies import catalogue
from studies.framework.packed import Packed
from studies.framework.runner import Results

EXPERIMENTS = {one.name: one for one in catalogue.EXPERIMENTS}


def fake(name, results):
    """Packed results of a study, by its name; its tasks took 90 seconds."""
    return {name: Packed(EXPERIMENTS[name], Results(results, seconds=90.0), {"commit": "abc"})}
