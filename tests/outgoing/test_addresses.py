from __future__ import annotations

import pytest

from outgoing.client import public

PUBLIC = [
    "93.184.216.34",
    "1.1.1.1",
    "2606:2800:220:1:248:1893:25c8:1946",
    "::ffff:93.184.216.34",
    "64:ff9b::5db8:d822",
]
NOT = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "192.0.0.8",
    "192.0.2.1",
    "198.18.0.1",
    "203.0.113.7",
    "224.0.0.1",
    "239.1.2.3",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::",
    "3fff::1",
    "100::1",
    "4000::1",
    "2606:2800::1%eth0",
    "nonsense",
    "",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert public(address)


@pytest.mark.parametrize("address", NOT)
def test_not_public(address: str) -> None:
    assert not public(address)
