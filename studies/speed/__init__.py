"""Times, as medians of interleaved repeats in one run."""
