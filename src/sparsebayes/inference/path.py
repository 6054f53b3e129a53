"""A start for many plain columns: a path of them, and the part of it that pays.

Where columns are many for the rows, a start with all of them passes through the targets, and a
search that adds only columns that pay may find none: as long as most of the signal is not
explained, it is noise to each column alone. So columns are taken one by one, always that which
leaves least of the targets (orthogonal least squares), whether it pays or not; and then it is asked
how many of them pay together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.inference.loop import n_precisions
from sparsebayes.inference.prices import Prices
from sparsebayes.inference.start import nothing_of
from sparsebayes.likelihoods import Frozen
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem


@dataclass(frozen=True)
class PathLength:
    """How far a path goes.

    Attributes
    ----------
    of_rows : the most columns, as a part of the rows; beyond, no search finds those that matter
    of_wide : the same times log(M / rows), for M columns. Convex methods find 0.5 / log(M / rows)
        per row where M is far larger [Donoho and Tanner 2009]
    work : multiplications for the inner products of its columns with all others
    numbers : that these inner products may be
    at_once : columns whose inner products are formed in one pass: the next one is often among those
        that were best before
    kept : numbers that inner products formed ahead may be, 40 MB; beyond, they are forgotten
    least_left : a column of which less than this part is left lies in the span of those before
    little : a part of the path that leaves less than this of the targets may be all there is. Where
        it does not, and yet no column pays, many could still do so together
    patience : the path then goes on for as long again, and for so many columns at least
    """

    of_rows: float = 0.4
    of_wide: float = 0.75
    work: float = 2e10
    numbers: float = 2e7
    at_once: int = 32
    kept: float = 5e6
    least_left: float = 1e-7
    little: float = 0.1
    patience: int = 16

    def most(self, n_rows: int, n_columns: int) -> int:
        """The most columns of a path."""
        wide = self.of_wide / np.log(max(n_columns / n_rows, np.e))
        by_rows = min(self.of_rows, wide) * n_rows
        by_work = min(self.work / n_rows, self.numbers) / n_columns
        return max(1, int(min(by_rows, by_work, n_columns)))


LENGTH = PathLength()
# A prior precision this much below what the data say of a column leaves its weight to them.
VERY_WEAK = 1e-6
# Beyond this part of the rows, which only groups reach, what columns leave by least squares says
# nothing of the noise.
CROWDED = 0.5


class Path(NamedTuple):
    """Columns in the order in which they were taken.

    Attributes
    ----------
    columns : (k,)
    left : of the energy of the targets, without any of them and after each (k + 1, n_outputs)
    """

    columns: np.ndarray
    left: np.ndarray


class _Products:
    """Inner products of all columns with some, formed as they are asked for."""

    def __init__(self, problem: Problem, length: PathLength) -> None:
        self.problem, self.most = problem, max(1, int(length.kept / problem.n_columns))
        self.at_once = min(length.at_once, self.most)
        self.known: dict[int, np.ndarray] = {}
        self.n_formed = 0

    def take(self, column: int, merit: np.ndarray) -> np.ndarray:
        """Inner products with a column (M,); unknown ones come with others of great merit."""
        if column not in self.known:
            self._forget_if_many()
            size = min(2 * self.at_once + len(self.known), len(merit))
            best = np.argpartition(-merit, size - 1)[:size]
            best = best[np.argsort(-merit[best], kind="stable")]
            new = [int(one) for one in best if one != column and int(one) not in self.known]
            some = [column, *new[: self.at_once - 1]]
            products = statistics.inner_products(self.problem, np.array(some))
            self.known.update(zip(some, products.T, strict=True))
            self.n_formed += len(some)
        return self.known.pop(column)

    def _forget_if_many(self) -> None:
        """Make room: those of one pass are in memory as long as any of them is known."""
        if self.n_formed + self.at_once > self.most:
            self.known.clear()
            self.n_formed = 0


class _Walk:
    """Where a path stands: what is left of all columns, and of the targets.

    With P = Phi'Q for the orthonormal basis Q of the columns so far, column j has left
    s_j = phi_j'phi_j - sum P_j^2 of its energy and r_j = phi_j'(t - Q Q't) of its product with the
    targets, and takes sum_outputs r_j^2 / s_j off their energy.
    """

    def __init__(self, problem: Problem, most: int, length: PathLength) -> None:
        none = np.empty(0, dtype=np.intp)
        every = statistics.candidates(problem, none, problem.no_weights(0))
        self.length = length
        self.energy, self.left = every.energy, every.energy.copy()
        self.free = every.energy > 0.0
        energy = target_energy(problem)
        self.unit = np.where(energy > 0.0, energy, 1.0) ** -0.5
        self.score, self.rest = every.score * self.unit, energy * self.unit**2
        self.products = _Products(problem, length)
        self.spanned = np.empty((problem.n_columns, most), order="F")
        self.taken: list[int] = []
        self.history = [self.rest]

    @property
    def merit(self) -> np.ndarray:
        """What each column would take off the energy of the targets; 0 if nothing of it is left."""
        self.free &= self.left > self.length.least_left * self.energy
        merit = np.zeros_like(self.left)
        power = np.einsum("ml,ml->m", self.score, self.score)
        return np.divide(power, self.left, out=merit, where=self.free)

    def take_if_free(self, column: int, merit: np.ndarray) -> None:
        """One column more, unless those of its group before have left nothing of it."""
        if self.left[column] > self.length.least_left * self.energy[column]:
            self._take(int(column), merit)

    def _take(self, column: int, merit: np.ndarray) -> None:
        before, root = self.spanned[:, : len(self.taken)], np.sqrt(self.left[column])
        product = self.products.take(column, merit) - before @ before[column]
        direction, part = product / root, self.score[column] / root
        self.spanned[:, len(self.taken)] = direction
        self.left = self.left - direction**2
        self.score = self.score - np.outer(direction, part)
        self.rest = np.maximum(self.rest - part**2, 0.0)
        self.free[column] = False
        self.taken.append(column)
        self.history.append(self.rest)

    @property
    def path(self) -> Path:
        """The columns taken, and what they leave."""
        return Path(np.array(self.taken, dtype=np.intp), np.array(self.history) / self.unit**2)


def find_path(problem: Problem, prices: Prices, length: PathLength = LENGTH) -> Path:
    """Columns one by one, always that which leaves least of the targets, each in its own units.

    Of groups it is always that whose columns leave least, each for itself.

    Parameters
    ----------
    problem : whose curvature is constant
    prices : of its columns
    """
    most = length.most(len(problem.data.target), problem.n_columns)
    most = max(most, prices.largest)
    walk = _Walk(problem, most, length)
    for round_ in range(1, most + 1):
        merit = walk.merit
        best = best_columns(merit, prices.labels)
        if not merit.any() or len(walk.taken) + len(best) > most:
            break
        for column in best:
            walk.take_if_free(column, merit)
        patient = round_ % length.patience == 0
        if patient and seems_complete(walk.path, problem, prices, length):
            break
    return walk.path


def best_columns(merit: np.ndarray, labels: np.ndarray | None) -> np.ndarray:
    """The column of the greatest merit, or those of the best group."""
    if labels is None:
        return np.array([np.argmax(merit)])
    best = np.argmax(np.bincount(labels, merit))
    return np.flatnonzero((labels == best) & (merit > 0.0))


def seems_complete(
    path: Path, problem: Problem, prices: Prices, length: PathLength = LENGTH
) -> bool:
    """Whether a part of the path leaves little, and what came after it did not pay for long."""
    best = worthiest(path, problem, prices)
    rest = path.left[best].sum() / max(path.left[0].sum(), np.finfo(float).tiny)
    return rest < length.little and len(path.columns) >= best + max(best, length.patience)


def target_energy(problem: Problem) -> np.ndarray:
    """Energy of the targets that a quadratic of constant curvature stands for (n_outputs,)."""
    data = problem.data
    latent = np.zeros((len(data.target), problem.layout.n_outputs))
    latent = latent[:, 0] if problem.layout.single else latent
    quadratic = problem.likelihood.expand(data.target, latent)
    slope = quadratic.slope.reshape(len(data.target), -1)
    return (data.weight / quadratic.curvature) @ slope**2


def worth_along(path: Path, problem: Problem) -> np.ndarray:
    """The log evidence of each part of a path, relative to no column, nearly (k + 1,).

    All columns of a part have one prior variance, g times that of what the data say of them, the
    best of its kind. With m columns that leave r of the energy of a target of n rows,

        1/2 (n - m) log(1 + g) - 1/2 n log(1 + g r),    1 + g = (1 - r) (n - m) / (m r),

    and with a noise that is known, E of the energy taken off in its units,

        1/2 (E g / (1 + g) - m log(1 + g)),    1 + g = E / m.
    """
    n_rows, size = problem.total_weight, np.arange(len(path.left))[:, None]
    columns = np.maximum(size, 1)
    if problem.noise.inferred:
        free = np.maximum(n_rows - size, 1.0)
        all_of_it = np.where(path.left[0] > 0.0, path.left[0], 1.0)
        rest = np.where(path.left[0] > 0.0, np.clip(path.left / all_of_it, 1e-10, 1.0), 1.0)
        odds = np.maximum((1.0 - rest) * free / (columns * rest), 1.0)
        value = 0.5 * free * np.log(odds) - 0.5 * n_rows * np.log1p((odds - 1.0) * rest)
    else:
        taken = problem.noise.settle(1.0) * (path.left[0] - path.left)
        odds = np.maximum(taken / columns, 1.0)
        value = 0.5 * (taken * (1.0 - 1.0 / odds) - size * np.log(odds))
    return np.where(size > 0, value, 0.0).sum(axis=1)


def worthiest(path: Path, problem: Problem, prices: Prices) -> int:
    """How many columns of a path are worth most, less their price."""
    return int(np.argmax(worth_along(path, problem) - prices.along(path.columns)))


def path_start(problem: Problem, prices: Prices, length: PathLength = LENGTH) -> Posterior:
    """The posterior of the part of a path that is worth most, less the price of its columns."""
    varies = not problem.likelihood.constant_curvature
    first = problem.changed(likelihood=Frozen(problem.likelihood)) if varies else problem
    path = find_path(first, prices, length)
    size = worthiest(path, first, prices)
    if not size:
        return nothing_of(problem)
    active = prices.whole(path.columns[:size])
    if len(active) > CROWDED * len(problem.data.target):
        return find_posterior(problem, active, even_precisions(first, active, path.left[0]))
    return find_posterior(problem, active, suitable_precisions(first, active, path.left[size]))


def anew(problem: Problem, prices: Prices) -> Posterior:
    """Where a search begins that does not come from above.

    With no column; or, where plain columns are many and have a price, or are in groups, with a part
    of a path.
    """
    plain = prices.plain and prices.any and problem.layout.n_classes == 1
    if plain or problem.labels is not None:
        return path_start(problem, prices)
    return nothing_of(problem)


def even_precisions(problem: Problem, active: np.ndarray, energy: np.ndarray) -> Precisions:
    """Precisions at which half of the targets is noise, and each group has its share of the rest.

    From the nothing that least squares leaves to the noise, a search does not come back.

    Parameters
    ----------
    energy : of the targets (n_outputs,)
    """
    gram = statistics.gram(problem, active, problem.no_weights(len(active)))
    ceiling = float(np.min(problem.noise_precision_ceiling))
    half, n_rows = 0.5 * float(np.mean(energy)), problem.total_weight
    noise = problem.noise.settle(ceiling if half * ceiling <= n_rows else n_rows / half)
    own = n_precisions(problem, active) * problem.over_groups(active, gram.diagonal())
    return Precisions(noise * own / n_rows, noise)


def suitable_precisions(problem: Problem, active: np.ndarray, left: np.ndarray) -> Precisions:
    """Precisions that suit the weights of these columns by least squares.

    Parameters
    ----------
    left : of the energy of the targets (n_outputs,)
    """
    gram = statistics.gram(problem, active, problem.no_weights(len(active)))
    free, energy = max(problem.total_weight - len(active), 1.0), float(np.mean(left))
    ceiling = float(np.min(problem.noise_precision_ceiling))
    proposal = ceiling if energy * ceiling <= free else free / energy
    noise = problem.noise.settle(proposal)
    size = problem.over_groups(active, np.ones(len(active)))
    own = problem.over_groups(active, gram.diagonal()) / size
    weak = Precisions(VERY_WEAK * noise * own, noise)
    posterior = find_posterior(problem, active, weak, gram=gram)
    power = posterior.power / posterior.n_outputs + posterior.variance
    return Precisions(size / problem.over_groups(active, power), noise)
