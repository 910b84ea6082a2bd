"""Which hosts may be asked: names that lead to public addresses, and to nothing else."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from outside.errors import Refused, Unreachable

Resolver = Callable[[str, int], Sequence[str]]
"""A host's addresses as numbers in text. Raises `OSError` where there are none."""

LOOPBACK = "127.0.0.1"

_GLOBAL = IPv6Network("2000::/3")
# Inside it, and no place of the internet: special uses with Teredo, documentation, 6to4, which wraps any IPv4 address.
_SPECIAL = tuple(IPv6Network(net) for net in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
# What one Python calls global and the next does not.
_SPECIAL_4 = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_NAT64 = IPv6Network("64:ff9b::/96")


def public(address: str) -> bool:
    """Is this an address of the public internet? One that wraps an IPv4 address is as public as that."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return found.is_global and not (found.is_multicast or found.is_reserved or any(found in net for net in _SPECIAL_4))
    if found.ipv4_mapped is not None:
        return public(str(found.ipv4_mapped))
    if found in _NAT64:
        return public(str(IPv4Address(int(found) & 0xFFFFFFFF)))
    return _plain(found)


def _plain(found: IPv6Address) -> bool:
    return found.scope_id is None and found in _GLOBAL and found.is_global and not any(found in net for net in _SPECIAL)


def system(host: str, port: int) -> list[str]:
    """The addresses as this machine knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def resolve(host: str, port: int, resolver: Resolver, insecure: bool, seconds: float) -> list[str]:
    """The host's addresses, all of them allowed: one that is not makes the name suspect. `seconds` at most.

    Raises `Refused` for a place that is not public, `Unreachable` for a name that leads nowhere in that time.
    """
    answer: list[Sequence[str]] = []

    def ask() -> None:
        try:
            answer.append(resolver(host, port))
        except (OSError, UnicodeError):
            answer.append(())

    asking = threading.Thread(target=ask, daemon=True)  # getaddrinfo knows no time-out of its own
    asking.start()
    asking.join(seconds)
    if not answer:
        raise Unreachable("connect-time", host)
    if not answer[0]:
        raise Unreachable("no-host", host)
    if not _allowed(answer[0], insecure):
        raise Refused("not-public", host)
    return list(answer[0])


def closed(host: str, insecure: bool) -> bool:
    """Is it known without asking anybody that the host is not allowed: a number, however written, or this machine's name
    (RFC 6761)?"""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return not _allowed([str(entry[4][0]) for entry in found], insecure)


def _allowed(found: Sequence[str], insecure: bool) -> bool:
    return all(public(address) or (insecure and address == LOOPBACK) for address in found)
