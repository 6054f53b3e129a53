"""What a module gives."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Output:
    """A part of what `predict` returns.

    Parameters
    ----------
    array : where it is computed
    name : in the object that is returned
    comment : what it is
    several : whether it has several numbers; None where that depends on the model
    value : in the object, of the {array} and what it holds
    """

    array: str
    name: str
    comment: str
    several: bool | None
    value: str = "{name}: {found}"

    def written(self, squeezed: bool) -> str:
        """The property of the object."""
        several = not squeezed if self.several is None else self.several
        found = f"Array.from(said.{self.array})" if several else f"said.{self.array}[0]"
        return self.value.format(name=self.name, found=found)

    def kind(self, squeezed: bool) -> str:
        """The property and its type."""
        several = not squeezed if self.several is None else self.several
        kind = "*" if self.name == "label" else "number"
        return f"{self.name}: {kind}{'[]' * several}"


# By the names of a graph.
OUTPUTS = {
    "mean": Output("mean", "mean", "the mean of a new target", None),
    "std": Output("std", "std", "its standard deviation, noise included", None),
    "class": Output("number", "label", "the most probable class", False, "{name}: labels[{found}]"),
    "probability": Output(
        "probabilities", "probabilities", "of the classes, in the order of labels", True
    ),
    "novelty": Output("novelty", "novelty", "from 0, well known, to 1, entirely new", False),
}
