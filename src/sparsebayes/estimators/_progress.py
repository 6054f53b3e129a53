"""Progress of a fit: scikit-learn's callbacks where it has them, `verbose` always."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np

from sparsebayes.inference.state import Report, Step

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's: no callback can be set."""

        def _init_callback_context(self, max_subtasks: int | None = 0) -> None:
            return None

    def with_callbacks(method: Callable) -> Callable:
        """Stands in for scikit-learn's decorator, with as many frames for warnings to skip."""

        @wraps(method)
        def called(*args: Any, **kwargs: Any) -> Any:
            return method(*args, **kwargs)

        return called


__all__ = ["CallbackSupportMixin", "FitReport", "with_callbacks"]


class FitReport(Report):
    """Tells callbacks and, if asked to, prints. In another process it is silent.

    Callbacks are set up by `begin`, once for a fit, however many classes or outputs that has.
    The tasks that they see are evaluations of the dense model ("learning scales") and iterations.

    Parameters
    ----------
    estimator : that is being fitted
    X, y : training data, as callbacks may ask for them
    every : of how many iterations one is printed with verbose=1
    """

    def __init__(self, estimator: Any, X: Any, y: np.ndarray, every: int = 50) -> None:
        self._estimator, self._X, self._y, self._every = estimator, X, y, every
        self._name, self._verbose = type(estimator).__name__, estimator.verbose
        self._n_iterations = self._n_evaluations = self._n_passes = 0
        self._last_tenth = ("", 0)
        self._context: Any = None

    def __reduce__(self) -> tuple:
        return Report, ()

    def begin(self) -> None:
        """The fit begins: nothing that was asked for is refused any more."""
        self._context = self._estimator._init_callback_context(max_subtasks=None)
        if self._context is not None:
            self._context.call_on_fit_task_begin(estimator=self._estimator, X=self._X, y=self._y)

    def end(self) -> None:
        """The fit is done."""
        if self._context is not None:
            self._context.call_on_fit_task_end(estimator=self._estimator, X=self._X, y=self._y)

    def iteration(self, step: Step) -> bool:
        """Tell of an iteration; True if a callback asks to stop."""
        self._n_iterations += 1
        if self._is_shown(self._n_iterations):
            self.note(
                f"iteration {self._n_iterations}: log evidence {step.log_evidence:.6g}, "
                f"{step.n_active} columns, gradient {step.gradient:.2g}"
            )
        return self._tell("iteration", step._asdict())

    def learning(self, value: float) -> bool:
        """Tell of an evaluation of the dense model; True if a callback asks to stop."""
        self._n_evaluations += 1
        if self._verbose > 1:
            self.note(f"learning scales, evaluation {self._n_evaluations}: {value:.6g}")
        return self._tell("learning scales", {"log_evidence": value})

    def passing(self, name: str) -> Callable[[int, int], None]:
        """Who hears of the rows of a pass: callbacks of each block, `verbose` of the end.

        verbose=2 prints each tenth of the rows.
        """
        self._n_passes += 1
        return partial(self._passed, f"pass {self._n_passes}, {name}")

    def _passed(self, name: str, done: int, of: int) -> None:
        tenth = 10 * done // of
        new = (name, tenth) != self._last_tenth
        if done == of or (new and self._verbose > 1):
            self.note(f"{name}: {done} of {of} rows")
        self._last_tenth = (name, tenth)
        self._tell(name, {"n_rows": done, "of_rows": of})

    def note(self, text: str) -> None:
        """Print something, if anything is to be printed."""
        if self._verbose:
            print(f"{self._name} {text}")

    def _is_shown(self, count: int) -> bool:
        return self._verbose > 1 or bool(self._verbose and count % self._every == 1)

    def _tell(self, task_name: str, metadata: dict) -> bool:
        if self._context is None:
            return False
        task = self._context.subcontext(task_name=task_name)
        task.call_on_fit_task_begin(estimator=self._estimator, X=self._X, y=self._y)
        return bool(
            task.call_on_fit_task_end(
                estimator=self._estimator, X=self._X, y=self._y, metadata=metadata
            )
        )
