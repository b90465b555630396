"""The words of clubs: roles, and what everybody may do."""

from collections.abc import Mapping
from typing import Final

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import Phrase, phrase

ROLE_NAMES: Final[Mapping[str, Phrase]] = {
    "guest": phrase("guest"),
    "member": phrase("member"),
    "host": phrase("club host"),
    "operator": phrase("operator"),
}

ACTION_NAMES: Final[Mapping[str, Phrase]] = {
    "see": phrase("see the club, its members and the list of its tables"),
    "watch": phrase("watch tables that are for the club only"),
    "sit": phrase("take a seat at tables that are for the club only"),
    "leave": phrase("leave the club"),
    "make_tables": phrase("make tables for the club"),
    "make_leagues": phrase("make leagues, and run those that they made"),
    "run_leagues": phrase("run every league of the club"),
    "invite": phrase("invite people, and take invitations back"),
    "set_terms": phrase(
        "change the name of the club, the defaults of new tables, and the chat where the club is told"
    ),
    "give_roles": phrase("give members another role"),
    "remove": phrase("remove members"),
    "pass_on": phrase("pass the club on to another member"),
    "close": phrase("close the club"),
    "list_clubs": phrase("list all clubs of this house"),
}
"""What each action is, to end the sentence "may …"."""

INVITATION_STATES: Final[Mapping[str, Phrase]] = {
    "valid": phrase("open"),
    "used_up": phrase("used up"),
    "expired": phrase("expired"),
    "revoked": phrase("taken back"),
}

_INVITATIONS: Final = phrase("An invitation lets in as many people as it says, until its last day.")
_ASK: Final = phrase("Ask a host of the club for another one.")
_HOSTS: Final = phrase("A club always has a host.")

CLUB_REFUSALS: Final[Mapping[str, RefusalWords]] = {
    "club.unknown": RefusalWords(
        phrase("There is no such club, or you are not in it."),
        NOTHING,
        phrase("An invitation from one of its hosts lets you in."),
    ),
    "member.unknown": RefusalWords(
        phrase("Nobody in the club is called so by their id."), NOTHING, phrase("They may have left.")
    ),
    "invitation.unknown": RefusalWords(
        phrase("This invitation leads nowhere, or it ended long ago."),
        NOTHING,
        _ASK,
    ),
    "club.role_needed": RefusalWords(
        phrase("Your role in the club does not allow this."),
        phrase("Each role in a club has its rights."),
        phrase("Ask a host of the club."),
    ),
    "club.members_only": RefusalWords(
        phrase("This table is for a club."),
        phrase("Only people who are in the club see it, and sit down there."),
        phrase("An invitation to the club lets you in."),
    ),
    "invitation.used_up": RefusalWords(
        phrase("All places of this invitation are taken."), _INVITATIONS, _ASK
    ),
    "invitation.expired": RefusalWords(phrase("This invitation has expired."), _INVITATIONS, _ASK),
    "invitation.revoked": RefusalWords(
        phrase("This invitation was taken back."), phrase("Hosts may take invitations back."), _ASK
    ),
    "invitation.too_many": RefusalWords(
        phrase("The club has {most} open invitations."),
        phrase("The number of open invitations is limited."),
        phrase("Take back one that is no longer needed."),
    ),
    "invitation.for_hosts": RefusalWords(
        phrase("Nobody becomes host by an invitation."),
        phrase("Who has the link is in; hosts are chosen by name."),
        phrase("Invite them as a member, then make them host."),
    ),
    "club.full": RefusalWords(
        phrase("The club has {most} members."), phrase("The number of members is limited."), NOTHING
    ),
    "club.too_many": RefusalWords(
        phrase("You are in {most} clubs."),
        phrase("The number of clubs that one person may be in is limited."),
        phrase("Leave one of them first."),
    ),
    "club.too_many_tables": RefusalWords(
        phrase("The club has {most} open tables."),
        phrase("The number of open tables of a club is limited."),
        phrase("End one that nobody plays at."),
    ),
    "club.last_host": RefusalWords(
        phrase("You are the last host of the club."),
        _HOSTS,
        phrase("Make somebody else host first, or close the club."),
    ),
    "club.name_missing": RefusalWords(
        phrase("The club has no name."),
        NOTHING,
        phrase("Give it one of up to {longest} characters."),
    ),
    "club.not_sure": RefusalWords(
        phrase("The box was not ticked, so the club is still there."),
        phrase("Closing a club cannot be undone."),
        phrase("Tick the box to close it."),
    ),
}
"""By code."""
