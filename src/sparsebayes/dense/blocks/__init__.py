"""The dense model of many rows, which come in blocks: from sums over them."""
