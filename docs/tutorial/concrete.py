"""
From a CSV to a result
======================

To come.
"""
print(1)
