"""What is raised by files, and by models that cannot go somewhere."""


class ModelFileError(ValueError):
    """A file that is not a model of sparsebayes, or is damaged, or is of a newer version."""


class NotPortableError(ValueError):
    """A model that cannot be written in the form that was asked for."""
