"""The kinds of a dossier that this wing keeps: devices, ways back, names at tables, tables, the person's own record."""

from typing import Any, Final

import msgspec

from services.people.dossiers import Whom
from services.people.links import Links
from services.people.memberships import Memberships
from services.people.passkeys.kept import KeptPasskeys
from services.people.persons import Persons, Wish
from services.people.player_names import PlayerNames
from services.people.recovery_codes import RecoveryCodes
from services.people.sessions import Sessions


class Devices:
    """On which devices they are known."""

    name: Final = "devices"

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def shown(self, whom: Whom) -> Any:
        """Return since when they are known there, and what the devices call themselves."""
        found = await self._sessions.of(whom.person)
        return [{"device": one.device, "since": one.since, "seen": one.seen, "by": one.by} for one in found]

    async def move(self, whom: Whom, to: str) -> None:
        """Let the devices be the other person's."""
        await self._sessions.move_all(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """End all sessions."""
        await self._sessions.end_all(whom.person)


class WaysBackIn:
    """How they can come back in: their recovery code, and a link to their other devices."""

    name: Final = "ways_back"

    def __init__(self, links: Links, codes: RecoveryCodes) -> None:
        self._links = links
        self._codes = codes

    async def shown(self, whom: Whom) -> Any:
        """Return since when there are any; nobody can tell the secrets."""
        code, link = await self._codes.of(whom.person), await self._links.newest_of(whom.person)
        return {
            "recovery_code": None if code is None else {"since": code.since, "used": code.used},
            "link": None if link is None else {"made": link.made, "until": link.until, "used": link.used},
        }

    async def move(self, whom: Whom, to: str) -> None:
        """Let what is printed lead to the other person, unless they have printed one too."""
        await self._codes.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Forget the code and the link."""
        await self._codes.erase(whom.person)
        await self._links.erase(whom.person)


class PasskeysOfDevices:
    """Which passkeys their devices keep for them."""

    name: Final = "passkeys"

    def __init__(self, kept: KeptPasskeys) -> None:
        self._kept = kept

    async def shown(self, whom: Whom) -> Any:
        """Return what is known of each; from what is kept here nobody comes in."""
        return [
            {"name": one.name, "host": one.party, "since": one.since, "used": one.used, "count": one.count}
            for one in await self._kept.of(whom.person)
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let the passkeys lead to the other person."""
        await self._kept.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Forget the passkeys."""
        await self._kept.erase(whom.person)


class NamesAtTables:
    """How others read their seats."""

    name: Final = "names_at_tables"

    def __init__(self, names: PlayerNames) -> None:
        self._names = names

    async def shown(self, whom: Whom) -> Any:
        """Return their name at each match."""
        names = await self._names.of(whom.players)
        called = zip(whom.memberships, names, strict=True)
        return {membership.holder.match: name for membership, name in called if name}

    async def move(self, whom: Whom, to: str) -> None:
        """Leave the names: they belong to seats, which go along."""

    async def erase(self, whom: Whom) -> None:
        """Take the names from the seats."""
        await self._names.erase(whom.players)


class Tables:
    """Which seats and tables are theirs."""

    name: Final = "tables"

    def __init__(self, memberships: Memberships) -> None:
        self._memberships = memberships

    async def shown(self, whom: Whom) -> Any:
        """Return matches with their ids there."""
        return [
            {**msgspec.to_builtins(membership.holder), "since": membership.since}
            for membership in whom.memberships
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let the seats be the other person's, but where they sit already: nobody sees with two seats at a match."""
        for membership in whom.memberships:
            holder = membership.holder
            held = await self._memberships.held(to, holder.match)
            if not held.player(holder.role):
                await self._memberships.collect(to, holder, membership.since)

    async def erase(self, whom: Whom) -> None:
        """Forget whose the seats are."""
        await self._memberships.erase(whom.person)


class Record:
    """What they said about themselves."""

    name: Final = "person"

    def __init__(self, persons: Persons) -> None:
        self._persons = persons

    async def shown(self, whom: Whom) -> Any:
        """Return the record."""
        person = await self._persons.of(whom.person)
        return None if person is None else msgspec.to_builtins(person)

    async def move(self, whom: Whom, to: str) -> None:
        """Tell the other person's record what it does not say yet."""
        mine, other = await self._persons.of_many([whom.person, to])
        if mine is None or other is None:
            return
        missing = {name: value for name, value in mine.preferences.items() if name not in other.preferences}
        wish = Wish(
            other.name or mine.name,
            other.language or mine.language,
            other.time_zone or mine.time_zone,
            missing,
        )
        await self._persons.change(to, wish)

    async def erase(self, whom: Whom) -> None:
        """Remove the record: after this, they never were here."""
        await self._persons.erase(whom.person)
