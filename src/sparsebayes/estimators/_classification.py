"""What the classifiers share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from sparsebayes.assembly import assemble, assemble_each, integrated_softmax
from sparsebayes.basis import Basis
from sparsebayes.estimators._advice import Counted, facts_of
from sparsebayes.estimators._checks import (
    check_limits,
    check_weight_size,
    check_word,
    class_factor,
    training_data,
    training_weight,
    with_class_weight,
)
from sparsebayes.estimators._classes import (
    check_labels,
    classes_of,
    has_more_than_two,
    several_classes,
)
from sparsebayes.estimators._conditional import Missing
from sparsebayes.estimators._counting import tell_factor, tell_factor_of_look, weighed_classes
from sparsebayes.estimators._fitted import fitted, inclusion_of
from sparsebayes.estimators._fitting import (
    DenseForm,
    basis_used,
    dense_form,
    fit_each,
    fit_problem,
)
from sparsebayes.estimators._lazy import lazy_classes, lazy_values
from sparsebayes.estimators._likelihoods import CATEGORICAL, OF_CLASSIFIERS, check_likelihood
from sparsebayes.estimators._many_rows import (
    ManyRows,
    class_weights,
    is_lazy,
    loaded_if_few,
    many_rows,
)
from sparsebayes.estimators._model import SparseBayesModel, of_one_model
from sparsebayes.estimators._ordered import Order, fit_ordered, order_of
from sparsebayes.estimators._progress import FitReport, with_callbacks
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Bernoulli, Likelihood, Multinomial, Softmax, one_hot
from sparsebayes.model.given import refuse_masked
from sparsebayes.model.numpy_errors import without_numpy_errors
from sparsebayes.model.responses import CalibratedSoftmax, OneVsRest, TwoClasses
from sparsebayes.problem import Problem
from sparsebayes.rows import Blocks, Data, Reader, are_counts, merged

# What several classes make: a fit each, or one likelihood of all.
AUTO = "auto"
ONE_AGAINST_REST = "ovr"
JOINT: dict[str, type[Softmax] | type[Multinomial]] = {
    "softmax": Softmax,
    "shared_softmax": Multinomial,
}


class Classification(ClassifierMixin, SparseBayesModel):
    """A model of a target of two or more classes."""

    partial_fit = Missing(
        "classifiers have no partial_fit, as the sums that it adds to are those of a regression: "
        "give all rows at once to fit, which takes arrays, memory maps and Dask collections of any "
        "number of rows."
    )

    @with_callbacks
    @without_numpy_errors
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to training rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples). With
            ``inference="projection"`` more than 10 000 rows are read in blocks.
        y : array-like of shape (n_samples,)
            Labels of two or more classes, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts. A row of weight 2 counts as the row twice, one of weight 0 is
            left out. Only the ratios of weights matter: they are scaled to the number of rows of
            equal weight that say as much. Integers count rows as they are where rows that are equal
            in X and y were observed: where equal rows of X come with several classes, or are
            expected by chance, as in a table of few levels.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        refuse_masked(X=X, y=y, sample_weight=sample_weight)
        check_labels(type(self).__name__, y)
        basis = self._checked_basis()
        ordinal = check_likelihood(self.likelihood, CATEGORICAL, OF_CLASSIFIERS)
        order = None if ordinal is None else order_of(ordinal, y)
        X, y, sample_weight = loaded_if_few(X, y, sample_weight)
        obstacle = None
        if self.multi_class == ONE_AGAINST_REST and has_more_than_two(y):
            obstacle = 'multi_class="ovr" has a model for each class; "auto" has one'
        if ordinal is not None:
            obstacle = 'likelihood="ordinal" needs all rows in memory'
        many = many_rows(self, X, y, sample_weight, basis, obstacle, several=False)
        if many is None:
            counted = self._fit_few(X, y, sample_weight, basis, order)
        else:
            counted = self._fit_many(many, basis)
        self._announce(facts_of(self, counted))
        return self

    def _checked_basis(self) -> Basis:
        """The basis, all parameters checked."""
        check_limits(self)
        _ = self._asked_inference
        check_word(self, "multi_class", (AUTO, ONE_AGAINST_REST, *JOINT))
        check_likelihood(self.likelihood, CATEGORICAL, OF_CLASSIFIERS)
        return self._make_basis()

    def _fit_few(
        self, X: Any, y: Any, sample_weight: Any, basis: Basis, order: Order | None
    ) -> Counted:
        """Rows in memory."""
        X, y, found = training_data(self, X, y, basis.accepts_sparse)
        own = training_weight(sample_weight, X)
        weight = with_class_weight(own, class_factor(self.class_weight, y))
        classes = classes_of(type(self).__name__, y, weight)
        self._check_inputs(X.shape[1])
        basis = self._complete(basis, X)
        columns = basis.bind(X, np.where(weight > 0, own, 0.0))
        inference = self._asked_inference
        columns = inference.chosen_columns(columns, basis.centres_target)
        counted = Data(X, y, weight).counted()
        codes = np.searchsorted(classes, counted.target).astype(np.float64)
        own = own[weight > 0.0]
        data, learning = weighed_classes(Data(counted.inputs, codes, own), counted.weight)
        if not are_counts(own):
            tell_factor(counted.weight, float(data.weight.sum()), numeric=False)
        report = FitReport(self, data.inputs, data.target)
        if order is not None:
            place = order.places(type(self).__name__, classes)
            fits, response = fit_ordered(self, data, columns, place, report)
            self._record_classes(found, classes, basis, fits, response)
            report.end()
            return Counted(columns, len(data.weight), float(data.weight.sum()))
        problem = self._problem(data, columns, Bernoulli())
        dense = dense_form(self, basis, problem, X, weight, centred=False)
        n_classes = len(classes)
        fits, response = self._fit_classes(data, columns, n_classes, report, learning, dense=dense)
        self._record_classes(found, classes, basis_used(fits, basis, dense), fits, response)
        report.end()
        return Counted(columns, len(data.weight), float(data.weight.sum()))

    def _fit_many(self, many: ManyRows, basis: Basis) -> Counted:
        """Rows in blocks: a look at them, a sample to learn scales from, and passes over all."""
        basis = self._complete(basis, None)
        if many.n_target_axes != 1:
            raise ValueError(
                f"y of {type(self).__name__} must have one axis, got {many.n_target_axes}."
            )
        look = many.look(numeric=False)
        data, numbers = look.sample
        used = look.labels[look.label_rows[1] > 0]
        check_classification_targets(data.target)
        classes = several_classes(type(self).__name__, used)
        weights = class_weights(self.class_weight, classes, look)
        own = data.weight
        codes = np.searchsorted(classes, data.target)
        data = data._replace(target=codes.astype(np.float64))
        if weights is not None:
            data = data._replace(weight=own * weights[codes])
            check_weight_size("class_weight", float(data.weight.max()))
        counts, look = look.counts, look.reweighted(data).as_observed(data, density=False)
        if not counts:
            tell_factor_of_look(look, numeric=False)
        reader = Reader(
            many.blocks.n_features, classes=classes, class_weight=weights, factor=look.factor
        )
        self._check_inputs(many.blocks.n_features)
        columns = basis.bind_sample(data.inputs, own, numbers, look.n_rows)
        columns = self._asked_inference.chosen_columns(columns, basis.centres_target)
        learning = weighed_classes(data._replace(weight=own), data.weight).learning
        data = merged(data._replace(weight=data.weight * look.factor))
        report = FitReport(self, *many.given)
        blocks = many.blocks.read_by(reader)
        fits, response = self._fit_classes(data, columns, len(classes), report, learning, blocks)
        self._record_classes(many.found, classes, basis, fits, response)
        report.end()
        return Counted(columns, many.blocks.n_rows, look.observed)

    def _record_classes(
        self,
        found: dict[str, Any],
        classes: np.ndarray,
        basis: Basis,
        fits: list[Fit],
        response: Any,
    ) -> None:
        assembly = assemble(fits[0]) if len(fits) == 1 else assemble_each(fits)
        inference = self._asked_inference
        inclusion = inclusion_of(fits, inference)
        done = fitted(fits, assembly, basis, response, len(classes) == 2, inclusion)
        if check_likelihood(self.likelihood, CATEGORICAL, OF_CLASSIFIERS) is not None:
            done = replace(done, likelihood=fits[0].problem.likelihood)
        self._record({**found, "classes_": classes}, done)

    def _fit_classes(
        self,
        data: Data,
        columns: Any,
        n_classes: int,
        report: FitReport,
        learning: np.ndarray | None,
        blocks: Blocks | None = None,
        dense: DenseForm | None = None,
    ) -> tuple[list[Fit], Any]:
        """Fits and response: of two classes, of several jointly, or of each against the rest.

        Parameters
        ----------
        learning : weight of the rows while scales are learned, where it is another (n,)
        blocks : all rows, where they are many; the data are then a sample of them
        dense : form of the columns that may be more likely than few of them
        """
        own = data.weight if learning is None else learning
        if n_classes == 2:
            problem = self._problem(data, columns, Bernoulli())
            return fit_problem(self, problem, report, blocks, own, dense), TwoClasses()
        inference = self._asked_inference
        way = self.multi_class
        if way == AUTO:
            way = ONE_AGAINST_REST if inference.fidelity is None else "shared_softmax"
        if way == ONE_AGAINST_REST:
            each = data._replace(target=one_hot(data.target, n_classes).T)
            problem = self._problem(each, columns, Bernoulli())
            return fit_each(self, problem, report, self.n_jobs, own, dense), OneVsRest()
        joint = self._problem(data, columns, JOINT[way](n_classes))
        fits = fit_problem(self, joint, report, blocks, own)
        if inference.fidelity is None:
            return fits, integrated_softmax(assemble(fits[0]).plain)
        return fits, CalibratedSoftmax(float(fits[0].usual_variance))

    def _problem(self, data: Data, columns: Any, likelihood: Likelihood) -> Problem:
        return Problem(data, columns, likelihood, cache_size=self.cache_size)

    @of_one_model
    def latent_mean_and_variance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent value f(x), whose sigmoid is the probability.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        mean : array of shape (n_samples,) or (n_samples, n_classes)
            The mean; for three or more classes, one for each class.
        variance : array of shape (n_samples,) or (n_samples, n_classes)
            The variance.
        """
        mean, variance = self._model.predictor.latent_moments(self._new_inputs(X))
        if mean.shape[1] == 1:
            return mean[:, 0], variance[:, 0]
        return mean, variance

    def _squeeze(self, values: np.ndarray) -> np.ndarray:
        """Without the last axis, where there are two classes."""
        return values[:, 0] if self._model.squeezed else values

    @of_one_model
    def decision_function(self, X: Any) -> np.ndarray:
        """Log odds of ``classes_[1]``, averaged over what is uncertain.

        They order rows as `predict_proba` does. The latent value itself is in
        `latent_mean_and_variance`. For three or more classes they are log probabilities of the
        classes, or with ``multi_class="ovr"`` log odds of each class against the rest.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        scores : array of shape (n_samples,) or (n_samples, n_classes)
            The log odds, or the scores of three or more classes.
        """
        if is_lazy(X):
            if self._model.squeezed:
                return lazy_values(self, X, "decision_function", np.float64)
            return lazy_classes(self, X, "decision_function")
        return self._squeeze(self._model.predictor.scores(self._new_inputs(X)))

    @of_one_model
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, averaged over what is uncertain.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        probability : array of shape (n_samples, n_classes)
            The probabilities, with columns in the order of `classes_`.
        """
        if is_lazy(X):
            return lazy_classes(self, X, "predict_proba")
        return np.exp(self.predict_log_proba(X))

    @of_one_model
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        log_probability : array of shape (n_samples, n_classes)
            The log probabilities, with columns in the order of `classes_`.
        """
        if is_lazy(X):
            return lazy_classes(self, X, "predict_log_proba")
        return self._model.predictor.log_probability(self._new_inputs(X))

    @of_one_model
    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        label : array of shape (n_samples,)
            The label of the class.
        """
        if is_lazy(X):
            return lazy_values(self, X, "predict", self.classes_.dtype)
        codes = self._model.predictor.most_probable(self._new_inputs(X))
        return self.classes_[codes]
