"""Seconds and memory. Peers are timed in turn with our models, within one task."""
