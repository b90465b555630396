"""The words of leagues: what a table counts for, how things stand, and why something is refused."""

from collections.abc import Mapping
from typing import Final

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import Phrase, phrase

LEAGUE_STATES: Final[Mapping[str, Phrase]] = {
    "gathering": phrase("open for signing up"),
    "running": phrase("in play"),
    "finished": phrase("played to its end"),
    "called_off": phrase("called off"),
}

LEAGUE_TABLE_STATES: Final[Mapping[str, Phrase]] = {
    "planned": phrase("planned"),
    "waiting": phrase("waits for players"),
    "playing": phrase("in play"),
    "finished": phrase("finished"),
    "unplayed": phrase("not played: it counts for those who came"),
    "without_result": phrase("without a result: it counts for nobody"),
}

POINTS_NAMES: Final[Mapping[str, Phrase]] = {
    "share": phrase("1 for the first, 0 for the last, and evenly between"),
    "beaten": phrase("1 for everybody who came after you"),
    "wins": phrase("1 for the winner, which winners share"),
    "places": phrase("as you say, by places"),
}

DECIDED_NAMES: Final[Mapping[str, Phrase]] = {
    "wins": phrase("as many points as the one above, fewer tables won"),
    "between": phrase(
        "as many points and tables won as the one above, fewer points against those who are level with them"
    ),
    "placing": phrase("level with the one above but for the mean of places"),
    "nothing": phrase("level with the one above in everything"),
}
"""What puts somebody behind the one above them who has as many points."""

_TABLES: Final = phrase("A table of a league has one result at most.")
_BEGUN: Final = phrase("When a league begins, its schedule is made for those who take part.")

LEAGUE_REFUSALS: Final[Mapping[str, RefusalWords]] = {
    "league.unknown": RefusalWords(
        phrase("There is no such league in this club."), NOTHING, phrase("The club's page lists its leagues.")
    ),
    "league.name_missing": RefusalWords(
        phrase("The league has no name."), NOTHING, phrase("Give it one of up to {longest} characters.")
    ),
    "league.rounds_out_of_range": RefusalWords(
        phrase("A league cannot have so many rounds."),
        NOTHING,
        phrase("Choose up to {most}, or none for as many as it takes until everybody has met everybody."),
    ),
    "league.days_out_of_range": RefusalWords(
        phrase("A round cannot have so many days."), NOTHING, phrase("Choose 1 to {most} days.")
    ),
    "league.unknown_points": RefusalWords(
        phrase("Nothing called {points} says what a table counts for."),
        NOTHING,
        phrase("Choose one of these: {known}."),
    ),
    "league.places_unasked": RefusalWords(
        phrase("This league does not count by places."),
        phrase("Points for places go with the rule of places only."),
        phrase("Leave them out, or choose that rule."),
    ),
    "league.places_invalid": RefusalWords(
        phrase("These points for places make no sense."),
        phrase("A better place counts for as much as a worse one at least, and nobody loses points."),
        phrase("Give whole numbers from {highest} to 0 that fall, for up to {most} places."),
    ),
    "league.starts_too_early": RefusalWords(
        phrase("The first round cannot open in the past."), NOTHING, phrase("Choose a later day.")
    ),
    "league.not_sure": RefusalWords(
        phrase("The box was not ticked, so the league goes on."),
        phrase("Calling a league off cannot be undone."),
        phrase("Tick the box to call it off."),
    ),
    "league.by_invitation": RefusalWords(
        phrase("Only those who were asked take part in this league."),
        NOTHING,
        phrase("Ask whoever made the league."),
    ),
    "league.full": RefusalWords(
        phrase("The league has {most} people, with those who were asked."),
        phrase("The number of people in a league is limited."),
        NOTHING,
    ),
    "league.too_few": RefusalWords(
        phrase("In the league are {count}."),
        phrase("A league needs as many people as one table does."),
        phrase("Wait until {fewest} take part."),
    ),
    "league.too_many": RefusalWords(
        phrase("The club has {most} leagues that are not over."),
        phrase("The number of leagues that a club runs at once is limited."),
        phrase("Wait until one is over, or call one off."),
    ),
    "league.begun": RefusalWords(phrase("The league has begun."), _BEGUN, phrase("Make another one later.")),
    "league.over": RefusalWords(
        phrase("The league is over."), phrase("A league that is over stays as it is."), NOTHING
    ),
    "league.table_unknown": RefusalWords(
        phrase("The league has no such table."), NOTHING, phrase("Its schedule lists its tables.")
    ),
    "league.table_over": RefusalWords(phrase("The table is over."), _TABLES, NOTHING),
    "league.table_not_over": RefusalWords(
        phrase("The table goes on."), _TABLES, phrase("End it first, or let them play.")
    ),
    "league.table_has_result": RefusalWords(
        phrase("The table has a result."),
        _TABLES,
        phrase("Only what ended without a result is played again."),
    ),
}
"""By code."""
