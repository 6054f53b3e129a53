"""The build must not ask the network for anything: a connection to another machine ends it."""

from __future__ import annotations

import sys
from ipaddress import ip_address
from typing import Any

from sphinx.application import Sphinx


class NetworkError(RuntimeError):
    """Something wanted to reach another machine."""


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise for a connection, unless it stays on this machine."""
    if event == "socket.getaddrinfo" and not _is_local(arguments[0]):
        raise NetworkError(f"the build asked for the address of {arguments[0]!r}")
    if event == "socket.connect" and not _is_local(_host_of(arguments[1])):
        raise NetworkError(f"the build wanted to connect to {arguments[1]!r}")


def _host_of(address: Any) -> Any:
    """The host of an address; that of a socket which is a file has none."""
    return address[0] if isinstance(address, tuple) else None


def _is_local(host: Any) -> bool:
    if isinstance(host, bytes):
        host = host.decode()
    if host in (None, "", "localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Watch all connections of this process from now on."""
    sys.addaudithook(refuse)
    return {"parallel_read_safe": True}
