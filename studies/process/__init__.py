"""The process behind the default: sets of many kinds, peers on them, and today's models.

`sets` has the data by name, `peers` what others make of them.
"""
