"""The names of what is kept about clubs."""

from typing import Final

CLUBS: Final = "tb:people:clubs"
UNUSED: Final = "tb:people:clubs:unused"
LEAGUES_DUE: Final = "tb:people:leagues:due"


def club_key(club: str) -> str:
    """Return the name of a club's record."""
    return f"tb:people:club:{club}"


def clubs_of(person: str) -> str:
    """Return the name of the set of a person's clubs."""
    return f"tb:people:person:{person}:clubs"


def invitation_key(code: str) -> str:
    """Return the name of what leads from an invitation, by its code's hash, to its club."""
    return f"tb:people:invitation:{code}"


def open_tables(club: str) -> str:
    """Return the name of a club's tables that were not over when last looked at."""
    return f"tb:people:club:{club}:open"


def played_tables(club: str) -> str:
    """Return the name of a club's tables that are over."""
    return f"tb:people:club:{club}:played"


def club_of_table(match: str) -> str:
    """Return the name of what leads from a match to its club."""
    return f"tb:people:table:{match}"


def league_key(league: str) -> str:
    """Return the name of a league's record."""
    return f"tb:people:league:{league}"


def leagues_of_club(club: str) -> str:
    """Return the name of a club's leagues."""
    return f"tb:people:club:{club}:leagues"


def leagues_of_person(person: str) -> str:
    """Return the name of the set of leagues that know a person."""
    return f"tb:people:person:{person}:leagues"
