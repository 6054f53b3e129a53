"""Few columns, or a process of all of them: the more likely one."""

from dataclasses import dataclass, field, replace

import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import Bias, Linear, Outcome, Projection
from sparsebayes.estimators._fit import DenseForm
from sparsebayes.inference import Fast
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.prices import OF_PRECISION, of_set
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians
from sparsebayes.problem import Problem
from sparsebayes.procedures import Each, OrDense, procedure_at_scales, procedure_with_scales
from sparsebayes.procedures.or_dense import SLACK, STRONG
from sparsebayes.rows import Data

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

LIMITS = Limits()
SPARSE, DENSE = procedure_with_scales(Fast(), LIMITS), procedure_at_scales(Projection(), LIMITS)
N, M = 40, 80


@dataclass
class Slow:
    """A form that has no shortcut."""

    form: DenseForm

    def bind(self):
        return self.form.bind()

    def kernel(self, inputs):
        return None


@dataclass
class Given:
    """A procedure whose fits are known, and how often it was asked."""

    fits: list
    asked: list = field(default_factory=list)

    def fit(self, problem, report):
        self.asked.append(problem)
        return self.fits


def problem(design, target, likelihood=None, weight=None):
    weight = np.ones(len(design)) if weight is None else weight
    columns = Linear().bind(design, weight)
    return Problem(Data(design, target, weight), columns, likelihood or Gaussian())


def form_of(given, basis=None, centred=True):
    basis = Linear() if basis is None else basis
    return DenseForm(basis.dense_form(centred), given.data.inputs, given.data.weight)


def fit(given, form=None, report=None):
    form = form_of(given) if form is None else form
    return OrDense(SPARSE, DENSE, form).fit(given, report or Report())


def spread_out(seed, n_outputs=None, noise=0.1):
    """All columns matter a little, and they go together as those of spectra."""
    random = np.random.default_rng(1 + seed)
    loads = random.normal(size=(6, M))
    scores = random.normal(size=(N, 6))
    design = scores @ loads + 0.1 * random.normal(size=(N, M))
    shape = (6,) if n_outputs is None else (6, n_outputs)
    target = scores @ random.normal(size=shape)
    return design, target + noise * random.normal(size=target.shape)


def few(seed, n_relevant=3):
    return problems.regression(seed, N, M, n_relevant)


def sound(found):
    return not {each.outcome for each in found} & {Outcome.NOISE_VANISHED, Outcome.OUT_OF_RANGE}


def likelier(found):
    return sum(each.log_evidence - each.price for each in found)


# Both ways.


def test_few_columns_win_where_few_matter():
    for seed in range(4):
        (found,) = fit(problem(*few(seed)))
        assert not found.in_dense_form
        assert_array_equal(np.sort(found.active), np.arange(3))


def test_a_process_wins_where_all_matter():
    for seed in range(4):
        (found,) = fit(problem(*spread_out(seed)))
        assert found.in_dense_form
        assert found.outcome is Outcome.CONVERGED
        assert 0.03 < found.noise_std[0] < 0.2


@pytest.mark.parametrize("data", [few, spread_out])
@pytest.mark.parametrize("way", ["one", "outputs", "classes", "weights"])
def test_it_takes_the_process_if_the_evidence_for_it_is_very_strong(data, way):
    for seed in range(2):
        design, target = data(seed)
        likelihood, weight = Gaussian(), None
        if way == "outputs":
            likelihood = Gaussians(2)
            target = np.column_stack([target, 1e3 * (target + 0.1 * np.sin(np.arange(N)))])
        elif way == "classes":
            target, likelihood = (target > 0.0).astype(float), Bernoulli()
        elif way == "weights":
            weight = 0.5 + np.arange(N) % 3
        given = problem(design, target, likelihood, weight)
        form = form_of(given)
        sparse = SPARSE.fit(given, Report())
        dense = DENSE.fit(replace(given, columns=form.bind()), Report())
        dense = [replace(each, price=OF_PRECISION) for each in dense]
        found = fit(given, form)
        strong = likelier(dense) > likelier(sparse) + STRONG
        better = (sound(dense), strong) > (sound(sparse), False)
        assert found[0].in_dense_form == better
        assert_allclose(likelier(found), likelier(dense if better else sparse), rtol=1e-9)


def test_the_price_of_columns_counts_against_them():
    (found,) = SPARSE.fit(problem(*few(0)), Report())
    assert_allclose(found.price, of_set(M, np.array(3)))
    assert_allclose(found.price, np.log(M * (M - 1) * (M - 2) / 6.0) + 1.0)
    (dense,) = fit(problem(*spread_out(0)))
    assert dense.price == OF_PRECISION


def test_it_says_what_both_are_worth():
    watch = fits.Watch()
    (found,) = fit(problem(*spread_out(0)), report=watch)
    (note,) = [note for note in watch.notes if note.startswith("sparse: ")]
    assert note.endswith(f"dense: {found.log_evidence - OF_PRECISION:.6g}")


# By fits that are known.


def known(log_evidence, outcome=Outcome.CONVERGED, price=0.0):
    (some,) = SPARSE.fit(problem(*few(0)), Report())
    return replace(some, log_evidence=log_evidence, outcome=outcome, price=price)


def of_known(sparse, dense, weight=1.0):
    given = problem(*few(0), weight=np.full(N, weight))
    return OrDense(Given(sparse), Given(dense), Slow(form_of(given))).fit(given, Report())


@pytest.mark.parametrize("outcome", [Outcome.NOISE_VANISHED, Outcome.OUT_OF_RANGE])
def test_a_fit_that_is_no_evidence_of_anything_never_wins_over_a_sound_one(outcome):
    sound, unsound = known(-100.0), known(1e4, outcome)
    assert not of_known([sound], [unsound], weight=2.0)[0].in_dense_form
    assert of_known([unsound], [sound])[0].in_dense_form
    assert of_known([sound, unsound], [sound, sound])[0].in_dense_form
    assert not of_known([sound, sound], [sound, unsound], weight=2.0)[0].in_dense_form


def test_a_process_may_pass_through_rows_that_count_once():
    vanished = known(10.0, Outcome.NOISE_VANISHED)
    assert of_known([known(0.0)], [vanished])[0].in_dense_form
    assert not of_known([known(0.0)], [vanished], weight=2.0)[0].in_dense_form
    assert not of_known([known(20.0)], [vanished])[0].in_dense_form


@pytest.mark.parametrize("outcome", [Outcome.NOISE_VANISHED, Outcome.OUT_OF_RANGE])
def test_of_two_that_are_not_sound_the_process_needs_very_strong_evidence_too(outcome):
    worse, better = known(1.0, outcome), known(1.1 + STRONG + OF_PRECISION, outcome)
    nearly = known(0.9 + STRONG + OF_PRECISION, outcome)
    assert not of_known([better], [worse], weight=2.0)[0].in_dense_form
    assert not of_known([worse], [nearly], weight=2.0)[0].in_dense_form
    assert of_known([worse], [better], weight=2.0)[0].in_dense_form


def test_a_fit_that_found_nothing_relevant_is_sound():
    nothing = known(-10.0, Outcome.NOTHING_RELEVANT)
    assert not of_known([nothing], [known(-20.0)])[0].in_dense_form
    assert of_known([nothing], [known(-3.0)])[0].in_dense_form


def test_without_very_strong_evidence_there_are_few_columns():
    for more, in_dense_form in ((0.0, False), (STRONG, False), (STRONG + 0.1, True)):
        dense = known(3.0 + more + OF_PRECISION)
        assert of_known([known(3.0)], [dense])[0].in_dense_form == in_dense_form


def test_several_fits_count_together():
    sparse = [known(3.0), known(0.0)]
    for more, in_dense_form in ((4.5, False), (5.5, True)):
        assert (
            of_known(sparse, [known(0.0), known(more + STRONG)])[1].in_dense_form == in_dense_form
        )


# The shortcut.


def mixtures():
    """From few columns to all of them."""
    for seed in range(8):
        random = np.random.default_rng(seed)
        design, target = spread_out(seed, noise=0.0)
        own = random.normal(size=design.shape)
        part = (0.0, 0.3, 0.7, 1.0)[seed % 4]
        design = (1.0 - part) * own + part * design
        sparse = design[:, :3] @ random.normal(size=3)
        yield design, (1.0 - part) * sparse + part * target + 0.3 * random.normal(size=N)


def test_the_shortcut_never_changes_the_winner():
    taken = []
    for design, target in mixtures():
        given = problem(design, target)
        (found,), (whole,) = fit(given), fit(given, Slow(form_of(given)))
        assert found.in_dense_form == whole.in_dense_form
        assert found.log_evidence == whole.log_evidence
        taken.append(found.in_dense_form)
    assert 2 <= sum(taken) <= 6


def test_the_shortcut_is_no_less_than_the_evidence_of_the_dense_fit():
    """Up to the slack that it has."""
    for design, target in mixtures():
        given = problem(design, target)
        form = form_of(given)
        (dense,) = DENSE.fit(replace(given, columns=form.bind()), Report())
        most = OrDense(SPARSE, DENSE, form)._most(given)
        assert dense.log_evidence <= most
        assert most < dense.log_evidence + SLACK + 2.0


def test_with_several_outputs_it_is_no_less_either():
    given = problem(*spread_out(0, n_outputs=3), Gaussians(3))
    form = form_of(given)
    dense = DENSE.fit(replace(given, columns=form.bind()), Report())
    assert likelier(dense) <= OrDense(SPARSE, DENSE, form)._most(given)


def test_where_it_settles_the_matter_no_dense_model_is_fitted():
    given = problem(*few(0))
    for form, times in ((form_of(given), 0), (Slow(form_of(given)), 1)):
        asked = Given(DENSE.fit(replace(given, columns=form.bind()), Report()))
        (found,) = OrDense(SPARSE, asked, form).fit(given, Report())
        assert not found.in_dense_form
        assert len(asked.asked) == times


CASES = {
    "known noise": lambda design, target: problem(design, target, Gaussian(0.3)),
    "labels": lambda design, target: problem(design, 1.0 * (target > 0.0), Bernoulli()),
    "weights that differ": lambda design, target: problem(
        design, target, weight=np.linspace(0.5, 2.0, N)
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_where_eigenvalues_do_not_tell_it_is_not_asked(case):
    given = CASES[case](*few(0))
    assert OrDense(SPARSE, DENSE, form_of(given))._most(given) == np.inf


def test_nor_where_there_is_a_bias_beside_the_process():
    given = problem(*few(0))
    form = form_of(given, Linear() + Bias(), centred=False)
    assert form.kernel(given.data.inputs) is None
    assert OrDense(SPARSE, DENSE, form)._most(given) == np.inf


@pytest.mark.parametrize("weight", [2.0, 0.5])
def test_equal_weights_of_another_size_do_not_mislead_it(weight):
    """A weight of two is the row twice: the evidence is another one."""
    for design, target in list(mixtures())[:4]:
        given = problem(design, target, weight=np.full(N, weight))
        (found,), (whole,) = fit(given), fit(given, Slow(form_of(given)))
        assert found.in_dense_form == whole.in_dense_form
        form = form_of(given)
        (dense,) = DENSE.fit(replace(given, columns=form.bind()), Report())
        assert dense.log_evidence <= OrDense(SPARSE, DENSE, form)._most(given)


# Each target for itself.


@pytest.mark.parametrize(("data", "in_dense_form"), [(few, False), (spread_out, True)])
def test_targets_that_are_fitted_one_by_one_are_compared_together(data, in_dense_form):
    """All of them are in the form that is more likely for all."""
    design, target = data(0)
    given = problem(design, np.column_stack([target, -3.0 * target]))
    one_by_one = (Each(procedure_at_scales(each, LIMITS)) for each in (Fast(), Projection()))
    found = OrDense(*one_by_one, form_of(given)).fit(given, Report())
    assert [each.in_dense_form for each in found] == [in_dense_form] * 2
