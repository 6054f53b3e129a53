"""A fitted model somewhere else: in C, in SQL, in ONNX, as JSON, as a formula, as a table.

Every function takes a fitted estimator, or what `sparsebayes.load` gives, and translates its plain
form, `sparsebayes.portable`. What a target cannot do is refused with a `NotPortableError`.
"""

from sparsebayes.export.frames import to_frame
from sparsebayes.export.text import formula, to_json
from sparsebayes.export.trust import skops_types

__all__ = ["formula", "skops_types", "to_frame", "to_json"]
