"""Data sets: where they come from (`sources`), and draws of them that are scaled (`samples`)."""
