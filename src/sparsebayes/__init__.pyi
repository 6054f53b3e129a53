from sparsebayes.basis import Basis as Basis
from sparsebayes.basis import Bias as Bias
from sparsebayes.basis import CallableKernel as CallableKernel
from sparsebayes.basis import CauchyKernel as CauchyKernel
from sparsebayes.basis import GaussianKernel as GaussianKernel
from sparsebayes.basis import GivenColumns as GivenColumns
from sparsebayes.basis import LaplacianKernel as LaplacianKernel
from sparsebayes.basis import Linear as Linear
from sparsebayes.basis import LinearKernel as LinearKernel
from sparsebayes.basis import LinearSplineKernel as LinearSplineKernel
from sparsebayes.basis import Polynomial as Polynomial
from sparsebayes.basis import PolynomialKernel as PolynomialKernel
from sparsebayes.basis import PrecomputedKernel as PrecomputedKernel
from sparsebayes.basis import SigmoidKernel as SigmoidKernel
from sparsebayes.estimators import RVC as RVC
from sparsebayes.estimators import RVR as RVR
from sparsebayes.estimators import EvidenceSearch as EvidenceSearch
from sparsebayes.estimators import SparseBayesClassifier as SparseBayesClassifier
from sparsebayes.estimators import SparseBayesRegressor as SparseBayesRegressor
from sparsebayes.hyperpriors import Gamma as Gamma
from sparsebayes.hyperpriors import student_t as student_t
from sparsebayes.inference import EM as EM
from sparsebayes.inference import Fast as Fast
from sparsebayes.inference import Mackay as Mackay
from sparsebayes.inference import Outcome as Outcome
from sparsebayes.inference import Projection as Projection
from sparsebayes.inference import Variational as Variational
from sparsebayes.likelihoods import Heteroscedastic as Heteroscedastic
from sparsebayes.likelihoods import NegativeBinomial as NegativeBinomial
from sparsebayes.likelihoods import Ordinal as Ordinal
from sparsebayes.likelihoods import Poisson as Poisson
from sparsebayes.likelihoods import StudentT as StudentT
from sparsebayes.portable import ModelFileError as ModelFileError
from sparsebayes.portable import NotPortableError as NotPortableError
from sparsebayes.portable import load as load

__version__: str
__all__: list[str]
