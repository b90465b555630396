"""The address that a request comes from, as far as anybody can know.

Anybody can write anything into ``X-Forwarded-For``. Only what the operator's own proxies have added there counts, and
only the operator can say which those are.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

_ONE_HOME: Final = 64
"""Bits of an IPv6 address that tell one customer from another; the customer has all addresses behind them."""

_MOST_HOPS: Final = 32
_LONGEST: Final = 64


def networks_of(text: str) -> tuple[Network, ...]:
    """Read a comma-separated list of addresses and networks.

    Raises:
        ValueError: An item is neither.
    """
    return tuple(ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


class Addresses:
    """Names the address behind each request, given the proxies whose word counts."""

    def __init__(self, trusted: Iterable[Network]) -> None:
        self._trusted = tuple(trusted)
        self._is_trusted = lru_cache(maxsize=1024)(self._in_trusted)

    def trusts(self, peer: str) -> bool:
        """Tell whether a peer is a proxy whose ``X-Forwarded-For`` counts."""
        return bool(self._trusted) and self._is_trusted(peer)

    def name(self, peer: str, forwarded: Iterable[bytes]) -> str:
        """Return the name of the address that sent a request.

        Args:
            peer: The address at the other end of the connection.
            forwarded: The values of ``X-Forwarded-For``, in order.
        """
        if not self.trusts(peer):
            return name_of(peer)
        # From nearest to farthest: the first address that is not one of our proxies is the one that they saw.
        hops = [hop.strip()[:_LONGEST] for value in forwarded for hop in value.decode("latin-1").split(",")]
        nearest = peer
        for hop in reversed(hops[-_MOST_HOPS:]):
            if _read(hop) is None:
                break
            nearest = hop
            if not self._is_trusted(hop):
                break
        return name_of(nearest)

    def _in_trusted(self, peer: str) -> bool:
        address = _read(peer)
        return address is not None and any(address in network for network in self._trusted)


@lru_cache(maxsize=4096)
def name_of(peer: str) -> str:
    """Return what stands for an address: itself, or the customer's network of an IPv6 address."""
    address = _read(peer)
    if isinstance(address, IPv6Address):
        return str(ip_network((address.packed, _ONE_HOME), strict=False))
    return peer if address is None else str(address)


@lru_cache(maxsize=4096)
def _read(text: str) -> Address | None:
    """Read an address, also in the forms that some proxies write: with a port, in brackets, with a zone."""
    host, _, rest = text.removeprefix("[").partition("]")
    if not rest and host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
