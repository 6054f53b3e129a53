"""MLflow keeps our models, by its default format: `make test-compat`, which installs it."""

import numpy as np
import pytest
from carried import KINDS, fitted
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, Matern

from sparsebayes import RVR, EvidenceSearch, Linear, ProcessKernel, SparseBayesRegressor
from sparsebayes.export import skops_types

mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed: make test-compat")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def store(tmp_path):
    """A store of runs that is gone after the test."""
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'runs.db'}")
    mlflow.create_experiment("all", artifact_location=str(tmp_path / "artifacts"))
    mlflow.set_experiment("all")


def kept(model):
    """The model as MLflow gives it back from a run."""
    with mlflow.start_run():
        found = mlflow.sklearn.log_model(model, name="m", skops_trusted_types=skops_types())
    return mlflow.sklearn.load_model(found.model_uri)


@pytest.mark.parametrize(
    "name", ["default", "linear and kernel", "varying noise", "two classes", "softmax, fast"]
)
def test_a_run_keeps_a_model(name):
    again, new = kept(fitted(name)), KINDS[name].new
    np.testing.assert_array_equal(again.predict(new), fitted(name).predict(new))


OTHERS = {
    "a kernel object": RVR(kernel=ConstantKernel() * RBF() + DotProduct()),
    "a kernel object in a basis": SparseBayesRegressor(ProcessKernel(RBF() + Matern()) + Linear()),
    "a search": EvidenceSearch(RVR(), {"gamma": [0.1, 1.0]}),
    "a search among kernel objects": EvidenceSearch(RVR(), {"kernel": [RBF(), Matern(nu=1.5)]}),
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_run_keeps_kernel_objects_and_searches(what):
    kind = KINDS["default"]
    model = clone(OTHERS[what]).fit(kind.inputs, kind.y)
    np.testing.assert_array_equal(kept(model).predict(kind.new), model.predict(kind.new))


def test_a_run_keeps_a_pipeline():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kind = KINDS["default"]
    model = make_pipeline(StandardScaler(), kind.estimator).fit(kind.inputs, kind.y)
    np.testing.assert_array_equal(kept(model).predict(kind.new), model.predict(kind.new))
