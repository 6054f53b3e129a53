"""Other people's relevance vector machines, where they are installed."""

try:
    import fastrvm
except ImportError:  # the extra "studies" has it
    fastrvm = None

__all__ = ["fastrvm"]
