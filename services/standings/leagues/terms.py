"""What a league is played by, and the tables that follow from it. Pure."""

from collections.abc import Sequence

from domain.errors import Refused
from domain.games.registry import CURRENT
from domain.instants import EARLIEST
from domain.match.commands import Context, CreateMatch, SeatPlan
from domain.match.decide_table import create
from domain.match.state import Match
from services.people.clubs.league import LONGEST_ROUND, POINTS_RULES, LeagueTerms
from services.standings.leagues.schedule import MOST_ROUNDS

_ANY_SEED = "0" * 64


def check_terms(terms: LeagueTerms) -> None:
    """Refuse terms by which no table could be made, or no round played.

    Raises:
        Refused: They are so.
    """
    if terms.game not in CURRENT:
        raise Refused("game.unknown", "games", game=terms.game, known=tuple(sorted(CURRENT)))
    if not 0 <= terms.rounds <= MOST_ROUNDS:
        raise Refused("league.rounds_out_of_range", "rounds", most=MOST_ROUNDS)
    if not 1 <= terms.days <= LONGEST_ROUND:
        raise Refused("league.days_out_of_range", "rounds", most=LONGEST_ROUND)
    if terms.points not in POINTS_RULES:
        raise Refused("league.unknown_points", "points", points=terms.points, known=POINTS_RULES)
    # Tables of a league have several sizes, as people come and go: all of them must be possible.
    for seats in {*range(smallest_table(terms.game), terms.seats), terms.seats}:
        create(Match(), table_command(terms, "", ("",) * seats, _ANY_SEED), Context(EARLIEST))


def smallest_table(game: str) -> int:
    """Return how many people a table of a league has at least: one person alone plays against nobody."""
    return max(2, CURRENT[game].seats[0])


def table_command(terms: LeagueTerms, host: str, kept: Sequence[str], seed: str) -> CreateMatch:
    """Return the command that makes a table of a league, with a seat kept for each of some invitations."""
    return CreateMatch(
        game=terms.game,
        options=dict(terms.options),
        seats=tuple(SeatPlan(kept=one) for one in kept),
        host=host,
        seed=seed,
        clock=terms.clock,
        undo=terms.undo,
        visibility=terms.visibility,
        start="ready",
        friendly=terms.friendly,
    )
