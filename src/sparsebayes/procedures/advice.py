"""What to try when a fit has not ended well: the cause that is likeliest for these data.

`Outcome.value` is a general sentence. A warning has the finding of it, and advice that goes with
the settings and the rows of the fit, so that it never asks for a setting that is on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.columns import NO_ROW, AnyColumns
from sparsebayes.inference import Outcome
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.scales.learning import SCALE_SEARCH

# Weights that leave a smaller part of the rows as observations are very uneven.
UNEVEN = 0.3
# More columns without a centre than this part of the rows can pass through most targets.
MANY_COLUMNS = 0.5
# More vectors than this part of the rows, unless they are few, follow single counts; large counts
# may need them, as they tell their mean so well.
MANY_VECTORS, FEW_VECTORS, LARGE_COUNT = 0.2, 20, 100.0


@dataclass(frozen=True)
class WidthWords:
    """What the width of a kernel is called.

    Attributes
    ----------
    name : of the parameter
    wider, narrower : how it is changed by hand
    learned : the setting that learns it
    """

    name: str
    wider: str
    narrower: str
    learned: str


GAMMA = WidthWords("gamma", "lower gamma", "raise gamma", 'gamma="ard"')
WIDTH = WidthWords("width", "use a wider kernel", "use a narrower kernel", 'input_scale="learn"')


WIDE_PROCESS = (
    "The model passes through the training targets. It is linear in more inputs than there are "
    "rows, so that noise of the inputs can stand for that of the targets. Error bars of new rows "
    "have it; those of the training rows do not. If you know the noise of the targets, set "
    "noise_std."
)


@dataclass(frozen=True)
class Facts:
    """What is known of a fit besides how it ended.

    Attributes
    ----------
    n_rows : how many there are, equal ones as one
    observed : how many observations these count as; None if as many
    n_plain : how many candidate columns have no centre, the bias left out
    has_kernel : whether others have one
    has_width : whether these have a width
    n_scales : how many scales are learned
    words : what the width is called
    noise_std : of the constructor: None, a number or "factor"
    of_rows : whether the noise of each row is known
    inference : the name of the inference, such as "fast"
    price : the `min_gain` of the inference; None if it has none
    has_hyperprior : whether one was given
    wide_process : whether the model is a process that is linear in more inputs than rows
    takes_noise : whether the noise can be given
    left : the mean and the spread of y, where that mean is far from 0 and was not taken out
    """

    n_rows: int
    n_plain: int = 0
    observed: float | None = None
    has_kernel: bool = True
    has_width: bool = True
    n_scales: int = 0
    words: WidthWords = GAMMA
    noise_std: Any = None
    of_rows: bool = False
    inference: str = "fast"
    price: float | str | None = None
    has_hyperprior: bool = False
    wide_process: bool = False
    takes_noise: bool = True
    left: Any = None

    @property
    def charges(self) -> bool:
        """Whether columns have a price."""
        return self.price is not None and self.price != 0.0

    @property
    def given_width(self) -> bool:
        """Whether there is a width that is not learned."""
        return self.has_width and not self.n_scales

    @property
    def given_noise(self) -> bool:
        """Whether there is a noise that is not estimated."""
        return self.of_rows if self.noise_std is None else self.noise_std != "factor"


def facts_of(columns: AnyColumns, inference: Inference, n_rows: int, observed: float) -> Facts:
    """What candidate columns, an inference and numbers of rows say of a fit."""
    kernels = [kind for kind in columns.kinds if (kind.centre_rows != NO_ROW).any()]
    plain = [kind for kind in columns.kinds if kind.kind != "bias"]
    return Facts(
        n_rows,
        sum(int(np.count_nonzero(kind.centre_rows == NO_ROW)) for kind in plain),
        observed if observed < UNEVEN * n_rows else None,
        bool(kernels),
        any(
            kind.formula.gamma is not None and not kind.formula.definition.by_object
            for kind in kernels
        ),
        len(columns.log_scales),
        inference=type(inference).__name__.lower(),
        price=getattr(inference, "min_gain", None),
        has_hyperprior=(inference.weight_hyperprior, inference.noise_hyperprior) != (None, None),
    )


def worst_outcome(fits: list[Fit]) -> Outcome:
    """The first outcome that is worth a warning, or that all have converged.

    That digits are lost is said before all else. A class or an output that nothing explains is no
    reason to warn as long as there is another.
    """
    outcomes = [fit.outcome for fit in fits if fit.outcome is not Outcome.NOTHING_RELEVANT]
    if not outcomes:
        return Outcome.NOTHING_RELEVANT
    if Outcome.OUT_OF_RANGE in outcomes:
        return Outcome.OUT_OF_RANGE
    return next((each for each in outcomes if not each.converged), Outcome.CONVERGED)


def advice(outcome: Outcome, facts: Facts) -> str:
    """The finding, and what to try with these data; the value itself where there is no choice."""
    if outcome is Outcome.NOISE_VANISHED and facts.wide_process:
        return WIDE_PROCESS
    find = ADVICE.get(outcome)
    return outcome.value if find is None else f"{outcome.finding} {find(facts)}"


def _joined(*sentences: str) -> str:
    return " ".join(each for each in sentences if each)


def of_vanished_noise(facts: Facts) -> str:
    """Columns without a price, a narrow kernel, few rows; or exact targets."""
    return _joined(_why_flexible(facts), _if_exact(facts))


def _why_flexible(facts: Facts) -> str:
    """What lets a model pass through its targets."""
    if facts.n_plain > MANY_COLUMNS * facts.n_rows:
        many = f"The likeliest cause: {facts.n_plain} columns are many for {facts.n_rows} rows"
        if facts.charges:
            return f"{many}. Leave some of them out, or get more rows."
        return f'{many}, and have no price: use inference=Fast(min_gain="auto").'
    if facts.given_width:
        wider, learned = facts.words.wider, facts.words.learned
        return f"The likeliest cause: the kernel is too narrow. Try {learned}, or {wider}."
    enough = facts.n_scales and facts.n_rows >= SCALE_SEARCH.many_rows * facts.n_scales
    if facts.has_kernel and not enough:
        return (
            f"The likeliest cause: {facts.n_rows} rows are too few for this kernel. Get more rows, "
            "leave out inputs that do not matter, or set centres to a smaller number."
        )
    return "The likeliest cause: the targets have no noise that these columns leave."


def _if_exact(facts: Facts) -> str:
    if not facts.takes_noise:
        return 'If the targets are exact, use likelihood="gaussian", and set noise_std.'
    if facts.of_rows:
        return "If the noise of rows is known exactly, leave noise_std of the constructor at None."
    return "If the targets are exact, set noise_std to the accuracy you need."


def of_nothing_relevant(facts: Facts) -> str:
    """A price, a large noise, a wrong width; or inputs that do not matter."""
    unrelated = "Check whether the inputs bear on the target."
    return _joined(_why_rigid(facts), unrelated)


def of_mean(left: Any) -> str:
    """A mean of y that columns would have to say."""
    return (
        f"The likeliest cause: y has a mean of {left.mean:.4g}, which is far from 0 and was not "
        "taken out. Add Bias() to the basis, or set fit_intercept=True."
    )


def of_lost_mean(left: Any, noise_std: float) -> str:
    """Noise that is larger than the spread of y, because columns could not say its mean."""
    return (
        f"The model says less than the mean of y would: its noise, {noise_std:.4g}, is larger than "
        f"the standard deviation of y, {left.spread:.4g}. {of_mean(left)}"
    )


def of_single_counts(mean_count: float, n_vectors: int, n_rows: int) -> str | None:
    """What is said of a model that follows Poisson counts one by one, if it does."""
    if mean_count >= LARGE_COUNT or n_vectors <= max(MANY_VECTORS * n_rows, FEW_VECTORS):
        return None
    return (
        f"The model has {n_vectors} vectors for {n_rows} rows: it follows single counts. The "
        "likeliest cause: they vary more than Poisson counts do. Compare log_evidence_ with "
        'that of likelihood="negative_binomial".'
    )


def _why_rigid(facts: Facts) -> str:
    """What keeps columns out of a model."""
    if facts.observed is not None:
        return (
            f"The likeliest cause: weights so uneven that {facts.n_rows} rows say no more than "
            f"{facts.observed:.3g} of equal weight would."
        )
    if facts.left is not None:
        return of_mean(facts.left)
    if facts.given_noise:
        return "The likeliest cause: the given noise is as large as the spread of y. Check it."
    if facts.given_width:
        learned, name = facts.words.learned, facts.words.name
        return f"The likeliest cause: the width of the kernel. Try {learned}, or another {name}."
    if facts.charges:
        return (
            f"The likeliest cause: no column is worth its price, min_gain={facts.price!r}. "
            f"{facts.inference.capitalize()}(min_gain=0) has none."
        )
    return ""


def of_collinear_columns(facts: Facts) -> str:
    """A wide kernel, columns that repeat others, or a small noise."""
    ways = []
    if facts.given_width:
        ways.append(f"{facts.words.narrower}, as the kernel is wide; or try {facts.words.learned}")
    if facts.has_kernel:
        ways.append("set centres to a smaller number")
    if facts.n_plain:
        ways.append("leave out columns that repeat others")
    if facts.given_noise:
        ways.append("check that the given noise is not far below the accuracy of the data")
    return _sentence(ways)


def of_work(facts: Facts) -> str:
    """Another inference where this one is slow; fewer columns, or a larger tol."""
    ways = ["increase tol"]
    if facts.inference in ("em", "mackay", "variational"):
        ways.insert(0, 'use inference="fast", or "projection"')
    elif facts.has_kernel:
        ways.append("set centres to a smaller number")
    else:
        ways.append(
            'take kernel="linear" of RVR or RVC if all inputs matter a little, as in spectra'
        )
        ways.append("leave out columns that cannot matter")
    return _sentence(ways)


def of_lost_digits(facts: Facts) -> str:
    """Sizes, a mean that was not taken out, a small noise, a wide kernel, hyperpriors."""
    ways = ["rescale X or y"]
    if facts.left is not None:
        return of_mean(facts.left)
    if facts.given_noise:
        ways.append("check that the given noise is not far below the accuracy of the data")
    if facts.given_width:
        ways.append(facts.words.narrower)
    if facts.has_kernel:
        ways.append("set centres to a smaller number")
    if facts.has_hyperprior:
        ways.append("leave hyperpriors out")
    return _sentence(ways)


def _sentence(ways: list[str]) -> str:
    """Several ways as one sentence."""
    if not ways:
        return ""
    text = "; or ".join(ways)
    return f"{text[0].upper()}{text[1:]}."


ADVICE: dict[Outcome, Callable[[Facts], str]] = {
    Outcome.NOISE_VANISHED: of_vanished_noise,
    Outcome.NOTHING_RELEVANT: of_nothing_relevant,
    Outcome.ILL_CONDITIONED: of_collinear_columns,
    Outcome.WORK_LIMIT: of_work,
    Outcome.OUT_OF_RANGE: of_lost_digits,
}
