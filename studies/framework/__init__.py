"""What runs a study, keeps its results, and writes its report."""
