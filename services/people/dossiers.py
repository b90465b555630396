"""A person's dossier: everything that is kept about them, by kinds, in one row.

Whatever a person's own file, the joining of two persons and an erasure must reach is a kind in that row. A new store
about people is a new kind in ``services/bootstrap/dossier_kinds.py``; ``services/words/kept_data.py`` tells for how
long it is kept.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from domain.instants import Instant
from services.errors import NotAllowed
from services.people.memberships import Membership, Memberships
from services.people.persons import Persons


class Whom(msgspec.Struct, frozen=True):
    """Whose dossier it is.

    Attributes:
        person: The person's id.
        memberships: Their parts in matches: some things are kept by the player's id.
    """

    person: str
    memberships: tuple[Membership, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The player ids by which matches know them."""
        return tuple(membership.holder.player for membership in self.memberships)


class Kind(Protocol):
    """One kind of thing that is kept about a person. Methods may raise ``StoreUnavailable``.

    Any of them may be carried out again after it broke off half-way, and then does the rest.
    """

    @property
    def name(self) -> str:
        """What it is called in a person's file: small letters and underscores."""

    async def shown(self, whom: Whom) -> Any:
        """Return all of it, as JSON can hold it, without secrets and without what is others'."""

    async def move(self, whom: Whom, to: str) -> None:
        """Make it another person's, as far as they have nothing in its place."""

    async def erase(self, whom: Whom) -> None:
        """Forget it."""


class Leaving(Protocol):
    """Knows which matches go on, and takes people out of them."""

    async def goes_on(self, membership: Membership) -> bool:
        """Tell whether somebody still plays, or will play, where they have a seat."""

    async def leave(self, membership: Membership) -> None:
        """Take somebody out of a match that goes on, for good."""


class SitsTwice(NotAllowed):
    """Two persons sit at one table, so they cannot become one: who plays two seats knows two hands.

    Attributes:
        matches: Where.
    """

    code = "person.sits_twice"

    def __init__(self, matches: tuple[str, ...]) -> None:
        super().__init__(", ".join(matches))
        self.matches = matches


class Dossiers:
    """Shows, joins and erases what is kept about persons. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self, persons: Persons, memberships: Memberships, kinds: Sequence[Kind], leaving: Leaving
    ) -> None:
        """Take the kinds in the order in which they are erased; the last ones are needed to find the others."""
        self._persons = persons
        self._memberships = memberships
        self._leaving = leaving
        self.kinds = tuple(kinds)

    async def of(self, person: str) -> Mapping[str, Any]:
        """Return everything that is kept about a person, by kind."""
        whom = await self._whom(person)
        return {kind.name: await kind.shown(whom) for kind in reversed(self.kinds)}

    async def require_joinable(self, person: str, to: str) -> None:
        """Refuse to make one of two persons who sit at one table.

        Raises:
            SitsTwice: Both sit at a match that goes on.
        """
        twice = await self._twice(await self._whom(person), to)
        if twice:
            raise SitsTwice(twice)

    async def join(self, person: str, to: str, now: Instant) -> None:
        """Make all that is one person's another's. The first one is then no more.

        Raises:
            SitsTwice: Both sit at a match that goes on; nothing has changed.
        """
        await self.require_joinable(person, to)
        whom = await self._whom(person)
        for kind in self.kinds:
            await kind.move(whom, to)
        await self._persons.keep(to)
        # What the other had in its place already is not theirs, and nobody's now.
        await self.erase(person, now)

    async def erase(self, person: str, now: Instant) -> None:
        """Forget a person. They leave what they play first; the logs stay as they are, with seats that are nobody's."""
        # Should this break off half-way, the sweep does the rest.
        await self._persons.let_go(person, now)
        whom = await self._whom(person)
        for membership in whom.memberships:
            await self._leaving.leave(membership)
        for kind in self.kinds:
            await kind.erase(whom)

    async def sweep(self, now: Instant, most: int) -> int:
        """Erase some of those who never came back; return how many."""
        found = await self._persons.forgotten(now, most)
        for person in found:
            # They may have come back while the others were erased.
            if await self._persons.is_forgotten(person, now):
                await self.erase(person, now)
        return len(found)

    async def _twice(self, whom: Whom, to: str) -> tuple[str, ...]:
        seats = {one.holder.match: one for one in await self._memberships.of(to) if one.holder.role == "seat"}
        return tuple(
            [
                mine.holder.match
                for mine in whom.memberships
                if mine.holder.role == "seat"
                and mine.holder.match in seats
                and await self._leaving.goes_on(mine)
                and await self._leaving.goes_on(seats[mine.holder.match])
            ]
        )

    async def _whom(self, person: str) -> Whom:
        return Whom(person, tuple(await self._memberships.of(person)))
