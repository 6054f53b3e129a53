"""Files of models: one file, no pickle, nothing executed when it is read.

The bytes are those of `container`. The text "model" is the JSON of `coding`, of a plain model. The
text "estimator", which `to_estimator` reads, has the JSON of the estimator and the numbers of its
arrays. A format that changes gets a new number. Files of all earlier numbers can be read for ever:
`tests/golden/files` holds some.
"""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

from sparsebayes.model.coding import Reader, Writer
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.container import Contents, allowance, pack, read, read_file
from sparsebayes.model.errors import ModelFileError
from sparsebayes.model.face import Face, TableColumn, TableInputs
from sparsebayes.model.kinds import PortableClassifier, PortableRegressor
from sparsebayes.model.latent import Plain
from sparsebayes.model.models import PortableModel
from sparsebayes.model.responses import RESPONSES, Quadrature
from sparsebayes.model.spread import Spread
from sparsebayes.model.writing import write_whole

FORMAT, VERSION = "sparsebayes", 1
# The names are part of files, so they stay.
RECORDS = {
    each.__name__: each
    for each in (
        *(PlainColumns, Spread, Plain, Face, TableColumn, TableInputs),
        *(*RESPONSES, Quadrature),
        *(PortableRegressor, PortableClassifier),
    )
}
# What goes wrong when JSON of a sound file is not that of a model.
NOT_A_MODEL = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError),
    *(RecursionError, TypeError, ValueError),
)


def to_bytes(model: PortableModel) -> bytes:
    """The bytes of a file."""
    writer = Writer(RECORDS)
    parts = {name: value for name, value in vars(model).items() if name != "source"}
    fields = {name: writer.tree(value, name) for name, value in parts.items()}
    texts = {
        "format": FORMAT,
        "version": str(VERSION),
        "model": json.dumps({"record": type(model).__name__, "fields": fields}),
    }
    if model.source is not None:
        tree, arrays = model.source
        numbers = [writer.number_of(array) for array in arrays]
        texts["estimator"] = json.dumps({"tree": tree, "arrays": numbers})
    return pack(texts, writer.arrays)


def from_bytes(data: bytes) -> PortableModel:
    """The model of a file; a `ModelFileError` where it is none."""
    return _model(read(io.BytesIO(data), len(data)))


def _model(contents: Contents) -> PortableModel:
    """The model that a file holds; it asks for no more than the length of the file allows."""
    texts, arrays, length = contents
    if texts.get("format") != FORMAT:
        raise ModelFileError("it holds something else")
    _check_version(texts.get("version", ""))
    try:
        model = Reader(RECORDS, arrays).value(json.loads(texts["model"]))
        if not isinstance(model, PortableModel):
            raise TypeError("no model")
        if max(model.predictor.numbers_per_row, model.n_features_in_) > allowance(length):
            raise ValueError("a prediction would take more memory than the file allows")
        if "estimator" in texts:
            told = json.loads(texts["estimator"])
            source = told["tree"], [arrays[number] for number in told["arrays"]]
            object.__setattr__(model, "source", source)
    except NOT_A_MODEL as error:
        raise ModelFileError(f"it does not hold a model: {error}") from error
    return model


def _check_version(version: str) -> None:
    """An error unless this version of the package reads files of that version."""
    if version == str(VERSION):
        return
    number = version.isascii() and version.isdecimal() and version.strip("0")
    newer = number and (len(number), number) > (len(str(VERSION)), str(VERSION))
    raise ModelFileError(
        f"it has version {version[:20]!r} of the format, and this version of sparsebayes reads 1 "
        f"to {VERSION}{'; please install a newer one' if newer else ''}"
    )


def save(model: PortableModel, path: Any) -> None:
    """Write a model to a path or an open file."""
    data = to_bytes(model)
    if hasattr(path, "write"):
        path.write(data)
    else:
        write_whole(Path(path), data)


def load(path: Any) -> Any:
    """Read a model that `save` wrote.

    It needs NumPy only, and runs no code from the file.

    Parameters
    ----------
    path : str, path or binary file
        What to read, such as "model.sbm".

    Returns
    -------
    model : PortableRegressor or PortableClassifier
        It has `predict`, `predict_quantiles`, `predict_proba` and `novelty`, as the estimator has.
        ``model.to_estimator()`` gives the estimator itself.

    Raises
    ------
    ModelFileError
        If the file is not a model of sparsebayes, is damaged, or is of a newer version.

    See Also
    --------
    RVR.save : Writes the file.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> import os, tempfile
    >>> import sparsebayes
    >>> model = sparsebayes.RVR().fit(*sparsebayes.datasets.noisy_sinc(50, random_state=0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.sbm")
    ...     model.save(path)
    ...     loaded = sparsebayes.load(path)
    >>> mean, std = loaded.predict([[0.0]], return_std=True)
    >>> bool(abs(mean[0] - model.predict([[0.0]])[0]) < 1e-9)
    True
    """
    try:
        return _model(read_file(path))
    except ModelFileError as error:
        which = getattr(path, "name", "the file") if hasattr(path, "read") else os.fspath(path)
        raise ModelFileError(f"{which} is no model that can be read: {error}.") from error
