"""What the functions of a header say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
