"""Many rows: seconds and memory from 20 000 to ten million, where rows come from, and peers."""

from studies.scale import peers, rows, sources

EXPERIMENTS = [*rows.EXPERIMENTS, *sources.EXPERIMENTS, *peers.EXPERIMENTS]
