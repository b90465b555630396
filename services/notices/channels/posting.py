"""Posting to addresses that people give: never into networks that only the installation itself can reach.

A name is looked up once, every address behind it is judged, and the connection goes to the one that was judged: a name
that answers otherwise the next time gains nothing. No redirect is followed, no proxy of the environment is asked, the
answer's body is not read, and all of it together has one time limit.
"""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple

import httpx

from services.notices.channels.contract import ContactGone, DeliveryFailed
from services.process.addresses import Address, Network
from services.words import reasons

SECONDS: Final = 10.0
"""How long all of it may take: looking up, connecting, sending, and the first line of the answer."""

LONGEST_ADDRESS: Final = 2000
_LAST_PORT: Final = 65_535

_OK: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)
_GONE: Final = frozenset({401, 403, 404, 410})
_UNICAST: Final = IPv6Network("2000::/3")
_ASSIGNED: Final = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
"""Networks of protocols and not of hosts; some clouds' metadata lies there, and not every Python knows."""

_TRANSLATED: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""Networks whose addresses hold an IPv4 address at their end, to which a router may translate them."""

for _name in ("httpx", "httpcore"):
    # They write whole addresses into the log, and with those of chats anybody can post there.
    logging.getLogger(_name).setLevel(logging.WARNING)

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses behind a host."""


class Allowed(NamedTuple):
    """What an operator allows beside the public network.

    Attributes:
        hosts: Names of hosts, whatever lies behind them.
        networks: Networks and addresses.
    """

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()


def allowed_of(text: str) -> Allowed:
    """Read a list of hosts, addresses and networks, separated by commas."""
    hosts, networks = set(), []
    for part in filter(None, (one.strip().lower() for one in text.split(","))):
        try:
            networks.append(ip_network(part, strict=False))
        except ValueError:
            hosts.add(part)
    return Allowed(frozenset(hosts), tuple(networks))


async def look_up(host: str, port: int) -> Sequence[str]:
    """Return the addresses behind a host, as the machine's resolver knows them."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)  # 1: a stream
    return [str(address[0]) for *_, address in found]


class Poster:
    """Posts to addresses that people gave."""

    def __init__(
        self, allowed: Allowed, lookup: Lookup = look_up, context: ssl.SSLContext | None = None
    ) -> None:
        """Take what is allowed, who looks names up, and how certificates are checked."""
        self._allowed = allowed
        self._lookup = lookup
        self._context = context

    async def post(self, address: str, content: bytes, headers: Mapping[str, str]) -> None:
        """Post something, and take any 2xx for an answer.

        Raises:
            DeliveryFailed: It may not have arrived.
            ContactGone: It never will: the address is forbidden, or its server says that it is gone.
        """
        try:
            async with asyncio.timeout(SECONDS):
                status = await self._post(address, content, headers)
        except TimeoutError as error:
            raise DeliveryFailed(reasons.NO_ANSWER.text) from error
        if status in _REDIRECTS:
            raise DeliveryFailed(f"{reasons.REDIRECTED.text} ({status})")
        if status in _GONE:
            raise ContactGone(f"{reasons.GONE.text} ({status})")
        if status not in _OK:
            raise DeliveryFailed(f"{reasons.NOT_TAKEN.text} ({status})")

    async def _post(self, address: str, content: bytes, headers: Mapping[str, str]) -> int:
        url = _read(address)
        host, port = url.raw_host.decode("ascii"), url.port or (443 if url.scheme == "https" else 80)
        pinned = await self._judged(url, host, port)
        # The name still stands in the request and is what the certificate is for; only the way there is fixed.
        sent = {**headers, "Host": url.netloc.decode("ascii")}
        async with httpx.AsyncClient(
            verify=self._context or _context(), trust_env=False, follow_redirects=False, timeout=SECONDS
        ) as client:
            request = client.build_request(
                "POST",
                url.copy_with(host=pinned),
                content=content,
                headers=sent,
                extensions={"sni_hostname": host},
            )
            try:
                answer = await client.send(request, stream=True)
            except httpx.TimeoutException as error:
                raise DeliveryFailed(reasons.NO_ANSWER.text) from error
            except httpx.HTTPError as error:
                untrusted = "CERTIFICATE_VERIFY_FAILED" in str(error)
                raise DeliveryFailed(
                    (reasons.NOT_TRUSTED if untrusted else reasons.NOT_REACHED).text
                ) from error
            await answer.aclose()
        return answer.status_code

    async def _judged(self, url: httpx.URL, host: str, port: int) -> str:
        """Return the one address to connect to."""
        try:
            found = await self._lookup(host, port)
        except OSError as error:
            raise DeliveryFailed(reasons.NO_SUCH_HOST.text) from error
        addresses = [ip_address(one.partition("%")[0]) for one in found]
        if not addresses:
            raise DeliveryFailed(reasons.NO_SUCH_HOST.text)
        named = host.lower() in self._allowed.hosts
        trusted = named or all(self._is_allowed(one) for one in addresses)
        # All of them: whichever is taken, none leads into the house.
        if not trusted and not all(self._is_allowed(one) or is_public(one) for one in addresses):
            raise ContactGone(reasons.PRIVATE.text)
        if url.scheme != "https" and not trusted:
            raise ContactGone(reasons.INSECURE.text)
        return str(addresses[0])

    def _is_allowed(self, address: Address) -> bool:
        return any(address in network for network in self._allowed.networks)


def is_public(address: Address) -> bool:
    """Tell whether an address is one that anybody on the internet can reach."""
    if isinstance(address, IPv6Address):
        inner = _inner(address)
        if inner is not None:
            return is_public(inner)
        if address not in _UNICAST:
            return False
    elif any(address in network for network in _ASSIGNED):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if any(address in network for network in _TRANSLATED):
        return IPv4Address(address.packed[-4:])
    return None


def _read(address: str) -> httpx.URL:
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, TypeError) as error:
        raise ContactGone(reasons.NO_ADDRESS.text) from error
    is_web = url.scheme in {"http", "https"} and bool(url.host) and not url.userinfo
    if not is_web or (url.port or 1) > _LAST_PORT or len(address) > LONGEST_ADDRESS:
        raise ContactGone(reasons.NO_ADDRESS.text)
    return url


@cache
def _context() -> ssl.SSLContext:
    return httpx.create_ssl_context()
