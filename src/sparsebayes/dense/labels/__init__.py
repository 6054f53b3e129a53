"""Classes by regression on their labels, made sharp enough, and blended with a softmax."""
