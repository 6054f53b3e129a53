"""`sparsebayes demo`: a regression and a classification, beside what else one would take."""

from __future__ import annotations

from argparse import Namespace


def run(options: Namespace) -> None:
    """Fit, draw, and print one table."""
    from sparsebayes import demo

    demo.main(["--out", str(options.out)])
