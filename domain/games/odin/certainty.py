"""Forced wins in Odin: moves after which nothing that others hold or do can stop a seat from going out."""

from typing import Final

from domain.games.odin.simulator import OdinTable, Unknown, is_uniform, singles, uniform_sets

Move = tuple[int, int, int]

_Key = tuple[tuple[int, ...], int, int, int, int]


class OutOfNodes(Exception):
    """The position needs more thought than is allowed."""


def sure_exit(table: OdinTable, unknown: Unknown, nodes: int) -> Move | None:
    """Return the first move of a forced exit, or None if none was found.

    Where every other hand is known in full, it is looked for move by move. Else only plays count that nobody can beat
    with any card that might be theirs.

    Args:
        table: A possible table with the seat to move.
        unknown: What the seat does not see.
        nodes: How many positions may be looked at.
    """
    if not any(unknown.closed):
        return _Proof(table.turn, nodes).first_move(table)
    return _Unbeaten(unknown, nodes).first_move(table)


class _Unbeaten:
    """Plays that nobody can beat: the seat leads again after each, until its hand goes out at once."""

    def __init__(self, unknown: Unknown, nodes: int) -> None:
        self._nodes = nodes
        unseen = sum(unknown.unseen)
        self._rivals: Final = [
            (known, closed, known | unseen if closed else known)
            for seat, (known, closed) in enumerate(zip(unknown.known, unknown.closed, strict=True))
            if seat != unknown.seat
        ]
        self._stands: dict[tuple[int, int], bool] = {}
        self._leads: dict[int, bool] = {}

    def first_move(self, table: OdinTable) -> Move | None:
        hand = table.hands[table.turn]
        # The next seats could also take up cards of the centre; they do so only by beating it.
        takes = singles(table.centre) or (0,)
        for cards, worth in sorted(table.sets(), key=lambda each: -each[1]):
            rest = hand & ~cards
            if not rest:
                return cards, 0, worth
            if self._unbeaten(cards.bit_count(), worth):
                for take in takes:
                    if self._goes_out(rest | take):
                        return cards, take, worth
        return None

    def _goes_out(self, hand: int) -> bool:
        if is_uniform(hand):
            return True
        known = self._leads.get(hand)
        if known is None:
            self._nodes -= 1
            known = self._leads[hand] = self._nodes > 0 and any(
                self._unbeaten(1, worth) and self._goes_out(hand & ~cards)
                for cards, worth in uniform_sets(hand, 1, 0)
            )
        return known

    def _unbeaten(self, count: int, worth: int) -> bool:
        key = count, worth
        known = self._stands.get(key)
        if known is None:
            known = self._stands[key] = not any(
                (cards & ~own).bit_count() <= closed
                for own, closed, pool in self._rivals
                for size, above in ((count, worth), (count + 1, 0))
                if own.bit_count() + closed >= size
                for cards, _ in uniform_sets(pool, size, above)
            )
        return known


class _Proof:
    """A search through all that may happen when every hand is known, whoever the others play for."""

    def __init__(self, seat: int, nodes: int) -> None:
        self._seat = seat
        self._nodes = nodes
        self._known: dict[_Key, bool] = {}

    def first_move(self, table: OdinTable) -> Move | None:
        try:
            for move in promising(table):
                after = table.copy()
                after.make(move)
                if self._wins(after):
                    return move
        except OutOfNodes:
            pass
        return None

    def _wins(self, table: OdinTable) -> bool:
        if table.turn < 0:
            return table.winner == self._seat
        key = tuple(table.hands), table.centre, table.owner, table.passes, table.turn
        known = self._known.get(key)
        if known is not None:
            return known
        self._nodes -= 1
        if self._nodes < 0:
            raise OutOfNodes
        wanted = table.turn == self._seat
        found = not wanted
        for move in promising(table):
            after = table.copy()
            after.make(move)
            if self._wins(after) is wanted:
                found = wanted
                break
        self._known[key] = found
        return found


def promising(table: OdinTable) -> list[Move]:
    """Return every move, those that go out or lay most first."""
    hand = table.hands[table.turn]
    return sorted(table.moves(), key=lambda move: (hand & ~move[0] != 0, -move[0].bit_count(), -move[2]))
