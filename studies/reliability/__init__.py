"""What is promised of every fit, tried on random data, random settings and faults.

`cases` draws data and estimators, `checks` says what is wrong with a fit, `fuzz` runs thousands of
them. `laws` measures what must not change a prediction. `faults` interrupts fits, starves them of
memory, and runs them in threads.
"""
