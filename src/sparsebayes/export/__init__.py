"""A fitted model somewhere else: in C, in SQL, in ONNX, as JSON, as a formula.

Every function takes a fitted estimator, or what `sparsebayes.load` gives, and translates its plain
form, `sparsebayes.portable`. What a target cannot do is refused with a `NotPortableError`.
"""
