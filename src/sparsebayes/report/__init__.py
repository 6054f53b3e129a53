"""One page about a model."""
