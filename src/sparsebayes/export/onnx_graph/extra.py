"""The packages of the extra `onnx`, which are loaded when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(name: str) -> Any:
    """A module of the extra, or an error that says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(
            f"the export to ONNX needs {package}, which is not installed: "
            "pip install 'sparsebayes[onnx]'."
        ) from error
