"""Coming back in: by a link, by the token of a seat or a host, by a recovery code, by a passkey.

Looking changes nothing, so that a mail scanner may open every link. A personal link, a recovery code and a passkey lead
to a person; a seat's link and an old token lead to that one seat, which then belongs to whoever comes by them.
"""

import msgspec

from domain.instants import Instant
from services.errors import NoSuchLink
from services.people.dossiers import Dossiers, Leaving, SitsTwice
from services.people.hashed_secrets import hash_of, is_secret
from services.people.identity import Holder, Identity
from services.people.links import Link, Links
from services.people.memberships import Membership, Memberships
from services.people.passkeys.kept import Passkey
from services.people.persons import Persons
from services.people.recovery_codes import RecoveryCodes, read
from services.people.sessions import CameBy, Sessions


class Way(msgspec.Struct, frozen=True):
    """Where a token leads.

    Attributes:
        person: The person; empty where it leads to a seat.
        holder: The seat, or the host's place; None where it leads to a person.
        link: The link; None for a token of a seat or a host, which stays good.
    """

    person: str = ""
    holder: Holder | None = None
    link: Link | None = None


class Visitor(msgspec.Struct, frozen=True):
    """Who comes in.

    Attributes:
        session: The secret of their session, whether it is anybody's yet or not.
        device: What their device calls itself.
        joins: Whether who they have been on this device is the same person, whose tables come along.
    """

    session: str
    device: str = ""
    joins: bool = False


class Arrival(msgspec.Struct, frozen=True):
    """Who somebody is now.

    Attributes:
        person: The person.
        session: The secret of their session from now on.
        match: The match at which they got a seat or the host's place; empty for none.
    """

    person: str
    session: str
    match: str = ""


class WaysBack:
    """Lets people back in. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        identity: Identity,
        persons: Persons,
        memberships: Memberships,
        sessions: Sessions,
        links: Links,
        codes: RecoveryCodes,
        dossiers: Dossiers,
        leaving: Leaving,
    ) -> None:
        self._identity = identity
        self._persons = persons
        self._memberships = memberships
        self._sessions = sessions
        self._links = links
        self._codes = codes
        self._dossiers = dossiers
        self._leaving = leaving

    async def find(self, token: str) -> Way:
        """Return where a token leads, used or not; nothing changes.

        Raises:
            NoSuchLink: Nowhere.
        """
        if not is_secret(token):
            raise NoSuchLink
        link = await self._links.find(token)
        if link is not None:
            return Way(link.person, link.holder, link)
        holder = await self._identity.find(token)
        if holder is None:
            raise NoSuchLink
        return Way(holder=holder)

    async def enter(self, token: str, visitor: Visitor, now: Instant) -> Arrival:
        """Come in by a token, which a link's is used up by; who is in already uses nothing up.

        Raises:
            NoSuchLink: It leads nowhere.
            LinkUsed, LinkExpired, LinkRevoked: It opens nothing any more.
            SitsTwice: They would have two seats at one table; nothing has changed.
        """
        way = await self.find(token)
        mine = await self._sessions.person(visitor.session, now)
        if way.holder is not None:
            return await self._take(token, way, way.holder, mine, visitor, now)
        if mine == way.person:
            return Arrival(mine, visitor.session)
        if mine and visitor.joins:
            await self._dossiers.require_joinable(mine, way.person)
        await self._links.use(token, hash_of(visitor.session), now)
        by = (way.link.by if way.link is not None else "") or "link"
        return await self._become(way.person, mine, token, visitor, now, by)

    async def recover(self, code: str, visitor: Visitor, now: Instant) -> Arrival:
        """Come in by a recovery code.

        Raises:
            NoSuchCode: It is nobody's.
            SitsTwice: Two persons who sit at one table cannot be one; nothing has changed.
        """
        person = await self._codes.person(code)
        mine = await self._sessions.person(visitor.session, now)
        if mine == person:
            return Arrival(mine, visitor.session)
        if mine and visitor.joins:
            await self._dossiers.require_joinable(mine, person)
        await self._codes.note_use(code, now)
        return await self._become(person, mine, read(code), visitor, now, "code")

    async def return_by(self, passkey: Passkey, visitor: Visitor, now: Instant) -> Arrival:
        """Come in by a passkey that was proved just now.

        Raises:
            SitsTwice: Two persons who sit at one table cannot be one; nothing has changed.
        """
        mine = await self._sessions.person(visitor.session, now)
        if mine == passkey.person:
            return Arrival(mine, visitor.session)
        if mine and visitor.joins:
            await self._dossiers.require_joinable(mine, passkey.person)
        way = f"{passkey.id} {now}"
        return await self._become(passkey.person, mine, way, visitor, now, "passkey")

    async def _become(
        self, person: str, mine: str, way: str, visitor: Visitor, now: Instant, by: CameBy
    ) -> Arrival:
        if mine and visitor.joins:
            await self._dossiers.join(mine, person, now)
        # A secret that nobody had before: who planted a session in this browser does not come in with it.
        session = self._identity.for_session_after(visitor.session, way)
        await self._sessions.begin(session, person, now, visitor.device, by)
        await self._sessions.leave(visitor.session)
        await self._persons.keep(person)
        return Arrival(person, session)

    async def _take(
        self, token: str, way: Way, holder: Holder, mine: str, visitor: Visitor, now: Instant
    ) -> Arrival:
        if mine:
            await self._require_one_seat(mine, holder, now)
        if way.link is not None:
            await self._links.use(token, hash_of(visitor.session), now)
        person = mine or await self._newcomer(visitor, now)
        if way.link is not None:
            # What was lost, or taken, opens nothing any more: the seat is seen by one person.
            await self._identity.void(holder.player)
        await self._memberships.collect(person, holder, now)
        await self._persons.keep(person)
        return Arrival(person, visitor.session, holder.match)

    async def _newcomer(self, visitor: Visitor, now: Instant) -> str:
        created = await self._persons.create(now)
        person = await self._sessions.begin(visitor.session, created.id, now, visitor.device)
        if person != created.id:  # the same form came twice at once
            await self._persons.erase(created.id)
        return person

    async def _require_one_seat(self, person: str, holder: Holder, now: Instant) -> None:
        if holder.role != "seat":
            return
        held = (await self._memberships.held(person, holder.match)).seat
        if not held or held == holder.player:
            return
        both = [Holder(holder.match, player, "seat") for player in (held, holder.player)]
        if all([await self._leaving.goes_on(Membership(one, now)) for one in both]):
            raise SitsTwice((holder.match,))
