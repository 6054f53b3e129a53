"""What can be typed."""

from __future__ import annotations

import argparse
import textwrap
from functools import partial
from pathlib import Path
from typing import Any

from sparsebayes import __version__
from sparsebayes.cli.messages import MisuseError

OF_NUMBERS = ("student_t", "poisson", "negative_binomial", "heteroscedastic")
OF_CLASSES = ("ordinal",)

EXAMPLES = """\
examples:
  sparsebayes fit house_prices.csv --target price
  sparsebayes predict model.sbm new_houses.csv --std -o predicted.csv
  sparsebayes report model.sbm house_prices.csv
  sparsebayes export model.sbm --to c -o model.h

`sparsebayes COMMAND --help` has more. CSV and Parquet need an extra:
  pip install 'sparsebayes[cli]'
"""

FIT = """\
examples:
  sparsebayes fit house_prices.csv --target price
  sparsebayes fit patients.csv --target outcome --drop name date --out outcome.sbm
  sparsebayes fit grades.csv --target grade --regress --folds 10
  sparsebayes fit claims.csv --target claims --likelihood poisson
  sparsebayes fit messwerte.csv --sep ';' --target Druck

Columns of numbers and of true/false are taken as they are, and need not be scaled. A column of
texts becomes an input of 0 or 1 for each text. Missing values, dates and columns with too many
texts are refused: the message says where they are.

Numbers have Gaussian noise by default. --likelihood student_t is for outliers, heteroscedastic for
noise that varies with the inputs, poisson and negative_binomial for counts; ordinal is for classes
that are numbered in an order.
"""

PREDICT = """\
examples:
  sparsebayes predict model.sbm new.csv
  sparsebayes predict model.sbm new.csv --std --quantiles 0.05 0.95 -o predicted.csv
  sparsebayes predict model.sbm new.parquet --proba --novelty -o predicted.parquet
  sparsebayes predict model.sbm new.csv --only | head

All columns of the table are written as they are, and then those of the predictions: of a target
price these are price_predicted, price_std, price_q0.05, ...; of classes price_proba_<class>; and
novelty, from 0, well known, to 1, entirely new.
"""

SHOW = """\
examples:
  sparsebayes show model.sbm
  sparsebayes show model.sbm --formula
"""

EXPORT = """\
examples:
  sparsebayes export model.sbm --to c -o model.h
  sparsebayes export model.sbm --to c --precision float --no-std --name pressure -o pressure.h
  sparsebayes export model.sbm --to sql --table houses --keep id --dialect postgresql
  sparsebayes export model.sbm --to js -o model.js
  sparsebayes export model.sbm --to onnx -o model.onnx
  sparsebayes export model.sbm --to json | head -c 300
"""

REPORT = """\
examples:
  sparsebayes report model.sbm house_prices.csv
  sparsebayes report model.sbm house_prices.csv -o prices.html
  sparsebayes report model.sbm prices_of_next_year.csv --new
"""


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    whole = argparse.ArgumentParser(
        "sparsebayes",
        description="Sparse Bayesian learning: models of few vectors, with error bars.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"sparsebayes {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="command")
    for add in (_add_fit, _add_predict, _add_show, _add_export, _add_report):
        add(commands)
    return whole


def _command(commands: Any, name: str, summary: str, epilog: str, more: str = "") -> Any:
    return commands.add_parser(
        name,
        help=summary,
        description=textwrap.fill(f"{summary[0].upper()}{summary[1:]}. {more}", 80),
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_data(add: Any) -> None:
    add("data", type=Path, help="a table, CSV or Parquet")
    separator = "what separates the columns of a CSV: , or ; or tab; found out by default"
    add("--sep", metavar="CHARACTER", help=separator)


def _add_model(add: Any) -> None:
    add("model", type=Path, help="a file that `sparsebayes fit` wrote")


def _add_out(add: Any, default: str | None, text: str = "default: %(default)s") -> None:
    add("-o", "--out", type=Path, default=default and Path(default), metavar="FILE", help=text)


def _add_fit(commands: Any) -> None:
    command = _command(commands, "fit", "fit a model to a table", FIT)
    add = command.add_argument
    _add_data(add)
    add("--target", required=True, metavar="COLUMN", help="what is to be predicted")
    _add_out(add, "model.sbm")
    kind = command.add_mutually_exclusive_group().add_argument
    kind("--classify", action="store_true", help="the target is a class")
    kind("--regress", action="store_true", help="the target is a number")
    names = f"of the target: {', '.join(OF_NUMBERS)}; or {', '.join(OF_CLASSES)}"
    add("--likelihood", choices=(*OF_NUMBERS, *OF_CLASSES), metavar="NAME", help=names)
    drop = "columns that are no inputs"
    add("--drop", nargs="+", action="extend", default=[], metavar="COLUMN", help=drop)
    folds = "of the cross-validation that says how good the model is; 0 for none; default: "
    add("--folds", type=int, default=5, metavar="N", help=f"{folds}%(default)s")


def _add_predict(commands: Any) -> None:
    command = _command(commands, "predict", "predict the rows of a table", PREDICT)
    add = command.add_argument
    _add_model(add)
    _add_data(add)
    add("--std", action="store_true", help="standard deviations, noise included")
    add("--proba", action="store_true", help="the probability of each class")
    add("--quantiles", nargs="+", type=float, metavar="LEVEL", help="such as 0.05 0.95")
    add("--novelty", action="store_true", help="how unlike the training data")
    add("--only", action="store_true", help="write predictions and nothing else")
    _add_out(add, None, "CSV or .parquet; default: print CSV")


def _add_show(commands: Any) -> None:
    command = _command(commands, "show", "say what is in a model", SHOW)
    add = command.add_argument
    _add_model(add)
    add("--formula", action="store_true", help="print the model as a formula too")


def _add_export(commands: Any) -> None:
    """The command `export`, whose functions know what holds for an option that is not given."""
    command = _command(
        commands, "export", "write a model as C, JavaScript, ONNX, SQL or JSON", EXPORT
    )
    add = command.add_argument
    _add_model(add)
    add("--to", required=True, choices=("c", "js", "onnx", "sql", "json"))
    _add_out(add, None, "default: print; needed for onnx")
    add = partial(add, default=argparse.SUPPRESS)
    add("--precision", choices=("double", "float"), help="of c and onnx; default: double")
    add("--no-std", dest="std", action="store_false", help="leave error bars out")
    add("--name", help="of c: what names in the header begin with; default: model")
    add("--table", metavar="NAME", help="of sql: the table that holds the inputs")
    keep = "of sql: columns of the table to pass through"
    add("--keep", nargs="+", metavar="COLUMN", help=keep)
    dialects = ("duckdb", "sqlite", "postgresql")
    add("--dialect", choices=dialects, help="of sql; default: duckdb")


def _add_report(commands: Any) -> None:
    more = (
        "The page needs no network. The table is the one that the model was fitted "
        "to, and is cross-validated, which takes some fits; or one of rows that it has not seen, "
        "with --new."
    )
    command = _command(commands, "report", "write a page on how good a model is", REPORT, more)
    add = command.add_argument
    _add_model(add)
    _add_data(add)
    add("--new", action="store_true", help="the model has not seen these rows")
    target = "default: the target that the model was fitted to"
    add("--target", metavar="COLUMN", help=target)
    _add_out(add, "report.html")


def asked_kind(classify: bool, regress: bool, likelihood: str | None) -> tuple[bool, bool]:
    """Whether a classification is asked for, and whether a regression is; --likelihood says so."""
    if likelihood is None:
        return classify, regress
    of_classes = likelihood in OF_CLASSES
    if (regress and of_classes) or (classify and not of_classes):
        kind, flag = ("classes", "--regress") if of_classes else ("numbers", "--classify")
        raise MisuseError(
            f"--likelihood {likelihood} is for a target of {kind}, and {flag} was given: leave out "
            "one of them."
        )
    return of_classes, not of_classes
