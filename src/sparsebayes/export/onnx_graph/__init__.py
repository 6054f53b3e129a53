"""A fitted model in ONNX: mean and std of targets, or labels and probabilities of classes.

`to_onnx` writes one. `register_converters` lets skl2onnx write what our estimators are a part of.
A graph says what `sparsebayes.model` says, with operators that onnxruntime has in doubles.
"""

from sparsebayes.export.onnx_graph.converters import register_converters
from sparsebayes.export.onnx_graph.exporting import to_onnx

__all__ = ["register_converters", "to_onnx"]
