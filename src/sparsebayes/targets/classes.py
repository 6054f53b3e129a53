"""Targets that are classes: two, or several at once, or each against the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Number as AnyNumber
from reprlib import repr as clipped
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from sparsebayes.assembly import assemble, integrated_softmax
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Bernoulli, Multinomial, Softmax, one_hot
from sparsebayes.model.given import is_missing
from sparsebayes.model.responses import CalibratedSoftmax, OneVsRest, TwoClasses
from sparsebayes.targets.rows import RowsInBlocks, RowsInMemory
from sparsebayes.targets.target import Coded, Given, Target
from sparsebayes.targets.values import is_lazy

# What several classes make: a fit each, or one likelihood of all.
AUTO = "auto"
ONE_AGAINST_REST = "ovr"
JOINT: dict[str, type[Softmax] | type[Multinomial]] = {
    "softmax": Softmax,
    "shared_softmax": Multinomial,
}
MULTI_CLASS = (AUTO, ONE_AGAINST_REST, *JOINT)


@dataclass(frozen=True)
class Classes(Target):
    """Two or more classes without an order.

    Parameters
    ----------
    multi_class, class_weight : of the estimator
    joint : whether several classes share a model by default
    """

    multi_class: str = AUTO
    class_weight: Any = None
    joint: bool = True

    name = "categorical"
    likelihoods: ClassVar[tuple[type[Any], ...]] = (Bernoulli, Softmax, Multinomial)
    usual = True

    def asked(self, multi_class: str, class_weight: Any, inference: Inference) -> Classes:
        """The target as the parameters of an estimator ask for it."""
        joint = inference.fidelity is not None
        return replace(self, multi_class=multi_class, class_weight=class_weight, joint=joint)

    def told(self, given: Given) -> tuple[Self, Given]:
        """The target, for labels that can be told apart and sorted."""
        check_labels(given.name, given.y)
        return replace(self, given=given), given

    def obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks: several classes have a fit each."""
        if self.multi_class == ONE_AGAINST_REST and has_more_than_two(y):
            return 'multi_class="ovr" has a model for each class; "auto" has one'
        return None

    def read(self, rows: RowsInMemory | RowsInBlocks, centres: bool) -> Coded:
        """Rows as a fit takes them: numbers of classes, weighed."""
        coded = self._coded(rows, centres)
        n_classes, data = len(coded.classes), coded.data  # type: ignore[arg-type]
        if n_classes == 2:
            return coded._replace(doubtful=True)
        way = self.multi_class
        if way == AUTO:
            way = "shared_softmax" if self.joint else ONE_AGAINST_REST
        if way == ONE_AGAINST_REST:
            data = data._replace(target=one_hot(data.target, n_classes).T)
            return coded._replace(data=data, each=True, doubtful=True)
        return coded._replace(likelihood=JOINT[way](n_classes))

    def _coded(self, rows: RowsInMemory | RowsInBlocks, centres: bool) -> Coded:
        """The classes, and their numbers as targets."""
        check_classification_targets(rows.target)
        rows, labels = rows.labels(self.class_weight)
        classes = several_classes(self.given.name, labels.classes)
        seen = rows.coded(labels)
        blocks = rows.read_by(classes=classes, class_weight=labels.weights, factor=seen.factor)
        return Coded(
            rows,
            seen.data,
            Bernoulli(),
            seen.observed,
            seen.learning,
            blocks,
            centred=centres,
            squeezed=len(classes) == 2,
            classes=classes,
        )

    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> Any:
        """Probabilities of two classes, of each against the rest, or of all at once."""
        if coded.each:
            return OneVsRest()
        if coded.squeezed:
            return TwoClasses()
        if inference.fidelity is None:
            return integrated_softmax(assemble(fits[0]).plain)
        return CalibratedSoftmax(float(fits[0].usual_variance))


# What labels may be; those of one fit are of one kind, as they are sorted.
KINDS = ("texts", "numbers")


def check_labels(name: str, y: Any) -> None:
    """An error unless labels in memory can be told apart and sorted: texts, or numbers."""
    if y is None or is_lazy(y):
        return
    labels = np.asarray(y)
    if labels.dtype.kind == "U" and isinstance(y, list | tuple):
        labels = np.asarray(y, dtype=object)  # NumPy has made texts of numbers among them
    if labels.dtype.kind not in "OS":
        return
    found: dict[str, Any] = {}
    for row, label in enumerate(labels.ravel().tolist()):
        if is_missing(label):
            raise ValueError(
                f"y of {name} holds {label!r} in row {row}, which is no label: leave out this "
                "row, or give it a label."
            )
        found.setdefault(_kind_of(label), label)
    if len(found) > 1 or (found and not set(found) <= set(KINDS)):
        which = " and ".join(f"{kind} such as {clipped(label)}" for kind, label in found.items())
        text = "label.decode()" if "bytes" in found else "str(label)"
        raise ValueError(
            f"y of {name} holds {which}; expected labels that are all texts, or all whole numbers "
            f"or booleans: pass texts, as in [{text} for label in y]."
        )


def _kind_of(label: Any) -> str:
    if isinstance(label, str):
        return "texts"
    return "numbers" if isinstance(label, AnyNumber) else type(label).__name__


def several_classes(name: str, classes: np.ndarray) -> np.ndarray:
    """The classes; an error if there is only one."""
    if len(classes) < 2:
        raise ValueError(
            f"y of {name} needs two classes or more among the rows of positive sample_weight, got "
            f"one class: {classes[0]}."
        )
    return classes


def has_more_than_two(y: Any) -> bool:
    """Whether labels in memory are of more than two classes; lazy ones may be."""
    return is_lazy(y) or len(np.unique(np.asarray(y))) > 2
