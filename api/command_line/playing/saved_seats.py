"""Seats that were taken in the terminal, kept in the data folder so that one can come back to them.

A seat's token is as good as the seat: the files are for their owner's eyes only.
"""

import os
from pathlib import Path
from typing import Final

import msgspec

from services.log.event_store.checks import is_match_id

_FINISHED: Final = "finished"


class SavedSeat(msgspec.Struct, frozen=True):
    """A seat at a match.

    Attributes:
        seen: The last version that its holder has been told of.
        server: The address of the service, if it is not the one of the data folder.
    """

    match: str
    game: str
    seat: int
    token: str
    seen: int = 0
    server: str = ""


def save_seat(folder: Path, seat: SavedSeat) -> None:
    """Keep a seat."""
    seats = folder / "seats"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    seats.mkdir(mode=0o700, exist_ok=True)
    draft = seats / f".{seat.match}.{os.getpid()}"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(seat))
    draft.replace(seats / f"{seat.match}.json")


def find_seat(folder: Path, match: str) -> SavedSeat | None:
    """Return the seat at a match; the one taken last if the match is not named."""
    if match:
        # A name with slashes in it would lead out of the folder.
        return _read(folder / "seats" / f"{match}.json") if is_match_id(match) else None
    files = sorted((folder / "seats").glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
    return _read(files[-1]) if files else None


def forget_seat(folder: Path, seat: SavedSeat) -> None:
    """Drop a seat whose match is over; the last such seat is kept apart, for a rematch."""
    file = folder / "seats" / f"{seat.match}.json"
    if file.exists():
        file.replace(folder / "seats" / _FINISHED)


def finished_seat(folder: Path) -> SavedSeat | None:
    """Return the seat of the match that was last played to its end."""
    return _read(folder / "seats" / _FINISHED)


def _read(file: Path) -> SavedSeat | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=SavedSeat)
    except (OSError, msgspec.MsgspecError):
        return None
