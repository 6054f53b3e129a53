"""What every target says of y: how it is read, what it is called, how predictions are scored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Likelihood
from sparsebayes.rows import Blocks, Data
from sparsebayes.targets.noise import UNKNOWN, TargetNoise

if TYPE_CHECKING:
    from sparsebayes.targets.rows import RowsInBlocks, RowsInMemory

# Writes a number.
Number = Callable[[float], str]


class Given(NamedTuple):
    """What `fit` was given.

    Attributes
    ----------
    name : of the class of the estimator, for errors
    X, y, weight : inputs, targets and weights of rows
    noise_std, exposure : of each row, or None
    """

    name: str
    X: Any
    y: Any
    weight: Any = None
    noise_std: Any = None
    exposure: Any = None


# Before `fit` is called.
NOTHING = Given("the estimator", None, None)


class MeanLeft(NamedTuple):
    """A target whose mean was not taken out."""

    mean: float
    spread: float


class Coded(NamedTuple):
    """Rows as a fit takes them.

    Attributes
    ----------
    rows : as they were read, with the weights of their classes
    data : different rows, or a sample of them; weights are numbers of observations
    likelihood : that the targets have now
    observed : how many observations all rows count as
    learning : weight of the rows while scales are learned, where it is another (n,)
    blocks : all rows, where they are many
    offset : what was taken out of the targets
    centred : whether a bias is not needed beside kernels
    squeezed : whether predictions have no axis for outputs
    each : whether there is a fit for each column of the targets
    doubtful : whether a dense form of the columns may be more likely than few of them
    left : the mean and the spread of y, where that mean is far from 0 and was not taken out
    classes : their labels
    place : of each class in the order
    """

    rows: Any
    data: Data
    likelihood: Likelihood
    observed: float
    learning: np.ndarray | None = None
    blocks: Blocks | None = None
    offset: Any = 0.0
    centred: bool = False
    squeezed: bool = True
    each: bool = False
    doubtful: bool = False
    left: MeanLeft | None = None
    classes: np.ndarray | None = None
    place: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are; in memory, equal ones as one."""
        return len(self.data.weight) if self.blocks is None else self.blocks.n_rows

    def offsets(self, n_outputs: int) -> np.ndarray:
        """What was taken out of each output (n_outputs,)."""
        return np.broadcast_to(np.asarray(self.offset, dtype=np.float64), n_outputs).copy()

    @property
    def given(self) -> tuple[Any, Any]:
        """X and y, as callbacks may ask for them."""
        return (self.data.inputs, self.data.target) if self.blocks is None else self.rows.given


@dataclass(frozen=True)
class Target(ABC):
    """What y is.

    Parameters
    ----------
    likelihood : that was asked for, or with the parameters that were found
    noise : what is known of Gaussian noise
    several : whether y may have several columns
    given : what `fit` was given

    Attributes
    ----------
    name : of its likelihood, as users call it
    likelihoods : the kinds that it has: as it is asked for, and as it is found
    usual : whether there is nothing to be told of its likelihood but the noise
    numeric : whether y holds numbers, and not labels
    counts : whether these are counts
    takes_rates : whether counts may be rates, with weights of any size that are exposures
    varies : whether its noise is a second model, of the inputs
    weighs_rows : whether rows count differently, by how far off they are
    finds : whether parameters of its likelihood are found by the fit
    cuts : whether cut points make a constant column useless
    """

    likelihood: Any
    noise: TargetNoise = UNKNOWN
    several: bool = False
    given: Given = NOTHING

    name: ClassVar[str]
    likelihoods: ClassVar[tuple[type[Any], ...]]
    usual: ClassVar[bool] = False
    numeric: ClassVar[bool] = False
    counts: ClassVar[bool] = False
    takes_rates: ClassVar[bool] = False
    varies: ClassVar[bool] = False
    weighs_rows: ClassVar[bool] = False
    finds: ClassVar[bool] = False
    cuts: ClassVar[bool] = False

    @property
    def learned(self) -> Any:
        """The likelihood, where there is more to be told of it than noise."""
        return None if self.usual else self.likelihood

    @abstractmethod
    def told(self, given: Given) -> tuple[Self, Given]:
        """The target with what `fit` was given besides X and y, and the rows that go with it."""

    @abstractmethod
    def obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks."""

    def check(self, y: np.ndarray, exposure: Any = None) -> np.ndarray:
        """Values of y as the likelihood takes them; an error unless they can be its values."""
        return y

    @abstractmethod
    def read(self, rows: RowsInMemory | RowsInBlocks, centres: bool) -> Coded:
        """Rows as a fit takes them.

        Parameters
        ----------
        centres : whether the basis asks for the mean to be taken out
        """

    @abstractmethod
    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> Any:
        """What makes targets of latent values."""

    def words(self, number: Number) -> str | None:
        """What was learned of the likelihood, if there is more to be told of it than noise."""
        return None

    def score(self, y: np.ndarray, mean: np.ndarray, weight: np.ndarray) -> float | None:
        """The part of the deviance that predictions explain; None where R^2 or accuracy counts."""
        return None
