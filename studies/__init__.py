"""The studies behind the figures in README and docs, run by one command: `python -m studies`.

A study is an `Experiment`: a table or a figure of a paper (`papers`), a comparison that no paper
has (`beyond`), what is promised of every fit (`reliability`), or times and memory against peers
(`speed`). It has tasks, such as one draw of one data set, and each task returns numbers that are
kept as a JSON file. Its report turns the numbers into text, tables, figures, and a verdict for each
claim. Every number of the page is in a file.

`framework` runs, stores and writes; `data` holds the data sets; `models` builds our estimators;
`tuning` and `measures` are shared by all. `results` holds the last full run, from which the tables
in README and docs are written.
"""
