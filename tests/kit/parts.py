"""The parts of a process over a log in memory. What a test does not name is missing, and of no use to it."""

from typing import Any

from services.bootstrap.log_parts import LogParts
from services.bootstrap.people import PeopleParts, with_people
from services.log.release_floor import ReleaseFloor
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.matches.tables_of_clubs import TablesOfClubs
from services.people.clubs.clubs import Clubs
from services.people.player_names import PlayerNames
from services.projections.inbox import InboxReader
from services.projections.list_reader import ListReader, Look
from services.projections.listing import Listing
from tests.kit.instants import NOON

SECRET = b"a secret of the tests that nobody uses anywhere else"


def people_over(
    client: Any, store: Any, now: Any = lambda: NOON, look: Look | None = None, **more: Any
) -> PeopleParts:
    """Return what knows people, and what works on the log; with a look at rows, what lists matches, too."""
    reader = MatchReader(store)
    parts: dict[str, Any] = dict.fromkeys(LogParts.__struct_fields__)
    parts |= {"store": store, "reader": reader, "service": MatchService(store, reader, now)}
    clubs = Clubs(client)
    parts |= {"clubs": clubs, "tables_of_clubs": TablesOfClubs(reader, clubs.tables)}
    if look is not None:
        rows = ListReader(look, store.shards)
        inbox = InboxReader(rows, store, reader)
        parts |= {"rows": rows, "listing": Listing(look, store.shards), "inbox": inbox}
    parts |= {"floor": ReleaseFloor(client)}
    parts |= {"log_client": client, "names": PlayerNames(client)} | more
    return with_people(LogParts(**parts), SECRET)
