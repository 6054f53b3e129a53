"""Whether the default models can be trusted: in the data, off them, and with many inputs.

`python -m studies trust --draws 1 --show` runs one draw of each set, and prints the tables.
"""

from studies.beyond.trust.experiments import EXPERIMENTS

__all__ = ["EXPERIMENTS"]
