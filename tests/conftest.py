"""What all tests share."""

import signal

import pytest
from carried import KINDS, QUICK


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of tests over all kinds of carried models, some kinds are for every run."""
    for item in items:
        name = getattr(item, "callspec", None) and item.callspec.params.get("name")
        if isinstance(name, str) and name in KINDS and name not in QUICK:
            item.add_marker(pytest.mark.long)


@pytest.fixture
def interruptible():
    """SIGINT interrupts this process, and those that it starts.

    A shell starts jobs in the background with SIGINT ignored, and Python leaves that as it is.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
