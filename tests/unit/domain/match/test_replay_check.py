"""The referee: a history that was forged against the rules, sealed and chained anew, is found all the same."""

from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from domain.games.lama.moves import Draw, Play
from domain.games.odin.moves import Pass
from domain.games.recorded_chance import GameEvent
from domain.instants import after
from domain.match.commands import (
    AbandonMatch,
    AnnounceExpiry,
    AskToEnd,
    BeReady,
    Command,
    CreateMatch,
    EndMatch,
    Fork,
    HandSeatOver,
    LapseRequest,
    ReissueSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
    UndoMove,
    VoidMatch,
    WithdrawRequest,
)
from domain.match.events import (
    ExpiryAnnounced,
    MatchAbandoned,
    MatchCreated,
    MatchFinished,
    MatchForked,
    MoveUndone,
    RequestLapsed,
    SeatTaken,
    TurnTimedOut,
)
from domain.match.expiry import PATIENCE
from domain.match.say import REQUEST_SECONDS
from domain.match.state import Entropy, Terms
from domain.match.verification import verify
from domain.viewers import SPECTATOR
from tests.kit.forging import forged, other
from tests.kit.games import EVERY_GAME, every_game, every_game_played_by_turns, name_of
from tests.kit.instants import NOON, at
from tests.kit.log import events_of, rechained, redacted
from tests.kit.options import choices, player_counts, shortest
from tests.kit.play import Player
from tests.kit.table import SEED, Table, started
from tests.kit.tampering import changed, replaced

ACCOUNTING = frozenset(
    {
        "below", "closer", "doubled", "last", "leader", "next_seat", "over", "points", "ranking", "raw", "reached",
        "return_asked", "round", "shuffle", "stalled", "starter", "sums", "total", "totals", "turns", "winner",
    }
)  # fmt: skip
"""Fields that follow from the state and the move: whatever else they say is against the rules at that very event."""

CARDS = frozenset({"boards", "discarded", "hands", "pile", "replaced", "undealt"})
"""Fields with cards that no move chooses."""

FOUND_FIRST = frozenset({"rules.differs", "deal.differs", "draw.differs", "log.cannot_be_folded"})
"""What may be said of such a field: what a shuffle was for is part of it, and some events cannot even be folded."""


def judged(log) -> tuple[str, int]:
    """Return what verifying a log by the rules comes to: code and first bad event."""
    verdict = verify("m1", log, complete=True, rules=True)
    return verdict.code, verdict.bad_version


def of_one_round(game, seats: int) -> Table:
    """Return a match that is over after one round, or after a few."""
    table = started(game, seats, options=shortest(game))
    player = Player(table, Random(f"{game.key} {seats}"))
    while player.is_on:
        player.bot_move()
    return table


@pytest.fixture(scope="module", params=EVERY_GAME, ids=name_of)
def over(request) -> Table:
    return of_one_round(request.param, 3)


class TestWhatThePlayersDid:
    def test_every_command_is_decided_again(self, over):
        verdict = verify("m1", over.entries, complete=True, rules=True)
        assert verdict.good, verdict
        assert verdict.commands == len(over.accepted)
        assert verify("m1", over.entries, complete=True).commands == 0

    def test_a_request_tells_what_the_asker_has_seen_or_as_it_once_did_what_anybody_has(self):
        table = started("lama", 3, undo="consent")
        leader = table.to_act[0]
        table.move(leader, next(move for move in table.legal(leader) if isinstance(move, Play)))
        table.move(table.to_act[0], Draw())
        table.when(UndoMove(leader, "k1"))
        asked = table.position.version
        verdicts = [
            judged(forged(table.entries, asked, partial(replace, known=known)))[0] for known in (0, 2, 1)
        ]
        # The others have learned the card that was played, and one of them the card that they drew.
        assert verdicts == ["", "", "rules.differs"]

    @pytest.mark.parametrize("number", range(8))
    @every_game
    def test_random_matches_are_good(self, game, number):
        random = Random(f"{game.key} {game.rules_number} {number}")
        seats = random.choice(player_counts(game))
        table = started(
            game, seats, bots=number % 2, options=random.choice(choices(game, seats)), per_turn=60,
            undo=random.choice(("off", "free", "consent", "practice")), seed=random.randbytes(32).hex(),
        )  # fmt: skip
        player = Player(table, random)
        doings = (player.random_move,) * 9 + (
            player.bot_move, player.time_out, player.leave, player.undo, player.redo, player.ask, player.wait,
        )  # fmt: skip
        while player.is_on and table.position.version < 250:
            random.choice(doings)()
        assert judged(table.entries) == ("", 0)

    @pytest.mark.parametrize("same_cards", [True, False], ids=["same cards", "dealt anew"])
    @every_game
    def test_forks_are_good(self, game, same_cards):
        parent, table = in_its_course(game), Table()
        assert parent.state.terms is not None
        fork = Fork(
            "m0", game.key, parent.position.version, parent.position.head.hex(), game.rules_number,
            parent.state.terms.options, parent.present, parent.state.cards_from, same_cards, 1,
        )  # fmt: skip
        plans = (SeatPlan(), SeatPlan("steady"), SeatPlan("steady"))
        table.when(CreateMatch(game.key, {}, plans, "host", table.seed, fork=fork))
        table.when(TakeSeat("player-0", 0)).when(BeReady(0)).when(StartMatch())
        player = Player(table, Random(game.key))
        while player.is_on and table.position.version < 150:
            player.bot_move()
        assert player.moves
        assert judged(table.entries) == ("", 0)

    @pytest.mark.parametrize(
        "command",
        [
            EndMatch("the club closes"),
            VoidMatch("wrong table"),
            HandSeatOver(0, "on holiday", "steady"),
            ReissueSeat(0, "lost"),
            ReissueSeat(None, "lost"),
        ],
        ids=["end", "void", "hand over", "reissue", "reissue host"],
    )
    def test_what_an_operator_did_is_decided_again(self, command: Command):
        table = started("lama", 3)
        table.when(command, metadata=table.metadata(None, "operator", "operator"))
        assert table.refusal is None
        assert judged(table.entries) == ("", 0)

    def test_a_request_whose_time_ran_out_is_decided_again(self):
        table = started("lama", 3).when(AskToEnd(0, "c-end"))
        table.now = at(REQUEST_SECONDS)
        table.when(LapseRequest("c-end")).then(RequestLapsed("c-end", "expired"))
        assert judged(table.entries) == ("", 0)

    def test_how_long_a_request_waits_is_believed(self):
        table = started("lama", 3).when(AskToEnd(0, "c-end"))
        log = forged(
            table.entries,
            table.position.version,
            lambda event: replace(event, expires=at(REQUEST_SECONDS + 1)),
        )
        assert judged(log) == ("", 0)

    def test_how_long_a_table_waits_is_believed(self):
        table = Table().when(CreateMatch("odin", {}, (SeatPlan(),) * 2, "host", SEED))
        table.now = quiet = after(NOON, PATIENCE[2].quiet)
        table.when(AnnounceExpiry()).then_types(ExpiryAnnounced)
        longer = forged(table.entries, table.position.version, partial(replace, until=after(quiet, 10**6)))
        assert judged(longer) == ("", 0)

    def test_a_request_that_was_withdrawn_is_decided_again(self):
        table = started("odin", 3, undo="consent")
        leader = table.to_act[0]
        table.move(leader).move((leader + 1) % 3, Pass())
        table.when(UndoMove(leader, "c-undo")).when(WithdrawRequest(leader, "c-undo"))
        table.then(RequestLapsed("c-undo", "withdrawn"))
        assert judged(table.entries) == ("", 0)

    def test_what_is_sealed_is_not_judged(self, over):
        shown = [redacted(entry, SPECTATOR) for entry in over.entries]
        verdict = verify("m1", shown, complete=False, rules=True)
        assert (verdict.good, verdict.commands) == (True, 0)


def _with_a_winner(named, plain):
    named(plain).update(winner=1)


def _in_another_seat(seat, plain):
    plain.update(seat=seat)


class TestForgedFields:
    def test_every_field_that_no_move_chooses(self, over):
        tried = set()
        for version, event in enumerate(events_of("m1", over.entries), 1):
            if type(event) not in over.game.event_types and not isinstance(event, MatchFinished):
                continue
            for field in event.__struct_fields__:
                if field not in ACCOUNTING and (field not in CARDS or (type(event), field) in tried):
                    continue
                tried.add((type(event), field))
                value = other(getattr(event, field))
                log = forged(over.entries, version, partial(replace, **{field: value}))
                code, bad = judged(log)
                assert code, (version, type(event), field)
                if field in ACCOUNTING:
                    assert (code in FOUND_FIRST, bad) == (True, version), (code, bad, type(event), field)

    def test_points_totals_and_ranking(self, over):
        events = events_of("m1", over.entries)
        ended = next(
            v for v, event in enumerate(events, 1) if isinstance(event, GameEvent) and event.SCORES_ROUND
        )
        for change in (
            lambda event: replace(event, totals=tuple(reversed(event.totals))),
            lambda event: replace(event, points=(0,) * len(event.points)),
        ):
            if change(events[ended - 1]) != events[ended - 1]:
                assert judged(forged(over.entries, ended, change)) == ("rules.differs", ended)
        last = len(events)
        assert isinstance(events[-1], MatchFinished)
        for change in (
            lambda event: replace(event, ranking=tuple(reversed(event.ranking))),
            lambda event: replace(event, totals=(0,) * 3),
            lambda event: replace(event, stalled=not event.stalled),
            lambda _: MatchAbandoned("nobody won"),
        ):
            assert judged(forged(over.entries, last, change)) == ("rules.differs", last)

    def test_fields_that_no_release_up_to_this_one_has(self, over):
        for index, named in ((0, lambda plain: plain["data"]["terms"]), (-1, lambda plain: plain["data"])):
            version = index % len(over.entries) + 1
            more = changed(over.entries[index], partial(_with_a_winner, named))
            log = rechained("m1", replaced(over.entries, version - 1, more))
            assert judged(log) == ("log.newer_release", version)
            told = verify("m1", log, complete=True, rules=True).detail
            assert "winner" in told
            assert "a newer release wrote it" in told

    def test_a_detail_names_no_card(self, over):
        events = events_of("m1", over.entries)
        ended = next(
            v for v, event in enumerate(events, 1) if isinstance(event, GameEvent) and event.SCORES_ROUND
        )
        log = forged(over.entries, ended, lambda event: replace(event, totals=(99,) * 3))
        verdict = verify("m1", log, complete=True, rules=True)
        assert verdict.detail == f"the rules give {type(events[ended - 1]).__name__} another totals"


def in_its_course(game) -> Table:
    """Return a match of three in which somebody is to act, alone, after some moves."""
    table = started(game, 3, undo="off")
    for _ in range(11):
        table.move(table.to_act[0])
    assert len(table.to_act) == 1
    return table


class TestForgedCommands:
    @every_game_played_by_turns
    def test_a_move_out_of_turn(self, game):
        table = in_its_course(game)
        (seat,) = table.to_act
        wrong, version = (seat + 1) % 3, table.position.version + 1
        moved, *rest = game.decide(
            table.present, seat, game.fallback(table.present, seat), table.state.chance
        )
        table.given(replace(moved, seat=wrong), *rest, seat=wrong)
        assert judged(table.entries) == ("rules.differs", version)

    @every_game
    def test_another_seat_in_the_envelope(self, game):
        table = in_its_course(game)
        table.move(table.to_act[0])
        mark = table.envelopes[-1].command
        log = list(table.entries)
        for version in range(mark.first, mark.last + 1):
            seat = (table.envelopes[version - 1].seat + 1) % 3  # type: ignore[operator]
            log[version - 1] = changed(log[version - 1], partial(_in_another_seat, seat))
        assert judged(rechained("m1", log)) == ("rules.differs", mark.first)

    def test_another_seat_in_one_of_the_envelopes(self, over):
        mark = over.envelopes[-1].command
        assert mark.last > mark.first
        other_seat = changed(
            over.entries[mark.first], lambda plain: plain.update(seat=(plain["seat"] + 1) % 3)
        )
        log = rechained("m1", replaced(over.entries, mark.first, other_seat))
        assert judged(log) == ("rules.differs", mark.first + 1)

    @every_game
    def test_a_match_that_ends_too_early(self, game):
        table = in_its_course(game)
        version = table.position.version + 1
        standing = game.standing(table.present)
        table.given(MatchFinished(standing.ranking, standing.totals))
        assert judged(table.entries) == ("rules.differs", version)

    def test_a_round_that_ends_too_early(self, over):
        events = events_of("m1", over.entries)
        ended = next(event for event in events if isinstance(event, GameEvent) and event.SCORES_ROUND)
        table = in_its_course(over.game)
        version = table.position.version + 1
        table.given(ended, seat=table.to_act[0])
        assert judged(table.entries) == ("rules.differs", version)

    def test_a_command_that_stops_halfway(self, over):
        envelopes = over.envelopes
        mark = envelopes[-1].command
        assert mark.last > mark.first
        shorter = [
            changed(entry, lambda plain: plain["command"].update(to=mark.last - 1))
            if entry.version >= mark.first
            else entry
            for entry in over.entries[:-1]
        ]
        assert judged(rechained("m1", shorter)) == ("rules.differs", mark.last - 1)

    @every_game
    def test_a_time_out_before_its_time(self, game):
        table = started(game, 3, per_turn=60)
        seat = table.to_act[0]
        events = game.decide(table.present, seat, game.fallback(table.present, seat), table.state.chance)
        version = table.position.version + 1
        table.given(TurnTimedOut(seat), *events, seat=seat)
        assert judged(table.entries) == ("rules.differs", version)

    def test_an_undo_that_the_table_does_not_allow(self):
        table = in_its_course(EVERY_GAME[0])
        past = table.state.past
        assert past is not None
        assert past.before is not None
        version = table.position.version + 1
        table.given(MoveUndone(past.before.version, 0), seat=0)
        assert judged(table.entries) == ("rules.differs", version)

    def test_a_request_that_nobody_answered(self):
        table = started("lama", 3).when(AskToEnd(0, "c-end"))
        version = table.position.version + 1
        table.given(RequestLapsed("c-end", "agreed"), MatchAbandoned("agreed"), seat=0)
        assert judged(table.entries)[0] == "rules.differs"
        assert judged(table.entries)[1] in {version, version + 1}

    def test_a_seat_that_was_taken_twice(self):
        table = started("odin", 2)
        table.given(SeatTaken(0, "player-9", "person"))
        assert judged(table.entries) == ("rules.differs", table.position.version)

    def test_a_command_that_does_more_than_it_may(self):
        table = Table().when(CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "host", "00" * 32))
        table.given(SeatTaken(0, "ann", "person"), SeatTaken(1, "ben", "person"))
        assert judged(table.entries) == ("rules.differs", table.position.version)

    def test_a_match_that_goes_on_after_its_end(self):
        table = in_its_course(EVERY_GAME[0]).when(AbandonMatch("tired"))
        table.given(MatchAbandoned("very tired"))
        assert judged(table.entries) == ("rules.differs", table.position.version)

    def test_a_fork_that_goes_on_from_no_position(self):
        table = Table()
        created = MatchCreated(Terms("lama", 1, {}, 2, "host"), table.seed)
        table.given(created, MatchForked("m0", 9, "00" * 32, {"no": "table"}, Entropy()))
        assert judged(table.entries) == ("rules.differs", 1)

    def test_options_that_the_game_does_not_have(self):
        table = Table().when(CreateMatch("lama", {}, (SeatPlan(), SeatPlan("steady")), "host", "00" * 32))
        log = forged(
            table.entries, 1,
            lambda event: replace(event, terms=replace(event.terms, options={"limit": "endless"})),
        )  # fmt: skip
        assert judged(log) == ("rules.differs", 1)
