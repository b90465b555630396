"""What knows people, put together by the installation's secret: for the service, and for operators' commands."""

import msgspec

from services.audit.reissues import Reissuing
from services.bootstrap import present_instant
from services.bootstrap.dossier_kinds import dossier_kinds
from services.bootstrap.log_parts import LogParts
from services.log.archive.importing import Importer
from services.matches.imports import Imports
from services.matches.leaving import Leaving
from services.matches.plans import Plans
from services.matches.resting import RestPlanner
from services.people.bookmarks import Bookmarks
from services.people.contacts import Contacts
from services.people.dossiers import Dossiers
from services.people.form_tokens import FormTokens
from services.people.identity import Identity
from services.people.imported_matches import ImportedMatches
from services.people.links import Links
from services.people.looks import Looks
from services.people.memberships import Memberships
from services.people.operators import Operators
from services.people.passkeys.passkeys import Passkeys
from services.people.persons import Persons
from services.people.played_tables import PlayedTables
from services.people.program_keys import ProgramKeys
from services.people.recovery_codes import RecoveryCodes
from services.people.reissues import Reissues
from services.people.sessions import Sessions
from services.people.talk import Talk
from services.people.ways_back import WaysBack
from services.projections.played import PlayedReader
from services.standings.club_results import ClubResults
from services.standings.leagues.reading import LeagueReader
from services.standings.leagues.running import LeagueRunner
from services.standings.leagues.tables import LeagueTables


class PeopleParts(LogParts, frozen=True, kw_only=True):
    """What works on a log, and knows people.

    Attributes:
        identity: Tokens.
        form_tokens: What proves that a form is from a page of ours.
        persons: Who people are, at all their tables.
        memberships: Which player at which match is whose.
        played: What people have played, found page by page.
        club_results: How the matches of clubs ended.
        league_runner: Runs their leagues.
        league_reader: How these stand.
        contacts: Where people can be reached.
        looks: How far they have seen their tables.
        bookmarks: Which positions they keep.
        imported: Which matches they brought from elsewhere.
        imports: Takes those in.
        keys: With which their own programs act.
        talk: What they say at tables.
        sessions: On which devices they are known.
        links: What lets them in on others.
        codes: What lets them in when they have lost all of them.
        passkeys: What their devices keep for them, to let them in.
        ways_back: Lets them back in.
        leaving: Takes them out of matches.
        dossiers: Everything that is kept about them.
        reissues: Who has given a lost seat back.
        reissuing: Gives one back.
        operators: Who may look behind the pages.
        rests: Records when people's clocks rest.
        plans: What people want to be played for them.
    """

    identity: Identity
    form_tokens: FormTokens
    persons: Persons
    memberships: Memberships
    played: PlayedReader
    club_results: ClubResults
    league_runner: LeagueRunner
    league_reader: LeagueReader
    contacts: Contacts
    looks: Looks
    bookmarks: Bookmarks
    imported: ImportedMatches
    imports: Imports
    keys: ProgramKeys
    talk: Talk
    sessions: Sessions
    links: Links
    codes: RecoveryCodes
    passkeys: Passkeys
    ways_back: WaysBack
    leaving: Leaving
    dossiers: Dossiers
    reissues: Reissues
    reissuing: Reissuing
    operators: Operators
    rests: RestPlanner
    plans: Plans


def with_people(parts: LogParts, secret: bytes) -> PeopleParts:
    """Add what knows people to what works on a log."""
    client, service, reader, names = parts.log_client, parts.service, parts.reader, parts.names
    identity, persons, memberships = Identity(secret, client), Persons(client), Memberships(client)
    sessions, contacts = Sessions(client, persons, memberships, names), Contacts(secret, client)
    links, codes, reissues = Links(client), RecoveryCodes(client), Reissues(client)
    leaving, imported = Leaving(service, reader), ImportedMatches(client)
    kinds = dossier_kinds(client, persons, memberships, sessions, contacts, leaving)
    dossiers = Dossiers(persons, memberships, kinds, leaving)
    tables = LeagueTables(parts.clubs, identity, memberships, reader, service, present_instant)
    return PeopleParts(
        **msgspec.structs.asdict(parts),
        identity=identity,
        form_tokens=FormTokens(secret),
        persons=persons,
        memberships=memberships,
        played=PlayedReader(parts.rows, PlayedTables(client), memberships),
        club_results=ClubResults(parts.rows, parts.clubs.tables, memberships),
        league_runner=LeagueRunner(parts.clubs, tables, present_instant),
        league_reader=LeagueReader(parts.rows),
        contacts=contacts,
        looks=Looks(client),
        bookmarks=Bookmarks(client),
        imported=imported,
        imports=Imports(Importer(parts.store, parts.archive), imported, memberships, names),
        keys=ProgramKeys(client, memberships),
        talk=Talk(client),
        sessions=sessions,
        links=links,
        codes=codes,
        passkeys=Passkeys(secret, client),
        ways_back=WaysBack(identity, persons, memberships, sessions, links, codes, dossiers, leaving),
        leaving=leaving,
        dossiers=dossiers,
        reissues=reissues,
        reissuing=Reissuing(service, reader, links, reissues),
        operators=Operators(client),
        plans=Plans(client, reader, service),
        rests=RestPlanner(reader, service, persons, memberships, present_instant),
    )
