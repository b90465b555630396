"""What one event did: its difference, its proof, the job that it caused."""

import msgspec
import pytest

from domain.match.command_handler import CommandMetadata
from domain.match.commands import HandSeatToBot, PlayMove
from services.audit.refused_commands import RefusedCommand
from services.matches.bots import bot_command_id
from services.watch.inspection.differences import Difference
from services.watch.inspection.disclosure import Disclosure
from services.watch.inspection.one_event import inspected
from services.words.times import lapse
from tests.kit.changes import apply
from tests.kit.logs import finished
from tests.kit.table import Table, started
from tests.kit.tampering import changed

OVER = Disclosure(over=True)


def look(table: Table, version: int, refused=()):
    return inspected("m1", table.entries, version, Disclosure(), refused)


def plain(view):
    return msgspec.json.decode(msgspec.json.encode(view))


def test_a_difference_names_what_was_there_and_what_is():
    table = started("lama", 2)
    seat = table.to_act[0]
    table.move(seat)
    event = look(table, len(table.entries))
    turn = next(change for change in event.changes if change.pointer == "/game/turn")
    assert (turn.before, turn.after) == (str(seat), str(table.to_act[0]))
    assert all(change.before != change.after for change in event.changes)


def test_differences_lead_from_the_state_before_to_the_state_after():
    entries = list(finished("lama"))
    for version in (9, 15, len(entries)):
        event = inspected("m1", entries, version, OVER, ())
        assert event.before is not None
        assert event.after is not None
        before = plain(OVER.view(event.before, version))
        after = plain(OVER.view(event.after, version))
        row = [
            [change.pointer, *([msgspec.json.decode(change.after)] if change.after else [])]
            for change in event.changes
        ]
        for told_apart in ("version", "head", "at"):
            before[told_apart] = after[told_apart]
        assert apply(before, row) == after


def test_the_first_event_is_told_as_what_it_brought():
    event = look(started("lama", 2), 1)
    assert event.before is None
    assert Difference("/lifecycle", "", '{"phase":"gathering"}') in event.changes


def test_the_proof_of_an_event_tells_it_from_a_bad_one_in_front_of_it():
    table = started("lama", 2)
    table.entries[3] = changed(table.entries[3], lambda envelope: envelope.update(actor="somebody-else"))
    assert look(table, 3).chained.good
    bad = look(table, 4).chained
    assert (bad.good, bad.verdict.code, bad.computed == bad.stored) == (False, "log.chain_broken", False)
    behind = look(table, 5).chained
    assert (behind.good, behind.verdict.bad_version) == (True, 4)


def test_the_job_of_an_event_is_named_as_the_queue_names_it_and_told_when_it_was_played():
    table = started("lama", 2, bots=1)
    while table.to_act != (0,):
        table.move(table.to_act[0])
    table.when(HandSeatToBot(0))
    version, asked_at = table.position.version, table.state.asked_at[0]
    job = look(table, version).job
    assert job is not None
    command = bot_command_id("m1", asked_at, 0)
    assert (job.id, job.seat, job.first) == (f"{command}-0", 0, None)
    table.now = type(table.now)("2026-11-29T12:00:01.500Z")
    move = table.legal(0)[0]
    table.when(PlayMove(0, move), metadata=CommandMetadata("bot-0", "bot", command, "", "hurried"))
    played = look(table, version).job
    assert played is not None
    assert (played.first, played.took, played.note) == (version + 1, 1500, "hurried")
    # The job that played goes on by itself.
    assert look(table, table.position.version).job is None


def test_what_was_refused_stands_beside_the_command_before_it():
    table = started("lama", 2)
    late = RefusedCommand(at="2026-11-29T12:00:09.000Z", code="not_your_turn")
    assert look(table, len(table.entries), refused=(late,)).refused == (late,)
    assert look(table, 2, refused=(late,)).refused == ()


@pytest.mark.parametrize(
    ("milliseconds", "english", "french"),
    [
        (None, "", ""),
        (0, "0 ms", "0 ms"),
        (999, "999 ms", "999 ms"),
        (3_449, "3.4 s", "3,4 s"),
        (125_000, "2 min 5 s", "2 min 5 s"),
        (3_600_000, "1 h", "1 h"),
        (3 * 86_400_000 + 4 * 3_600_000, "3 d 4 h", "3 j 4 h"),
        (-1500, "-1.5 s", "-1,5 s"),
    ],
)
def test_durations_are_said_in_few_letters(milliseconds, english, french):
    assert (lapse(milliseconds, "en"), lapse(milliseconds, "fr")) == (english, french)
