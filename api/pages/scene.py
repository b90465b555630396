"""What a match's page shows to one reader: everything that the renderer needs, and nothing that it must not know."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

import msgspec

from api.pages.offers import Offers, OpenRequest
from api.pages.outcomes import Outcome
from api.pages.people import Sign, signs_of
from api.pages.visits import Preferences
from domain.instants import EARLIEST, Instant
from domain.match.apply_clock import PAUSE
from domain.match.clock_terms import DAY
from domain.match.decide_gathering import AHEAD_SINCE
from domain.match.events import MATCH_ENDS
from domain.match.say import REPLACE
from domain.match.state import OVER
from domain.match.view import MatchView, SeatView
from services.matches.former_holders import FormerHolder
from services.matches.history import Line, joined
from services.notices.nudging import Nudged
from services.words.match import ASKED, GIFT
from services.words.names import level_name
from services.words.phrases import phrase, words_in
from services.words.refusals import Refusal
from services.words.times import duration, local_moment

PAUSES: Final = (3600, 6 * 3600, 12 * 3600, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY)
"""Seconds of the pauses that a form offers."""

UTC: Final = ZoneInfo("UTC")


class Notice(msgspec.Struct, frozen=True):
    """What went otherwise than the reader wanted.

    Attributes:
        kind: ``refused`` or ``stale``.
        text: In words.
        rule: The rule's anchor on the page of the game's rules; empty for none.
    """

    kind: str
    text: Refusal
    rule: str = ""


class Scene(msgspec.Struct, frozen=True):
    """What a match shows.

    Attributes:
        view: The match as the reader may see it.
        names: How the seats are called.
        lines: The latest lines of its history, the oldest first.
        former: Who no longer sits where they sat when those lines were made.
        kept_for_me: The seats that are kept for the reader.
        form_token: What its forms carry; empty where there are none.
        is_host: Whether the reader may start and end it.
        offers: What else they may do.
        requests: What waits for consent.
        choice: Which half of a move they are at, where moves have two.
        notice: What was refused.
        address: The match's address for others, with its host.
        rematch_key: What makes posting the form of a rematch twice one press.
        asking_key: The same for the form with which a reader from outside asks for a seat; empty where they cannot.
        newcomers: How those are called who ask for a seat, by request.
        has_rematch: Whether somebody has made the rematch of a match that is over.
        is_replay: Whether it is looked at, not played.
        time_left: How long the one who is to move may still think; empty for no limit.
        briefly_left: The same in a few letters, for where there is no room.
        counted: The same in milliseconds where it is short enough to be counted down; None where it is not.
        waiting_elsewhere: How many other tables wait for the reader.
        bank: What they have in the bank besides; empty for no bank.
        plans: What the reader may want to be played for them.
        plan_waits: Whether their plan waits for them, because something was taken back.
        nudges: Whom the reader may nudge, and who was nudged within a day.
        now: When this is shown.
        zone: Where the reader lives; UTC if they never said.
        read: Up to which version they have read the sheets that lay over the table.
        preferences: How they want the page.
        before: The match after their own last move; None where nothing is to be compared.
        ended: The match at the end of the round that was scored last; None if that is no news.
        outcome: How the match went; None until it is over.
    """

    view: MatchView
    names: tuple[str, ...]
    language: str
    lines: tuple[Line, ...] = ()
    former: tuple[FormerHolder, ...] = ()
    kept_for_me: tuple[int, ...] = ()
    form_token: str = ""
    is_host: bool = False
    offers: Offers = Offers()
    requests: tuple[OpenRequest, ...] = ()
    choice: str = ""
    notice: Notice | None = None
    address: str = ""
    is_replay: bool = False
    time_left: str = ""
    briefly_left: str = ""
    counted: int | None = None
    rematch_key: str = ""
    asking_key: str = ""
    newcomers: Mapping[str, str] = {}
    has_rematch: bool = False
    waiting_elsewhere: int = 0
    bank: str = ""
    plans: tuple[Any, ...] = ()
    plan_waits: bool = False
    nudges: tuple[Nudged, ...] = ()
    now: Instant = EARLIEST
    zone: ZoneInfo = UTC
    read: int = 0
    preferences: Preferences = Preferences()
    before: MatchView | None = None
    ended: MatchView | None = None
    outcome: Outcome | None = None

    @property
    def game_key(self) -> str:
        """The game's key."""
        return self.view.terms.game

    @property
    def phase(self) -> str:
        """How far the match is."""
        return self.view.lifecycle.phase

    @property
    def seat(self) -> int | None:
        """The reader's seat."""
        return self.view.viewer

    def level_of(self, seat: int) -> str:
        """Return how well the bot on a seat plays, in the reader's language."""
        return level_name(self.view.seats[seat].level, self.language)

    @property
    def is_my_turn(self) -> bool:
        """Whether the reader's seat owes a move that no bot makes for it."""
        seat = self.seat
        return seat is not None and seat in self.view.to_act and not self.view.seats[seat].stand_in

    @property
    def may_move(self) -> bool:
        """Whether the reader's seat owes a move, or may choose again until everybody has chosen."""
        seat = self.seat
        return self.is_my_turn or (
            seat is not None and seat in self.view.may_act and not self.view.seats[seat].stand_in
        )

    @property
    def moves_since(self) -> int:
        """The version on which the reader's move is based."""
        return self.view.version if self.view.asked_at is None else self.view.asked_at

    @property
    def told(self) -> list[Line]:
        """The lines that say something, those of choices made at the same time as one."""
        return self._told(self.lines)

    def _told(self, lines: Iterable[Line]) -> list[Line]:
        return list(joined(lines, self.game_key, self.names, self.language, self.seat, self.former))

    @property
    def since(self) -> list[Line]:
        """What others have done since the reader's own last move, the oldest first."""
        if self.seat is None or self.is_replay or self.phase != "playing":
            return []
        last = last_move_of(self.lines, self.seat)
        return self._told(line for line in self.lines if line.version > last)

    @property
    def signs(self) -> tuple[Sign, ...]:
        """How the seats are marked, wherever they are shown."""
        return signs_of(self.names, self.view.seats)

    @property
    def is_live(self) -> bool:
        """Whether the reader plays here: their own cards then lie at the bottom."""
        return self.seat is not None and self.phase == "playing" and not self.is_replay

    @property
    def around(self) -> tuple[int, ...]:
        """The seats that are shown around the table, from the reader's left; all of them where nobody plays."""
        seats = len(self.view.seats)
        if self.seat is None:
            return tuple(range(seats))
        others = tuple((self.seat + step) % seats for step in range(1, seats))
        return others if self.is_live else (*others, self.seat)

    @property
    def waits_for_me(self) -> bool:
        """Whether the reader is to do something: move, answer, get ready, start."""
        if self.is_my_turn or any(request.waits_for_me for request in self.requests):
            return True
        if self.phase != "gathering":
            return False
        return (self.can_be_ready and self.is_full) or (self.is_host and self.offers.start)

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return all(seat.kind != "open" for seat in self.view.seats)

    @property
    def may_be_early(self) -> bool:
        """Whether people may be ready before all seats are taken: at older tables a newcomer would void it."""
        return self.view.terms.table >= AHEAD_SINCE

    @property
    def can_be_ready(self) -> bool:
        """Whether the reader may say that they are ready."""
        seat = self.seat
        return (
            self.phase == "gathering"
            and seat is not None
            and not self.view.seats[seat].ready
            and (self.is_full or self.may_be_early)
        )

    @property
    def begins_by_itself(self) -> bool:
        """Whether the match begins once everybody is ready."""
        return self.view.terms.start == "ready"

    @property
    def may_announce(self) -> bool:
        """Whether the reader may still announce a nonce: they have none, and nobody has shown theirs."""
        mine = self._gathering_seat
        return mine is not None and not (mine.nonce_hash or any(seat.nonce for seat in self.view.seats))

    @property
    def may_show(self) -> bool:
        """Whether the reader may show their nonce: they announced one, and everybody's seat is taken."""
        mine = self._gathering_seat
        return mine is not None and bool(mine.nonce_hash) and not mine.nonce and self.is_full

    @property
    def _gathering_seat(self) -> SeatView | None:
        return None if self.seat is None or self.phase != "gathering" else self.view.seats[self.seat]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.phase in OVER

    @property
    def awaited(self) -> str:
        """Who is to move."""
        return words_in(self.language).all_of(self.names[seat] for seat in self.view.to_act)

    @property
    def result(self) -> str:
        """How the match ended."""
        return next((line.text for line in reversed(self.lines) if line.type in MATCH_ENDS), "")

    @property
    def is_away(self) -> bool:
        """Whether a bot plays for the reader, who can come back."""
        seat = None if self.seat is None or self.phase != "playing" else self.view.seats[self.seat]
        return seat is not None and seat.stand_in and not seat.resigned

    @property
    def away(self) -> str:
        """For whom else bots play until they return."""
        seats = self.view.seats if self.phase == "playing" else ()
        away = [one.seat for one in seats if one.stand_in and not one.resigned and one.seat != self.seat]
        return words_in(self.language).all_of(self.names[seat] for seat in away) if away else ""

    @property
    def gift(self) -> str:
        """How much time one button gives."""
        return duration(self.offers.gift, self.language)

    @property
    def pauses(self) -> list[tuple[int, str]]:
        """The pauses that a form offers, with their words."""
        return [(seconds, duration(seconds, self.language)) for seconds in PAUSES]

    @property
    def paused_until(self) -> str:
        """When the pause ends that there is now; empty for none."""
        ends = [
            rest.ends for rest in self.view.rests if rest.why == PAUSE and rest.begins <= self.now < rest.ends
        ]
        return self.when(max(ends)) if ends else ""

    def when(self, instant: Instant) -> str:
        """Return an instant as the reader's clock shows it."""
        return local_moment(instant, self.zone, self.now, self.language)

    def asked(self, open_request: OpenRequest) -> str:
        """Return what somebody asks of the others."""
        request, words = open_request.request, words_in(self.language)
        yours, theirs = ASKED[request.kind]
        time = duration(request.seconds, self.language) if request.seconds else ""
        if request.kind == REPLACE and open_request.is_mine:
            yours = phrase("You ask to take over the seat of {name}.")
        said = words.say(yours if open_request.is_mine else theirs, name=self.names[request.seat], time=time)
        if request.kind != "undo" or not time:
            return said
        return f"{said} {words.say(GIFT, time=time)}"

    def place_of(self, seat: int) -> int:
        """Return the place that a seat has in the ranking, from 1; those that share it have the same."""
        better = 0
        for group in self.view.lifecycle.ranking:
            if seat in group:
                break
            better += len(group)
        return better + 1

    @property
    def scored(self) -> Line | None:
        """The latest round's end, while it is news: until the reader has acted in the round that follows.

        Its totals are those that hold: with what was settled after the count, such as a chip that went back.
        """
        has_begun = self.is_over
        settled: list[Line] = []
        for line in reversed(self.lines):
            if line.scores_round:
                return _settled(line, settled)
            if line.settles_score:
                settled.insert(0, line)
            elif line.starts_round:
                has_begun = True
            elif not has_begun and self.seat in {line.seat, None}:
                return None
        return None

    @property
    def settled(self) -> list[Line]:
        """What was settled after the latest round's count, the oldest first: why its totals are as they are."""
        scored = self.scored
        return [
            line for line in self.lines if scored and line.settles_score and line.version > scored.version
        ]

    @property
    def sheet(self) -> Line | None:
        """The round's end that lies over the table until the reader goes on."""
        scored = None if self.is_over or self.is_replay or self.seat is None else self.scored
        return scored if scored is not None and scored.version > self.read else None

    @property
    def next_round(self) -> str:
        """What was told about the deal that followed the latest round's end; empty before it."""
        scored = self.scored
        later = (line for line in self.lines if scored is not None and line.version > scored.version)
        return next((line.text for line in later if line.starts_round), "")

    @property
    def game(self) -> Any:
        """The game's view; None before the start."""
        return self.view.game


def _settled(scored: Line, settled: list[Line]) -> Line:
    """Return the line of a round's count with the totals that hold after it."""
    totals = list(cast("list[int]", scored.data["totals"]))
    for line in settled:
        totals[cast("int", line.data["seat"])] = cast("int", line.data["total"])
    return scored._replace(data={**scored.data, "totals": [*totals]})


def last_move_of(lines: Sequence[Line], seat: int) -> int:
    """Return the version of the latest event that came of what a seat did; of the match's start if it did nothing."""
    done = (line for line in reversed(lines) if line.seat == seat or line.type == "MatchStarted")
    return next((line.version for line in done), 0)
