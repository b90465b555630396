"""Passkeys: a device makes a pair of keys, keeps the secret half, and signs with it when its owner comes back.

What is kept here opens nothing. A passkey leads to its person and to nothing else, and whoever loses it is where they
were: what they see does not depend on it.
"""

import hmac
from typing import Final

import msgspec
import redis.asyncio
import structlog

from domain.errors import Refused
from domain.instants import Instant
from services.errors import NoSuchPasskey
from services.people.hashed_secrets import hash_of
from services.people.passkeys import answers
from services.people.passkeys.answers import Owner
from services.people.passkeys.challenges import SECONDS, Challenges
from services.people.passkeys.kept import KeptPasskeys, Passkey
from services.people.passkeys.relying_party import RelyingParty
from services.people.player_names import readable

MOST: Final = 20
"""Passkeys of one person."""

LONGEST_NAME: Final = 40
"""Characters."""

_log = structlog.get_logger(__name__)


class Passkeys:
    """Keeps passkeys, and tells who comes back with one. Methods may raise ``StoreUnavailable``.

    ``browser`` is the secret of a session, whether it is anybody's yet or not: only where a challenge was asked for is
    it answered.
    """

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self._secret = secret
        self._challenges = Challenges(secret, client)
        self._kept = KeptPasskeys(client)

    async def ask_to_keep(
        self, person: str, called: str, party: RelyingParty, browser: str, now: Instant
    ) -> str:
        """Return as JSON what a device needs to make a passkey for a person, who is called so.

        Raises:
            Refused: They have :data:`MOST` already (``passkey.too_many``).
        """
        present = await self.of(person)
        _require_room(present)
        challenge = self._challenges.make("keep", f"{browser} {person}", now)
        owner = Owner(self._handle(person), called)
        here = [one for one in present if one.party == party.id]
        return answers.creation_options(party, owner, challenge, here, SECONDS)

    async def keep(
        self, person: str, given: str, name: str, party: RelyingParty, browser: str, now: Instant
    ) -> Passkey:
        """Keep the passkey that a device has made for a person.

        Args:
            person: Whose it is.
            given: What the device answered, as JSON.
            name: What they call it.
            party: As whom they asked for it.
            browser: Where they asked for it.
            now: When.

        Raises:
            Refused: The answer is no proof (``passkey.unverified``), comes too late, a second time or from elsewhere
                (``passkey.challenge_over``), the passkey is kept already (``passkey.kept``), or they have too many
                (``passkey.too_many``).
        """
        claim = answers.claim_of_new(given)
        await self._challenges.use(claim.challenge, "keep", f"{browser} {person}", now)
        credential, public_key, count = answers.new_passkey(given, party, claim.challenge)
        _require_room(await self.of(person))
        handle = answers.written(self._handle(person))
        passkey = Passkey(
            hash_of(credential),
            person,
            readable(name)[:LONGEST_NAME],
            party.id,
            credential,
            public_key,
            handle,
            now,
            count,
        )
        if not await self._kept.add(passkey):
            raise Refused("passkey.kept", "passkeys")
        return passkey

    def ask_to_return(self, party: RelyingParty, browser: str, now: Instant) -> str:
        """Return as JSON what a device needs to tell which of its owners comes back."""
        return answers.request_options(party, self._challenges.make("return", browser, now), SECONDS)

    async def returned(self, given: str, party: RelyingParty, browser: str, now: Instant) -> Passkey:
        """Return with which passkey somebody comes back, and note that it was used.

        Raises:
            NoSuchPasskey: It was taken away, or was never kept here.
            Refused: The answer is no proof (``passkey.unverified``), comes too late, a second time or from elsewhere
                (``passkey.challenge_over``), or its count went back, as a copy's does (``passkey.doubted``).
        """
        claim = answers.claim_of(given)
        await self._challenges.use(claim.challenge, "return", browser, now)
        passkey = await self._kept.find(hash_of(claim.credential))
        if passkey is None or passkey.party != party.id:
            raise NoSuchPasskey
        if claim.handle and claim.handle != passkey.handle:
            raise Refused("passkey.unverified", "passkeys")
        count = answers.count_of_use(given, passkey, party, claim.challenge)
        used = await self._kept.change(passkey.id, lambda one: _used(one, count, now))
        if used is None:
            raise NoSuchPasskey
        if used.doubted == now:
            _log.warning("passkey_count_went_back", given=count, kept=used.count)
            raise Refused("passkey.doubted", "passkeys")
        return used

    async def of(self, person: str) -> list[Passkey]:
        """Return a person's passkeys, the oldest first."""
        return await self._kept.of(person)

    async def rename(self, person: str, passkey_id: str, name: str) -> Passkey:
        """Call one of a person's passkeys otherwise.

        Raises:
            NoSuchPasskey: They have no such passkey.
        """
        called = readable(name)[:LONGEST_NAME]
        known = await self._kept.find(passkey_id)
        if known is None or known.person != person:
            raise NoSuchPasskey
        changed = await self._kept.change(passkey_id, lambda one: msgspec.structs.replace(one, name=called))
        if changed is None:
            raise NoSuchPasskey
        return changed

    async def remove(self, person: str, passkey_id: str) -> None:
        """Forget one of a person's passkeys: it opens nothing any more.

        Raises:
            NoSuchPasskey: They have no such passkey.
        """
        if not await self._kept.remove(person, passkey_id):
            raise NoSuchPasskey

    async def move(self, person: str, to: str) -> None:
        """Let a person's passkeys lead to another one."""
        await self._kept.move(person, to)

    async def erase(self, person: str) -> None:
        """Forget all of a person's passkeys."""
        await self._kept.erase(person)

    def _handle(self, person: str) -> bytes:
        return hmac.digest(self._secret, f"tablee passkey owner\n{person}".encode(), "sha256")


def _require_room(present: list[Passkey]) -> None:
    if len(present) >= MOST:
        raise Refused("passkey.too_many", "passkeys", most=MOST)


def _used(passkey: Passkey, count: int, now: Instant) -> Passkey:
    # A device that does not count says 0 always. One that does never says the same twice: whoever does has a copy.
    if count > passkey.count or count == passkey.count == 0:
        return msgspec.structs.replace(passkey, count=count, used=now)
    return msgspec.structs.replace(passkey, doubted=now)
