"""The process behind the default: sets of many kinds, peers on them, and today's models.

`sets` has the data by name. Studies of peers are apart from ours, whose reports read what is stored
of the peers: `python -m studies process-regression --show` runs the default alone.
"""

from studies.process.experiments import EXPERIMENTS

__all__ = ["EXPERIMENTS"]
