"""C as text, in which names begin with `model_` and numbers have the type `real`."""
