"""What is raised by files, and by models that cannot go somewhere."""


class ModelFileError(ValueError):
    """Raised for a file that is not a model of sparsebayes, is damaged, or is of a newer version.

    See Also
    --------
    load : Raises it.

    Examples
    --------
    >>> import io
    >>> import sparsebayes
    >>> try:
    ...     sparsebayes.load(io.BytesIO(b"some other file"))
    ... except sparsebayes.ModelFileError:
    ...     print("not a model")
    not a model
    """


class NotPortableError(ValueError):
    """Raised for a model that cannot be written in the form that you asked for.

    Functions of yours, as kernels or columns, cannot be written at all. Each function of
    `sparsebayes.export` says what else it refuses.

    See Also
    --------
    RVR.save : Raises it.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR, NotPortableError
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_json
    >>> def kernel(inputs, centres):
    ...     return np.exp(-0.1 * (inputs - centres.T) ** 2)
    >>> model = RVR(kernel=kernel).fit(*noisy_sinc(50, random_state=0))
    >>> try:
    ...     to_json(model)
    ... except NotPortableError:
    ...     print("a function cannot be written")
    a function cannot be written
    """
