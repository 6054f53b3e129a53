"""Progress of a fit: scikit-learn's callbacks where it has them, `verbose` always."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from sparsebayes.inference import Step

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for scikit-learn's: no callback can be set."""

        def _init_callback_context(self, max_subtasks=0):
            return None

    def with_callbacks(method):
        """Stands in for scikit-learn's decorator, with as many frames for warnings to skip."""

        @wraps(method)
        def called(*args, **kwargs):
            return method(*args, **kwargs)

        return called


EVERY = 50


def reporter(estimator, context, X, y) -> Callable[[Step], bool]:
    """A function to be called with each step; it answers whether a callback asks to stop."""
    count = 0

    def report(step: Step) -> bool:
        nonlocal count
        count += 1
        if estimator.verbose > 1 or (estimator.verbose and count % EVERY == 1):
            print(
                f"{type(estimator).__name__} iteration {count}: "
                f"log evidence {step.log_evidence:.6g}, "
                f"{step.n_active} columns, gradient {step.gradient:.2g}"
            )
        return context is not None and _call(estimator, context, X, y, step)

    return report


def _call(estimator, context, X, y, step: Step) -> bool:
    task = context.subcontext(task_name="iteration")
    task.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
    return task.call_on_fit_task_end(estimator=estimator, X=X, y=y, metadata=step._asdict())
