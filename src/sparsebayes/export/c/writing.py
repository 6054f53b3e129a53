"""How C is written: functions that users call, names, the precision, numbers and tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sparsebayes.export.loops import in_lines
from sparsebayes.model import NotPortableError


@dataclass(frozen=True)
class Answer:
    """A function that users call.

    Parameters
    ----------
    function : its name, without that of the model
    comment : what it says
    words : what it says, in short
    outputs : its outputs, with the sizes of arrays; "" of what is returned
    kind : of what is returned
    """

    function: str
    comment: str
    words: str
    outputs: Mapping[str, str]
    kind: str = "void"

    @property
    def shown(self) -> str:
        """How it is called, and what for."""
        arrays = [name for name, size in self.outputs.items() if size]
        return f"model_{self.function}({', '.join(['x', *arrays])}): {self.words}"

    def call(self, at: str) -> str:
        """The call that puts all outputs to an address, one after the other."""
        if self.kind != "void":
            cast = "(real)" if self.kind == "int" else ""
            return f"*({at}) = {cast}model_{self.function}(x);"
        sizes = list(self.outputs.values())
        places = [" + ".join([at, *sizes[:k]]) for k in range(len(sizes))]
        return f"model_{self.function}({', '.join(['x', *places])});"

    @property
    def head(self) -> str:
        """What it is called with."""
        arrays = [f"real {name}[{size}]" for name, size in self.outputs.items() if size]
        args = ", ".join(["const real x[MODEL_N_INPUTS]", *arrays])
        return f"static inline {self.kind} model_{self.function}({args})"

    @property
    def returned(self) -> str:
        """The statement that returns what is returned, of {value}; "" if nothing is."""
        cast = "(int)({value})" if self.kind == "int" else "{value}"
        return "" if self.kind == "void" else f"return {cast};"


ANSWERS = {
    "mean": Answer(
        "predict",
        "The mean of each output.",
        "the mean of each output",
        {"mean": "MODEL_N_OUTPUTS"},
    ),
    "std": Answer(
        "predict_std",
        "The mean of each output and the standard deviation of a new target, noise included.",
        "also standard deviations, noise included",
        {"mean": "MODEL_N_OUTPUTS", "std": "MODEL_N_OUTPUTS"},
    ),
    "probability": Answer(
        "predict_proba",
        "The probabilities of the classes.",
        "probabilities of the classes",
        {"probability": "MODEL_N_CLASSES"},
    ),
    "class": Answer(
        "predict_class",
        "The number of the most probable class.",
        "the number of the most probable class",
        {"class": ""},
        "int",
    ),
    "novelty": Answer(
        "novelty",
        "How far x is from what the model has seen: 0 is well known, 1 is entirely new.",
        "from 0, well known, to 1, entirely new",
        {"novelty": ""},
        "real",
    ),
}


# C has functions of floats under names of their own.
FUNCTIONS = re.compile(r"\b(exp|expm1|sqrt|sin|fabs|erfc|tanh)\(")
LITERAL = re.compile(r"(?<![\w.])\d+\.\d+(?:e[+-]?\d+)?(?![\w.])")
# Numbers of inputs and of columns, and powers, are of type uint16_t.
INTEGER_BYTES = 2


@dataclass(frozen=True)
class Style:
    """What names begin with, and the type of numbers, "double" or "float"."""

    name: str
    precision: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", self.name):
            raise ValueError(
                f"name must be a C identifier, a letter and then letters, digits and underscores, "
                f"got {self.name!r}."
            )
        if self.precision not in ("double", "float"):
            raise ValueError(f'precision must be "double" or "float", got {self.precision!r}.')

    @property
    def single(self) -> bool:
        """Whether numbers have 32 bits."""
        return self.precision == "float"

    @property
    def number_bytes(self) -> int:
        """Bytes of a number."""
        return 4 if self.single else 8

    def code(self, text: str) -> str:
        """C with `model_`, `MODEL_`, `real` and functions of doubles, in this style."""
        text = re.sub(r"\breal\b", self.precision, text)
        if self.single:
            text = FUNCTIONS.sub(r"\1f(", text)
            text = LITERAL.sub(lambda found: f"{found.group()}f", text)
        text = re.sub(r"\bMODEL_", f"{self.name.upper()}_", text)
        return re.sub(r"\bmodel_", f"{self.name}_", text)

    def number(self, value: float) -> str:
        """A constant that is read back as the same number."""
        if np.isinf(value):
            return f"{'-' if value < 0 else ''}HUGE_VAL{'F' if self.single else ''}"
        if not self.single:
            return repr(float(value))
        with np.errstate(over="ignore"):
            rounded = np.float32(value)
        if np.isinf(rounded):
            raise NotPortableError(
                f'the model holds {value:g}, which no number of precision="float" can be; use '
                'precision="double".'
            )
        return f"{rounded}f"


@dataclass(frozen=True)
class ConstantTable:
    """A constant array; `values` of floats or of integers, in the order of its rows."""

    name: str
    values: np.ndarray

    @property
    def integers(self) -> bool:
        """Whether it holds numbers of things."""
        return self.values.dtype.kind in "iu"

    def n_bytes(self, style: Style) -> int:
        """Bytes of flash."""
        size = INTEGER_BYTES if self.integers else style.number_bytes
        return max(1, self.values.size) * size

    def text(self, style: Style) -> str:
        """The definition in C, where an empty array has a zero that nobody reads: C has none."""
        kind = "uint16_t" if self.integers else style.precision
        if self.integers and self.values.max(initial=0) >= 2 ** (8 * INTEGER_BYTES):
            raise NotPortableError(
                f"the model holds the integer {self.values.max()}, and tables in C go up to 65535. "
                "Use fewer inputs."
            )
        values = self.values.ravel() if self.values.size else np.zeros(1, self.values.dtype)
        shown = [str(v) if self.integers else style.number(v) for v in values.tolist()]
        head = f"static const {kind} {style.code(self.name)}[{len(values)}] = {{"
        return "\n".join([head, *in_lines(shown), "};"])


def remark(name: str) -> str:
    """A name as a JSON string of plain ASCII, which can neither end a comment nor begin one."""
    return json.dumps(name).replace("*", "\\u002a").replace("??", "?\\u003f")


def quoted(text: str) -> str:
    """A text as a C string, UTF-8; all that is not plain is written as octal bytes."""
    plain = set(range(0x20, 0x7F)) - set(b'"\\?')
    data = text.encode("utf-8", errors="backslashreplace")
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in data) + '"'
