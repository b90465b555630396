"""A person's keys, as the API and the pages show and revoke them."""

import asyncio
import re
from typing import Final

from domain.match.commands import HandSeatToBot
from services.bootstrap.parts import Application
from services.people.program_keys import ProgramKey

_ID: Final = re.compile(r"k[a-z2-7]{20}").fullmatch


async def shown_keys(application: Application, person: str) -> list[tuple[ProgramKey, tuple[str, ...]]]:
    """Return a person's keys, the newest first, each with the matches at which it holds or held a seat.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    keys = await application.keys.of(person)
    seats = await asyncio.gather(*(application.memberships.of(key.id) for key in keys))
    return [
        (key, tuple(membership.holder.match for membership in some))
        for key, some in zip(keys, seats, strict=True)
    ]


async def revoke_key(application: Application, person: str, key_id: str) -> bool:
    """Revoke a person's key, and let a bot of the house play on for its own; tell whether it was theirs.

    Raises:
        StoreUnavailable, OutcomeUnknown, Contended: It may be tried again.
    """
    seats = await application.keys.revoke(person, key_id) if _ID(key_id) else None
    if seats is None:
        return False
    for seat in seats:
        await application.leaving.leave(seat, running=HandSeatToBot)
    return True
