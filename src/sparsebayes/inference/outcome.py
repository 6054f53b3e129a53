"""How an inference ended, and what a user can do about it."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """The way a fit ended. The value is a sentence for the user."""

    CONVERGED = (
        "The gradient of the evidence is below tol, and no column that was left out is known to "
        "raise it by more than tol (or min_gain)."
    )
    ITERATION_LIMIT = (
        "The fit did not converge within max_iter iterations. Increase max_iter, or increase tol "
        "if the last entries of history_ hardly differ."
    )
    STALLED = (
        "The evidence stopped rising before its gradient fell below tol: tol is smaller than "
        "rounding allows. Increase tol."
    )
    STOPPED = "A callback ended the fit before it had converged."
    NOTHING_RELEVANT = (
        "No column is relevant: the target is explained by noise alone, and the prediction is the "
        "mean of y where it was taken out, zero otherwise, or even odds. Check the kernel width "
        "(gamma), whether the inputs bear on the target, and that sample_weight, if given, sums to "
        "about the number of rows."
    )
    NOISE_VANISHED = (
        "The model passes through the training targets: it has about as many weights as rows, or "
        "the noise estimate fell to its floor, 1e-5 of the target's spread (1e-3 for the dense "
        'model of inference="projection"). If the targets are '
        "noisy, error bars will be too small: the kernel is too narrow (lower gamma), there are "
        "too few rows, or columns need a price (inference=Fast(min_gain=2)). If they are exact, "
        "set noise_std to the accuracy you need."
    )
    ILL_CONDITIONED = (
        "The active columns are collinear to rounding, so their weights and precisions are not "
        "determined one by one; predictions still are. Use a narrower kernel (higher gamma), fewer "
        "centres, or a noise_std that is not far below the accuracy of the data."
    )

    @property
    def converged(self) -> bool:
        """Whether there is nothing to warn of."""
        return self is Outcome.CONVERGED
