"""Names and tokens at a match: opaque ids of players and hosts, and secret tokens that prove a seat by themselves.

Match ids, player ids and tokens are HMACs of the caller's secret idempotency key under the installation's secret. A
retried request gets the same ones, and nobody can guess somebody else's.

The log's server keeps each token's holder under ``tb:people:token:<hash>``, and ``tb:people:void:<player>`` where a
lost seat was given back and its tokens open nothing any more. This is stored data with backups, not a projection.
"""

import base64
import hmac
from collections import OrderedDict
from typing import Literal

import msgspec
import redis.asyncio

from services.errors import Unauthenticated
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of
from services.people.recovery_codes import written

Role = Literal["host", "seat"]


class Holder(msgspec.Struct, frozen=True):
    """Who holds a token.

    Attributes:
        role: ``host`` (starts and ends the match) or ``seat`` (plays).
    """

    match: str
    player: str
    role: Role


class Issued(msgspec.Struct, frozen=True):
    """What is derived from an idempotency key.

    Attributes:
        player: The player's opaque id.
        token: The secret token; only its hash is stored.
        command_id: The id of the command, safe in the public log.
    """

    match: str
    player: str
    token: str
    command_id: str


HOLDERS_KEPT = 4096
"""How many holders one process remembers."""

_DECODER = msgspec.json.Decoder(Holder)


class Identity:
    """Issues and recognises tokens. Methods that ask the store may raise ``StoreUnavailable``."""

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self._secret = secret
        self._client = client
        # A token never changes hands, so the store is asked once whose it is.
        self._holders: OrderedDict[str, Holder] = OrderedDict()

    def for_new_match(self, key: str) -> Issued:
        """Return match id, host and host token for the idempotency key of a creation."""
        match = self._name("match", key)
        return Issued(
            match,
            "h" + self._name("host", key),
            self._token("host", key),
            "create-" + self._name("command", key),
        )

    def for_seat(self, match: str, key: str) -> Issued:
        """Return player and seat token for the idempotency key of somebody who sits down."""
        scoped = f"{match} {key}"
        return Issued(
            match,
            "p" + self._name("player", scoped),
            self._token("seat", scoped),
            "sit-" + self._name("command", scoped),
        )

    def bot_seed(self, command_id: str) -> str:
        """Return a bot's seed for one of its commands, in hexadecimal."""
        return self._digest("bot", command_id).hex()

    async def remember(self, issued: Issued, role: Role) -> None:
        """Store a token's holder. Comes before the append: a token without its seat opens nothing."""
        holder = Holder(issued.match, issued.player, role)
        with available():
            await self._client.set(_key(hash_of(issued.token)), msgspec.json.encode(holder))

    def known(self, token: str) -> Holder | None:
        """Return who holds a token if this process knows; the store is not asked."""
        return self._holders.get(hash_of(token))

    def for_person(self, match: str, person: str, key: str) -> Issued:
        """Return player and seat token for a person who sits down: at one match a person is one player.

        The player's id leads to the person only for who has the installation's secret and the person's id.
        """
        issued = self.for_seat(match, key)
        return msgspec.structs.replace(issued, player="p" + self._name("player", f"{match} person {person}"))

    def for_rematch(self, match: str, number: int) -> Issued:
        """Return match id, host and host token of a match's rematch: the same whoever asks for it."""
        scoped = f"{match} {number}"
        return Issued(
            self._name("rematch", scoped),
            "h" + self._name("rematch host", scoped),
            self._token("rematch host", scoped),
            "create-" + self._name("rematch command", scoped),
        )

    def for_league_table(self, league: str, number: int, table: int, attempt: int) -> Issued:
        """Return match id, host and host token of a league's table, by its round, its number there, and its attempt.

        Nobody gets the token: the service itself is the host of such a table.
        """
        return self.for_new_match(f"league {league} {number} {table} {attempt}")

    def kept_for(self, match: str, person: str) -> str:
        """Return the invitation with which a person takes a seat that is kept for them at a match.

        It leads to the person only for who has the installation's secret and the person's id.
        """
        return "k" + self._name("kept", f"{match} person {person}")

    def for_new_person(self, key: str) -> str:
        """Return a person's own token for the idempotency key of their making."""
        return self._token("person", key)

    def for_new_club(self, person: str, key: str) -> str:
        """Return a club's id for the idempotency key of its making."""
        return "c" + self._name("club", f"{person} {key}")

    def for_new_league(self, club: str, person: str, key: str) -> str:
        """Return a league's id for the idempotency key of its making."""
        return "l" + self._name("league", f"{club} {person} {key}")

    def for_invitation(self, club: str, person: str, key: str) -> str:
        """Return an invitation's code for the idempotency key of its making."""
        return self._token("invitation", f"{club} {person} {key}")

    def for_link(self, to: str, key: str) -> str:
        """Return the token of a link to a person or a player for the idempotency key of its making."""
        return self._token("link", f"{to} {key}")

    def for_recovery(self, person: str, key: str) -> str:
        """Return a person's recovery code for the idempotency key of its making."""
        return written(self._digest("recovery code", f"{person} {key}"))

    def for_session_after(self, session: str, way: str) -> str:
        """Return the secret of the session that a browser gets by a way back in; it leads there from no other one."""
        return self._token("session", f"{session} {way}")

    async def void(self, player: str) -> None:
        """Let all tokens of a seat that were handed out so far open nothing any more."""
        with available():
            await self._client.set(_void(player), 1)

    def for_new_key(self, person: str, key: str) -> str:
        """Return the token of a program's key for the idempotency key of its making."""
        return self._token("program", f"{person} {key}")

    async def holder(self, token: str, match: str) -> Holder:
        """Return who holds a token at a match.

        Raises:
            Unauthenticated: Nobody does, or not at this match.
        """
        holder = await self.holder_anywhere(token)
        if holder.match != match:
            raise Unauthenticated
        return holder

    async def holder_anywhere(self, token: str) -> Holder:
        """Return who holds a token, at any match.

        Raises:
            Unauthenticated: Nobody does.
        """
        holder = await self.find(token)
        if holder is None:
            raise Unauthenticated
        return holder

    async def find(self, token: str) -> Holder | None:
        """Return who holds a token, at any match; None if nobody does."""
        token_hash = hash_of(token)
        holder = self._holders.get(token_hash) or await self._stored(token_hash)
        if holder is None or await self._is_void(holder.player):
            return None
        self._holders[token_hash] = holder
        self._holders.move_to_end(token_hash)
        if len(self._holders) > HOLDERS_KEPT:
            self._holders.popitem(last=False)
        return holder

    async def _stored(self, token_hash: str) -> Holder | None:
        with available():
            stored = await self._client.get(_key(token_hash))
        return _DECODER.decode(stored) if stored else None

    async def _is_void(self, player: str) -> bool:
        # Asked each time: another process may have given the seat back to its owner a moment ago.
        with available():
            return bool(await self._client.exists(_void(player)))

    def _digest(self, purpose: str, text: str) -> bytes:
        return hmac.digest(self._secret, f"tablee {purpose}\n{text}".encode(), "sha256")

    def _name(self, purpose: str, text: str) -> str:
        # 100 bits in letters and digits that can be read aloud without confusion.
        return base64.b32encode(self._digest(purpose, text))[:20].decode().lower()

    def _token(self, purpose: str, text: str) -> str:
        return base64.urlsafe_b64encode(self._digest(f"{purpose} token", text)).decode().rstrip("=")


def _void(player: str) -> str:
    return f"tb:people:void:{player}"


def _key(token_hash: str) -> str:
    return f"tb:people:token:{token_hash}"
