"""The services' branch of the error tree (see :mod:`domain.errors`).

::

    TableeError
    ├── NoSuchMatch             404
    │   └── NoSuchVersion       404: the match has not come so far
    ├── NoSuchClub              404: no club with this id, or none of the asker's
    │   ├── NoSuchMember        404: ... has no member with this id
    │   ├── NoSuchInvitation    404: ... has no such invitation, or no longer
    │   └── NoSuchLeague        404: ... has no such league
    ├── NoSuchContact           404: the person has no such contact
    ├── NoSuchMessage           404: nothing like this was said at the table, or it was deleted
    ├── NoSuchKey               404: no key of the asker's
    ├── NotAllowed              403: the actor may not do this at all
    │   ├── SeatNotHeld         403: ... because they hold no seat at this match
    │   ├── ClubRoleNeeded      403: ... because of their role in the club
    │   └── ClubMembersOnly     403: ... because the table is for a club that they are not in
    ├── Unauthenticated         401: no token, or one that nobody holds
    ├── NoWayBack               404: nothing that lets anybody back in
    │   ├── NoSuchLink          404: ... no link of ours, or one that ended long ago
    │   ├── NoSuchCode          404: ... no recovery code, or one that was replaced
    │   └── NoSuchPasskey       404: ... no passkey that is kept here, or no longer
    ├── NoSuchDevice            404: not signed in there, or no longer
    ├── LinkEnded               410: a link that opens nothing any more
    │   ├── LinkUsed            410: ... because somebody has used it
    │   ├── LinkExpired         410: ... because its time is over
    │   └── LinkRevoked         410: ... because it was taken back, or another one made after it
    ├── MatchClosed             410: finished, abandoned or archived
    ├── StaleVersion            412: If-Match no longer holds
    ├── CommandIdReused         422: the same command id with another body
    ├── MatchFull               422: the limit of events is reached
    ├── TooManyRequests         429: more than one person, or one address, may ask for
    ├── Contended               503: too many conflicts in a row; nothing was changed
    ├── MatchesBusy             503: too many whole matches are asked for; ask again
    ├── StoreUnavailable        503: the store did not answer; nothing was changed
    │   ├── StoreFull           503: ... it answers, and its memory or its disk takes nothing more
    │   ├── StoreReadOnly       503: ... it answers, and is a copy that only reads
    │   ├── StoreWentBack       503: ... it is older than it was, and takes nothing until an operator has looked
    │   └── ReleaseTooOld       503: ... it answers, and holds what only newer releases can read
    ├── LogBroken               500: the match's log contradicts itself; nothing of it is told, nothing was changed
    ├── OutcomeUnknown          503: sent, but no answer came; send the same command again
    └── BelongsElsewhere        a process does not start: its log and something else do not belong together
"""

from domain.errors import TableeError


class NoSuchMatch(TableeError):
    """There is no match with this id."""

    code = "match.unknown"


class NoSuchVersion(NoSuchMatch):
    """The match exists, and has no such version (yet)."""

    code = "version.unknown"


class NoSuchClub(TableeError):
    """There is no club with this id, or the asker is not in it and is not to know."""

    code = "club.unknown"


class NoSuchMessage(TableeError):
    """Nothing like this was said at the table, or it was deleted."""

    code = "talk.unknown"


class NoSuchKey(TableeError):
    """The asker has no key with this id."""

    code = "key.unknown"


class NoSuchMember(NoSuchClub):
    """Nobody in the club has this id."""

    code = "member.unknown"


class NoSuchInvitation(NoSuchClub):
    """No invitation has this code or id, or it ended long ago."""

    code = "invitation.unknown"


class NoSuchLeague(NoSuchClub):
    """The club has no league with this id."""

    code = "league.unknown"


class NoSuchContact(TableeError):
    """The person has no such contact, or no longer."""

    code = "contact.unknown"


class Unauthenticated(TableeError):
    """No token was given, or one that opens nothing here."""

    code = "token.unknown"


class NotAllowed(TableeError):
    """The actor is known and may not do this."""

    code = "not_allowed"


class SeatNotHeld(NotAllowed):
    """The player holds no seat at this match, or no longer."""

    code = "seat.not_held"


class ClubRoleNeeded(NotAllowed):
    """The actor's role in the club does not allow this."""

    code = "club.role_needed"

    def __init__(self, standing: str = "", action: str = "") -> None:
        super().__init__(f"{standing}: {action}")


class ClubMembersOnly(NotAllowed):
    """The table is for a club, and the actor is not in it."""

    code = "club.members_only"


class NoWayBack(TableeError):
    """It lets nobody back in."""

    code = "way_back.unknown"


class NoSuchLink(NoWayBack):
    """There is no such link, or it ended long ago."""

    code = "link.unknown"


class NoSuchCode(NoWayBack):
    """It is nobody's recovery code, or no longer."""

    code = "recovery_code.unknown"


class NoSuchPasskey(NoWayBack):
    """It is nobody's passkey, or no longer, or none of the asker's."""

    code = "passkey.unknown"


class NoSuchDevice(TableeError):
    """The person is not signed in on such a device, or no longer."""

    code = "device.unknown"


class LinkEnded(TableeError):
    """The link opens nothing any more."""

    code = "link.ended"


class LinkUsed(LinkEnded):
    """Somebody has used the link, which works once."""

    code = "link.used"


class LinkExpired(LinkEnded):
    """The link's time is over."""

    code = "link.expired"


class LinkRevoked(LinkEnded):
    """The link was taken back, or another one was made after it."""

    code = "link.revoked"


class MatchClosed(TableeError):
    """The match has ended and takes no more commands.

    Attributes:
        status: How the store sees it: ``closed`` or ``archived``.
    """

    code = "match.closed"

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


class StaleVersion(TableeError):
    """The version on which the command was based is too old.

    Attributes:
        given: The version in ``If-Match``.
        version: The present version.
    """

    code = "version.stale"

    def __init__(self, given: int, version: int) -> None:
        super().__init__(f"given {given}, present {version}")
        self.given = given
        self.version = version


class CommandIdReused(TableeError):
    """The actor sent this command id before with another body."""

    code = "command.id_reused"


class MatchFull(TableeError):
    """The match has reached its limit of events; it can only be ended."""

    code = "match.full"


class TooManyRequests(TableeError):
    """More requests came than one person, or one address, may make; nothing was changed.

    Attributes:
        wait: Seconds until the next one may come.
    """

    code = "requests.too_many"

    def __init__(self, wait: float) -> None:
        super().__init__(f"{wait:.3f} s")
        self.wait = wait


class Contended(TableeError):
    """Other commands won every time; nothing was changed."""

    code = "match.contended"


class MatchesBusy(TableeError):
    """More whole matches are asked for at once than are made; nothing is wrong with any of them."""

    code = "matches.busy"


class LogBroken(TableeError):
    """What askers are told of a ``BrokenLog``: that there is one. What is wrong with it is for the operator."""

    code = "log.broken"


class StoreUnavailable(TableeError):
    """The store did not answer before anything was sent; nothing was changed."""

    code = "store.unavailable"


class StoreFull(StoreUnavailable):
    """The store's memory or its disk is full; nothing was changed, and all that was kept is safe."""

    code = "store.full"


class StoreReadOnly(StoreUnavailable):
    """The store is a replica that takes no writes; nothing was changed."""

    code = "store.read_only"


class StoreWentBack(StoreUnavailable):
    """The store is an older copy of itself; what is written to it now makes two histories."""

    code = "store.went_back"


class ReleaseTooOld(StoreUnavailable):
    """A newer release has written something that this process cannot read; processes of that release can."""

    code = "release.too_old"


class OutcomeUnknown(TableeError):
    """The command was sent, and the connection broke before the answer: it may or may not be stored."""

    code = "outcome.unknown"


class BelongsElsewhere(TableeError):
    """A process was given a log and, with it, something that belongs to another one; it must not start.

    Attributes:
        code: ``secret.differs``, ``archive.differs``, ``jobs.of_another_installation``,
            ``jobs.other_servers``, ``jobs.on_a_cluster`` or ``release.too_old``.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
