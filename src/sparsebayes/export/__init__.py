"""A fitted model somewhere else: in C, JavaScript, SQL and ONNX, as JSON, as a formula, as a table.

Every function takes a fitted estimator, or what `sparsebayes.load` gives, and translates its plain
form, `sparsebayes.model`. What a target cannot do is refused with a `NotPortableError`.
"""

from sparsebayes.export.c import to_c
from sparsebayes.export.frames import to_frame
from sparsebayes.export.js import to_js
from sparsebayes.export.onnx_graph import register_converters, to_onnx
from sparsebayes.export.sql import to_sql
from sparsebayes.export.text import formula, skops_types, to_json

__all__ = [
    "formula",
    "register_converters",
    "skops_types",
    "to_c",
    "to_frame",
    "to_js",
    "to_json",
    "to_onnx",
    "to_sql",
]
