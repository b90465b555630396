"""A second, slow reading of the rules, written from the rule texts and sharing no code with the game.

It tries every subset of a hand with every card that could be named, and keeps what the rules allow.
"""

from itertools import combinations, permutations

MoveKey = tuple[frozenset[str], str | None]
"""The cards played and the card taken; no cards is a pass."""

PASS: MoveKey = (frozenset(), None)


def worth(cards: frozenset[str]) -> int:
    """The greatest number that the digits can form side by side."""
    if len(cards) > 5:  # too many orders to try; the greatest is the falling one
        return int("".join(sorted(card[1] for card in cards)[::-1]))
    return max(int("".join(digits)) for digits in permutations([card[1] for card in cards]))


def matching(cards: frozenset[str]) -> bool:
    """All of one colour, or all of one value."""
    return len({card[0] for card in cards}) == 1 or len({card[1] for card in cards}) == 1


class Table:
    """One round on a table: hands are sets, seats act in turn."""

    def __init__(self, hands: list[set[str]], turn: int, centre: set[str], owner: int, passes: int) -> None:
        self.hands, self.turn, self.centre, self.owner, self.passes = hands, turn, centre, owner, passes
        self.thrown: set[str] = set()

    def copy(self) -> "Table":
        twin = Table([set(h) for h in self.hands], self.turn, set(self.centre), self.owner, self.passes)
        twin.thrown = set(self.thrown)
        return twin

    def finished(self) -> bool:
        return any(not held for held in self.hands)

    def moves(self) -> set[MoveKey]:
        held = self.hands[self.turn]
        found: set[MoveKey] = set()
        if self.finished():
            return found
        if self.centre:
            found.add(PASS)
        for size in range(1, len(held) + 1):
            for chosen in map(frozenset, combinations(sorted(held), size)):
                if not matching(chosen):
                    continue
                if not self.centre:
                    if size in {1, len(held)}:
                        found.add((chosen, None))
                elif size - len(self.centre) in {0, 1} and worth(chosen) > worth(frozenset(self.centre)):
                    if size == len(held):
                        found.add((chosen, None))
                    else:
                        found |= {(chosen, card) for card in self.centre}
        return found

    def make(self, move: MoveKey) -> None:
        cards, take = move
        seat, self.turn = self.turn, (self.turn + 1) % len(self.hands)
        if not cards:
            self.passes += 1
            if self.passes == len(self.hands) - 1:
                self.thrown |= self.centre
                self.centre, self.passes, self.turn = set(), 0, self.owner
            return
        self.hands[seat] -= cards
        if take:
            self.hands[seat].add(take)
        self.thrown |= self.centre - {take}
        self.centre, self.owner, self.passes = set(cards), seat, 0


def count_sequences(table: Table, length: int) -> int:
    """How many different sequences of so many moves there are; none goes on after the round."""
    if length == 0:
        return 1
    total = 0
    for move in table.moves():
        twin = table.copy()
        twin.make(move)
        total += count_sequences(twin, length - 1)
    return total
