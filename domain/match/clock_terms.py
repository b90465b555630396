"""Which clocks a table may choose, and what follows from the choice."""

from typing import Final, get_args

from domain.errors import Refused
from domain.match.clock import Absent, ClockTerms
from domain.match.state import Match

SHORTEST_TURN, LONGEST_TURN = 10, 30 * 24 * 3600
"""Bounds of a clock's ``per_turn``, in seconds."""

LONGEST_BANK: Final = 30 * 24 * 3600
"""The most that a bank may hold, in seconds."""

MOST_MISSES: Final = 9
"""The most turns in a row that may be missed before the table acts."""

ABSENT: Final = get_args(Absent)
"""What a table may do then."""

LIVE_BELOW: Final = 3600
"""At tables with fewer seconds a turn, people sit there together."""

DAY: Final = 24 * 3600


def check_clock(terms: ClockTerms) -> None:
    """Refuse a clock that no table can have.

    Raises:
        Refused: A number is out of range, or something is chosen that needs a time for each turn.
    """
    seconds = terms.per_turn
    if seconds and not SHORTEST_TURN <= seconds <= LONGEST_TURN:
        raise Refused(
            "clock.out_of_range", "clock", per_turn=seconds, shortest=SHORTEST_TURN, longest=LONGEST_TURN
        )
    if not 0 <= terms.bank <= LONGEST_BANK:
        raise Refused("clock.bank_out_of_range", "clock", bank=terms.bank, longest=LONGEST_BANK)
    if not 1 <= terms.misses <= MOST_MISSES:
        raise Refused("clock.misses_out_of_range", "clock", misses=terms.misses, most=MOST_MISSES)
    if terms.absent not in ABSENT:
        raise Refused("clock.absent_unknown", "clock", absent=terms.absent, known=ABSENT)
    if terms != ClockTerms() and not terms.per_turn:
        raise Refused("clock.needs_turns", "clock")
    if terms.rests and terms.per_turn < LIVE_BELOW:
        raise Refused("clock.too_quick_for_rests", "clock", shortest=LIVE_BELOW)


def seconds_to_answer(state: Match) -> int:
    """Return how long somebody who is away keeps their say: the time of one turn, at tables without haste a day."""
    per_turn = state.terms.clock.per_turn if state.terms is not None else 0
    return per_turn if 0 < per_turn < LIVE_BELOW else max(DAY, per_turn)
