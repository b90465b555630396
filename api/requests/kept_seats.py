"""Keeping seats for people, who are told that a seat waits for them."""

from collections.abc import Iterable

from api.parts import Parts


async def invitations_for(parts: Parts, match: str, persons: Iterable[str]) -> list[str]:
    """Return the invitations with which people take the seats that a table keeps for them, in the same order.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    application, found = parts.application, []
    for person in persons:
        found.append(application.identity.kept_for(match, person))
        # The log has the invitation alone, which leads to nobody without this.
        await application.memberships.offer(person, found[-1])
    return found
