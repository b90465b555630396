"""What a league is played by, and the tables that follow from it. Pure."""

from collections.abc import Sequence
from itertools import pairwise

from domain.errors import Refused
from domain.games.registry import CURRENT
from domain.instants import EARLIEST
from domain.match.commands import Context, CreateMatch, SeatPlan
from domain.match.decide_table import create
from domain.match.state import Match
from services.people.clubs.league import LONGEST_ROUND, MOST_PLACE_POINTS, POINTS_RULES, LeagueTerms
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
    _check_places(terms)
    # Tables of a league have several sizes, as people come and go: all of them must be possible.
    for seats in {*range(smallest_table(terms), terms.seats), terms.seats}:
        create(Match(), table_command(terms, "", ("",) * seats, _ANY_SEED), Context(EARLIEST))


def _check_places(terms: LeagueTerms) -> None:
    places = terms.places
    if terms.points != "places":
        if places:
            raise Refused("league.places_unasked", "points")
        return
    falls = all(one >= other for one, other in pairwise(places))
    is_within = places and places[0] <= MOST_PLACE_POINTS and places[0] > 0 <= places[-1]
    if len(places) > terms.seats or not falls or not is_within:
        raise Refused("league.places_invalid", "points", most=terms.seats, highest=MOST_PLACE_POINTS)


def smallest_table(terms: LeagueTerms) -> int:
    """Return how many people a table of a league has at least: one person alone plays against nobody."""
    return max(2, 0 if terms.bots else CURRENT[terms.game].seats[0])


def table_command(terms: LeagueTerms, host: str, kept: Sequence[str], seed: str) -> CreateMatch:
    """Return the command that makes a table of a league, with a seat kept for each of some invitations.

    Where bots are allowed, they take the seats for which people are missing: after the people's.
    """
    bots = terms.seats - len(kept) if terms.bots else 0
    return CreateMatch(
        game=terms.game,
        options=dict(terms.options),
        seats=(*(SeatPlan(kept=one) for one in kept), *((SeatPlan(bot=terms.bots),) * bots)),
        host=host,
        seed=seed,
        clock=terms.clock,
        undo=terms.undo,
        visibility=terms.visibility,
        start="ready",
        friendly=terms.friendly,
    )
