"""What is promised of every fit, tried on random data, random settings and faults.

`data` draws inputs and targets. `cases` draws estimators for them. `field_tables` draws tables as
they come from the field, and `field_cases` estimators for these. `checks` says what is wrong with a
fit, and `twins` what another form of it says otherwise. `fuzz` runs thousands of cases.

`law_problems` draws problems. `laws` measures what must not change a prediction.

`fault_state` compares a model and the process before and after a fault. `faults` interrupts fits
and starves them of memory. `jobs` holds the fits that run at once. `threads` runs them in threads.
`forks` runs them in forked children.
"""
