"""The experiments of the papers, run by one command: `sparsebayes reproduce`.

An `Experiment` is a table or a figure. It is made of tasks, such as one draw of one data set, each
of which returns numbers that are kept as a JSON file, and of a report that turns these numbers into
blocks: text, tables, figures, and a verdict for each claim of the paper. Nothing is on the page
that is not in a file.
"""
