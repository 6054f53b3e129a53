"""The command `sparsebayes`: from a table in a file to a model, its predictions and its exports.

One module for each command has its name and a function `run(options)`. They are imported when they
are asked for, so that `sparsebayes --help` is quick. The others are nouns that commands share:
tables, columns, inputs, targets, held-out estimates, outputs and messages.

Exit codes: 0 all is well; 1 the data or the model do not allow it; 2 wrong use, a file that is not
there, or an extra that is not installed; 130 interrupted; 141 the reader of the output has gone.
"""

from sparsebayes.cli.command import main

__all__ = ["main"]
