"""One page about a model: how far it can be trusted, what it has learned, how to use it.

- `given`: the model and the rows that a page is about, checked;
- `held_out`, `scores`: predictions of rows that were not trained on, what they are worth, and how
  sure they can be;
- `effects`: what the model makes of each input;
- `sections`: one module each, from these to sentences, tables and pictures;
- `live`: the model in the page, its controls, and what asks it;
- `markup`, `drawing`, `style`, `numbers`: how HTML, pictures and numbers are written.

The page is one file, and refers to nothing outside itself. Its only script is the model, which
answers to controls; without scripts the page has all else.
"""

from sparsebayes.report.page import report, write_report

__all__ = ["report", "write_report"]
