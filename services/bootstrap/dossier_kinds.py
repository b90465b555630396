"""All that is kept about a person: the one row that their own file, the joining of persons and an erasure go along."""

from typing import TYPE_CHECKING

from services.notices.channels.feed import Feed
from services.notices.kept import NoticesTold, WaysToReach
from services.notices.outbox import Outbox
from services.people.bookmarks import Bookmarks, PositionsKept
from services.people.clubs.clubs import Clubs
from services.people.clubs.dossier_kind import PlacesInClubs, PlacesInLeagues
from services.people.clubs.leagues import Leagues
from services.people.contacts import Contacts
from services.people.dossier_kinds import (
    Devices,
    NamesAtTables,
    PasskeysOfDevices,
    Record,
    Tables,
    WaysBackIn,
)
from services.people.dossiers import Kind, Leaving
from services.people.imported_matches import ImportedMatches, MatchesBrought
from services.people.links import Links
from services.people.looks import Looks, LooksAtTables
from services.people.memberships import Memberships
from services.people.passkeys.kept import KeptPasskeys
from services.people.persons import Persons
from services.people.player_names import PlayerNames
from services.people.program_keys import KeysOfPrograms, ProgramKeys
from services.people.recovery_codes import RecoveryCodes
from services.people.sessions import Sessions
from services.people.talk import Talk, WordsAtTables

if TYPE_CHECKING:
    import redis.asyncio


def dossier_kinds(
    client: "redis.asyncio.Redis",
    persons: Persons,
    memberships: Memberships,
    sessions: Sessions,
    contacts: Contacts,
    leaving: Leaving,
) -> tuple[Kind, ...]:
    """Return the kinds in the order in which they are erased.

    First the devices, so that nobody comes in meanwhile; last what leads to the rest.
    """
    return (
        Devices(sessions),
        WaysBackIn(Links(client), RecoveryCodes(client)),
        PasskeysOfDevices(KeptPasskeys(client)),
        KeysOfPrograms(ProgramKeys(client, memberships), memberships, PlayerNames(client), leaving),
        LooksAtTables(Looks(client)),
        WordsAtTables(Talk(client)),
        PositionsKept(Bookmarks(client)),
        MatchesBrought(ImportedMatches(client)),
        # Every other store about people has its line here.
        PlacesInLeagues(Leagues(client)),
        PlacesInClubs(Clubs(client)),
        WaysToReach(contacts),
        NoticesTold(Outbox(client), Feed(client)),
        NamesAtTables(PlayerNames(client)),
        Tables(memberships),
        Record(persons),
    )
