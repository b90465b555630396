"""What must hold at a table after every command, whatever was played."""

from collections.abc import Iterable, Sequence

from domain.canonical import canonical_json
from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.games.contract import GameState
from domain.match.clock import NOT_ASKED
from domain.match.events import MoveRedone, MoveUndone, SeatReclaimed
from domain.match.fold import Position, beginning, fold, positions
from domain.match.hashing import state_hash
from domain.match.verification import verify
from domain.viewers import SPECTATOR, Viewer, seat_viewer
from tests.kit.cards import check_cards
from tests.kit.log import redacted
from tests.kit.table import Table

UNDO_TYPES = frozenset({MoveUndone.__name__, MoveRedone.__name__})


class Watch:
    """Follows a table. Call :meth:`look` after every command.

    Attributes:
        hashes: The state hash after every event so far, if they are kept.
    """

    def __init__(self, table: Table, *, keep_hashes: bool = True) -> None:
        self._table = table
        self._keep = keep_hashes
        self._seen = beginning(table.position.match)
        self._asked_last = [0] * len(table.state.seats)
        self._games: dict[int, GameState] = {}
        self.hashes: list[str] = []
        self.look()

    def look(self) -> None:
        """Check the last commands."""
        before, table = self._seen, self._table
        fresh = table.entries[before.version :]
        assert [entry.version for entry in fresh] == list(
            range(before.version + 1, table.position.version + 1)
        )
        position = before
        for position in positions(before, fresh):
            self._after_event(position)
        # The state in memory is what the stored bytes say. Both share their past, so this compares only what is new.
        assert position == table.position
        self._after_command(before, table.position)
        self._seen = table.position

    def _after_event(self, position: Position) -> None:
        state = position.state
        if state.game is not None:
            check_cards(self._table.game, state.game)
            self._games[position.version] = state.game
        if self._keep:
            self.hashes.append(state_hash(state))

    def _after_command(self, before: Position, now: Position) -> None:
        table, state = self._table, now.state
        to_act = table.to_act
        assert bool(to_act) == (state.lifecycle.phase == "playing")
        for seat, asked_at in enumerate(state.asked_at):
            assert bool(asked_at) == (seat in to_act)
            if asked_at:
                assert self._asked_last[seat] <= asked_at <= now.version
                self._asked_last[seat] = asked_at
        if state.game is None:
            return
        for seat in range(len(state.seats)):
            legal = table.game.legal_moves(state.game, seat)
            assert (legal is not None) == (
                seat in (*table.game.to_act(state.game), *table.game.may_act(state.game))
            )
            if legal is not None:
                assert next(iter(table.game.expand(legal)), None) is not None
        if now.version > before.version and before.version:
            check_asked(table, before)
        last = table.happened[-1] if table.happened else None
        if isinstance(last, MoveUndone | MoveRedone):
            assert canonical_json(state.game) == canonical_json(self._games[last.to])

    def finish(self) -> None:
        """Check the whole log: it folds, in one piece or two, to the same hashes, and it verifies."""
        table = self._table
        check_folds(table.entries, table.position, self.hashes)
        check_chain(table)


def check_asked(table: Table, before: Position) -> None:
    """Check whom the last command asked, as the design words it, and whom it gave time."""
    envelopes = [decode_envelope(entry.e) for entry in table.entries[before.version :]]
    if len({envelope.command.id for envelope in envelopes}) > 1:
        return
    last, state = envelopes[-1], table.state
    stepped = any(envelope.type in UNDO_TYPES for envelope in envelopes)
    expected = []
    for seat in range(len(state.seats)):
        if seat not in table.to_act:
            expected.append(0)
        elif not before.state.asked_at[seat] or seat == last.seat or stepped:
            expected.append(last.v)
        else:
            expected.append(before.state.asked_at[seat])
    assert list(state.asked_at) == expected
    moved = state.game is not before.state.game
    newly = {
        seat
        for seat in table.to_act
        if not before.state.asked_at[seat] or (seat == last.seat and moved) or stepped
    }
    if last.type == SeatReclaimed.__name__:
        newly |= {seat for seat in table.to_act if before.state.clock.deadline_of(seat) == NOT_ASKED}
        # Their time ran on while a bot played for them; now that it ends their turn, it is told again.
        newly |= {seat for seat in table.to_act if seat == last.seat}
    assert all(not envelope.deadlines for envelope in envelopes[:-1])
    assert last.deadlines.keys() <= newly
    # If a position was restored, or the system's clock ran back, a deadline may have passed already.
    if not stepped and table.now >= last.at:
        assert all(deadline >= last.at for deadline in last.deadlines.values())


def check_folds(log: Sequence[StoredEntry], head: Position, hashes: Sequence[str]) -> None:
    """Check that folding gives the same state in one piece, again, and in two pieces, with the known hashes."""
    start = beginning(head.match)
    whole = fold(start, log)
    assert (whole.version, whole.head, whole.at) == (head.version, head.head, head.at)
    assert state_hash(whole.state) == state_hash(head.state)
    half = len(log) // 2
    in_two = fold(fold(start, log[:half]), log[half:])
    assert state_hash(in_two.state) == state_hash(whole.state)
    if hashes:
        assert [state_hash(position.state) for position in positions(start, log)] == list(hashes)


def check_chain(table: Table, watchers: Iterable[Viewer] | None = None) -> None:
    """Check that the log verifies, complete and as every viewer (or some) gets it, and was played by the rules."""
    match, entries = table.position.match, table.entries
    verdict = verify(match, entries, complete=True, rules=True)
    assert verdict.good, verdict
    assert (verdict.events, verdict.head) == (table.position.version, table.position.head.hex())
    assert verdict.sealed == verdict.sealed_deals == 0
    for viewer in viewers(len(table.state.seats)) if watchers is None else watchers:
        received = [redacted(entry, viewer) for entry in entries]
        assert all(viewer.seat in opening.seats for entry in received for opening in decode_openings(entry.s))
        shown = verify(match, received, complete=False)
        assert shown.good, shown
        assert (shown.events, shown.head) == (verdict.events, verdict.head)
        assert shown.openings + shown.sealed == verdict.openings


def viewers(seats: int) -> tuple[Viewer, ...]:
    """Return all viewers of a running match: a spectator, and each seat."""
    return (SPECTATOR, *map(seat_viewer, range(seats)))
