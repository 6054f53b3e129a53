"""One page about a model: how far it can be trusted, what it has learned, how to use it.

- `given`: the model and the rows that a page is about, checked;
- `held_out`, `scores`: predictions of rows that were not trained on, and what they are worth;
- `effects`: what the model makes of each input;
- `sections`: one module each, from these to sentences, tables and pictures;
- `markup`, `drawing`, `style`, `numbers`: how HTML, pictures and numbers are written.

The page is one file without a script, and refers to nothing outside itself.
"""

from sparsebayes.report.page import report, write_report

__all__ = ["report", "write_report"]
