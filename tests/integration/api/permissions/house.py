"""A house with a match in every state, and everybody who may knock: what the walk through the permissions needs."""

import random
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, cast, get_args

import httpx

from api.application import create_app
from api.permissions.rules import PHASES, Phase, Role, Shown
from domain.entries import StoredEntry, decode_openings
from domain.games.registry import CURRENT
from services.bootstrap import present_instant
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.people.clubs.club import Club, Member
from services.people.identity import Holder
from services.people.program_keys import SCOPES
from services.process.settings import Settings
from tests.integration.api.conftest import durable, memory_application, started
from tests.integration.api.pages.reader import Reader
from tests.integration.api.tables import Api, Table, fresh_key, legal_moves
from tests.kit.memory_store import MemoryEventStore
from tests.kit.options import shortest

ENDED: Final = {"archived": "finished", "gone": "finished", "practice": "playing"}
"""Further states of a match, and the phase that each is in: its events are in the archive, they are nowhere at hand, or
somebody plays alone at a practice table."""

CLUB: Final = "c" + "a" * 20

STATES: Final = (*PHASES, *ENDED)


class Place(NamedTuple):
    """A match.

    Attributes:
        match: Its id.
        shown: To whom it shows itself.
        version: How far it has come.
    """

    match: str
    shown: Shown
    state: str
    version: int = 1

    @property
    def phase(self) -> Phase:
        return cast("Phase", ENDED.get(self.state, self.state))

    @property
    def is_known(self) -> bool:
        return self.state != "unknown"

    @property
    def is_at_hand(self) -> bool:
        return self.state not in {"unknown", "gone"}


class Asker(NamedTuple):
    """Somebody who knocks.

    Attributes:
        name: Who it is.
        token: What programs send and browsers keep; None for nothing.
        proves: What the token is: nothing, nothing any more, a token of one match, a person's, or a key's scope.
        roles: What they are at every match.
        was_there: Whether they sat at every match and stood up.
    """

    name: str
    token: str | None
    proves: str
    roles: frozenset[Role] = frozenset()
    was_there: bool = False
    seat: int | None = None


class House:
    """The running application with all its matches and askers.

    Attributes:
        salts: By match that still runs and by seat (None: a spectator): what nobody there may learn.
    """

    def __init__(self, api: Api, store: MemoryEventStore, archive: Archive) -> None:
        self.api = api
        self.store = store
        self.archive = archive
        self.people = api.application
        self.places: list[Place] = []
        self.salts: dict[str, dict[int | None, tuple[str, ...]]] = {}
        self.persons: dict[str, str] = {}
        self.tokens: dict[tuple[str, str], str] = {}
        self.operator = ""

    async def build(self) -> None:
        for name in ("Anna", "Emil", "Dora", "Olga", "Klara", "Gone"):
            answer = await self.api.post("/me", key=fresh_key(), json={"name": f"{name} Zyx"})
            self.persons[name] = answer.json()["token"]
        await self._end_session("Gone")
        for scope in SCOPES:
            made = await self.api.post(
                "/me/keys", token=self.persons["Anna"], key=fresh_key(), json={"name": scope, "scope": scope}
            )
            self.tokens[scope, "key"] = made.json()["token"]
            await self.api.get("/me/turns", token=self.tokens[scope, "key"])  # it is seen once a day
        await self._found_club("Klara")
        for shown in get_args(Shown):
            for state in STATES:
                await self._make(shown, state)
        other = await Table.started(self.api)
        self.tokens["", "seat"], self.tokens["", "host"] = other.seats[0], other.host
        await self._settle_club()
        self.places.append(Place("nosuchmatch", "public", "unknown"))
        for place in self.places:
            if place.phase == "playing":
                self.salts[place.match] = await self._salts_of(place.match)
        link = await self.people.operators.make_link(present_instant())
        self.operator = await self.people.operators.enter(link, present_instant()) or ""

    async def _end_session(self, name: str) -> None:
        sessions, token = self.people.sessions, self.persons[name]
        person = await sessions.person(token, present_instant())
        assert await sessions.end_all(person) == 1

    async def _found_club(self, name: str) -> None:
        """Found a club with one guest, who may do nothing there but look on."""
        now = present_instant()
        person = await self.people.sessions.person(self.persons[name], now)
        club = Club(CLUB, "The club", now, (Member("somebody", person, "guest", now),))
        await self.people.clubs.create(club, now)

    async def _settle_club(self) -> None:
        """Look at the club's tables: one that never began is the club's no longer, once it is over."""
        await self.api.get(f"/clubs/{CLUB}/tables", token=self.persons["Klara"])
        club_of = self.people.clubs.tables.club_of
        for number, place in enumerate(self.places):
            if place.shown == "club" and not await club_of(place.match):
                self.places[number] = place._replace(shown="private")

    async def _make(self, shown: Shown, state: str) -> None:
        """Make a table: Anna, then a holder of a seat's token, at a practice table a bot; before, two who stand up."""
        is_practice = state == "practice"
        table = await Table.make(
            self.api,
            people=1 if is_practice else 2,
            bots=1 if is_practice else 0,
            visibility="public" if shown == "public" else "private",
            undo="practice" if is_practice else "consent",
            options=dict(shortest(CURRENT["lama"])),
        )
        path, match = table.path, table.id
        host = (await self.people.identity.find(table.host) or Holder(match, "", "host")).player
        await self._collect("Dora", Holder(match, host, "host"))
        former = table.seats.pop(await table.sit())
        await self._must(f"{path}/leave", former)
        await self._must(f"{path}/seats", self.persons["Emil"])
        await self._must(f"{path}/leave", self.persons["Emil"])
        await self._must(f"{path}/seats", self.persons["Anna"], json={"seat": 0})
        self.tokens[match, "host"], self.tokens[match, "former"] = table.host, former
        if not is_practice:
            seat = await table.sit()
            self.tokens[match, "seat"] = table.seats[seat]
            assert seat == 1
        table.seats[0] = self.persons["Anna"]
        await self._bring(table, state)
        head = await self.people.reader.head(match)
        place = Place(match, shown, state, head.version)
        self.places.append(place)
        assert head.state.lifecycle.phase == place.phase
        if shown == "club":
            await self.people.clubs.tables.record(CLUB, match, present_instant())
        if state in {"archived", "gone"}:
            await self._archive(match, kept=state == "archived")

    async def _bring(self, table: Table, state: str) -> None:
        if state == "abandoned":
            await self._must(f"{table.path}/abandon", table.host)
        if state in {"gathering", "abandoned"}:
            return
        for token in table.seats.values():
            await self._must(f"{table.path}/ready", token)
        await self._must(f"{table.path}/start", table.host)
        if ENDED.get(state, state) == "finished":
            chance = random.Random(4)
            while (await self.people.reader.head(table.id)).state.lifecycle.phase == "playing":
                await self._play(table, chance)

    async def _play(self, table: Table, chance: random.Random) -> None:
        """Make a move without looking: a private table shows itself to nobody else."""
        state = (await self.people.reader.head(table.id)).state
        acting = next(seat for seat, at in enumerate(state.asked_at) if at)
        view = (await self.api.get(table.path, token=table.seats[acting])).json()
        move = chance.choice(legal_moves("lama", view["legal"]))
        await table.move(acting, move, view["version"])

    async def _archive(self, match: str, *, kept: bool) -> None:
        entries = tuple(await self.store.read(match))
        if kept:
            await self.archive.write(match, "lama", 1, entries)
        assert await self.store.write_tombstone(match, entries[-1].h)
        self.people.reader.forget(match)

    async def _collect(self, name: str, holder: Holder) -> None:
        now = present_instant()
        person = await self.people.sessions.person(self.persons[name], now)
        await self.people.memberships.collect(person, holder, now)

    async def _must(self, path: str, token: str, **more: Any) -> None:
        answer = await self.api.post(path, token=token, key=fresh_key(), **({"json": {}} | more))
        assert answer.status_code in {200, 201, 409}, answer.text

    async def _salts_of(self, match: str) -> dict[int | None, tuple[str, ...]]:
        entries = await self.people.store.read(match)
        openings = [opening for entry in entries for opening in decode_openings(entry.s)]
        return {
            seat: tuple(opening.salt for opening in openings if seat is None or seat not in opening.seats)
            for seat in (None, 0, 1)
        }

    def askers(self, place: Place) -> Iterator[Asker]:
        """Yield everybody who may ask about a match."""

        def of(kind: str, *roles: Role, **more: Any) -> Asker:
            return Asker(
                f"the {kind}'s token", self.tokens[place.match, kind], "match", frozenset(roles), **more
            )

        yield Asker("nobody", None, "nothing")
        yield Asker("a stranger", secrets.token_urlsafe(32), "false")
        yield Asker("an ended session", self.persons["Gone"], "false")
        yield Asker("a person without a part", self.persons["Olga"], "person")
        # Anna's, who sits at every table: what she sees is not for her programs.
        yield Asker("a bot's key", self.tokens["bot", "key"], "bot")
        yield Asker("an inbox's key", self.tokens["inbox", "key"], "inbox")
        if not place.is_known:
            return
        yield Asker("another seat", self.tokens["", "seat"], "elsewhere")
        yield Asker("another host", self.tokens["", "host"], "elsewhere")
        seated: tuple[Role, ...] = ("seat", "alone") if place.state == "practice" else ("seat",)
        yield Asker("a person who sits", self.persons["Anna"], "person", frozenset(seated), seat=0)
        yield Asker("a person who stood up", self.persons["Emil"], "person", was_there=True)
        yield Asker("the host's person", self.persons["Dora"], "person", frozenset({"host"}))
        in_club: tuple[Role, ...] = ("club",) if place.shown == "club" else ()
        yield Asker("a person in the club", self.persons["Klara"], "person", frozenset(in_club))
        yield of("host", "host")
        yield of("former", was_there=True)
        if place.state != "practice":
            yield of("seat", "seat", seat=1)

    def place(self, shown: Shown, state: str) -> Place:
        return next(one for one in self.places if (one.shown, one.state) == (shown, state))

    def asker(self, place: Place, name: str) -> Asker:
        return next(asker for asker in self.askers(place) if asker.name == name)

    def dump(self) -> set[tuple[str, str]]:
        """Return all that is stored but for how far people have looked, to compare."""
        matches = {(match, str(known.meta)) for match, known in self.store._matches.items()}
        server = self.people.log_client.connection_pool.connection_kwargs["server"]
        people = {(key.decode(), _plain(item.value)) for key, item in server.dbs[0]._dict.items()}
        return matches | {row for row in people if not row[0].endswith(":looked")}

    def told(self, asker: Asker, match: str, text: str) -> None:
        """Note an answer, and make sure that it gives nothing away."""
        for salt in self.salts.get(match, {}).get(asker.seat, ()):
            assert salt not in text, f"{asker.name} learns what is sealed in {match}"

    def reader(self, asker: Asker) -> Reader:
        """Return the browser of somebody."""
        reader = Reader(self.api.app)
        reader.client.follow_redirects = False
        if asker.token is not None:
            reader.client.cookies.set("tablee", asker.token)
        return reader


def _plain(value: Any) -> str:
    if isinstance(value, bytes):
        return str(value)
    return str(sorted(value.items() if hasattr(value, "items") else value))


class _Log(LogWithArchive):
    """A log whose archive holds what was kept, and is not at hand for the rest."""

    async def _archived(self, match: str, after: int, last: int | None) -> list[StoredEntry]:
        return await super()._archived(match, after, last) if await self._archive.read(match) else []


@asynccontextmanager
async def house_at(folder: Path) -> AsyncIterator[House]:
    store, archive = MemoryEventStore(), Archive(FolderStorage(folder))
    log = _Log(store, archive)
    app = create_app(Settings(), lambda: memory_application(log), durable)
    async with started(app):
        door = httpx.ASGITransport(app=cast("Any", app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=door, base_url="http://tablee.test") as client:
            house = House(Api(client, app), store, archive)
            await house.build()
            yield house
