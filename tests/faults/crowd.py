"""People who play with bots at many tables at once, and play on whatever happens to the service."""

import random
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import msgspec

from domain.games.registry import CURRENT
from tests.faults.door import Door, GaveUp, Refused
from tests.faults.ledger import Ledger
from tests.faults.waiting import until_true
from tests.kit.games import GAME_KEYS

ALLOWED_REFUSALS = {"version.stale", "not_your_turn", "match.closed"}
"""Refusals that a person may get who looked at the table a moment too early."""

_LOOK_AGAIN = 0.08
_THINKING = 0.03
_IMPATIENT = 0.3
"""How many of those whose move is not answered look at the table again instead of sending it again."""

_SETTLE_PATIENCE = 75.0


class Company(NamedTuple):
    """Who sits at a table, in this order: people, then bots."""

    game: str
    people: int
    bots: int


COMPANIES = tuple(Company(key, *((2, 2), (1, 2), (2, 1))[number % 3]) for number, key in enumerate(GAME_KEYS))


class Table:
    """One table. When its match is over, the same people begin another."""

    def __init__(self, number: int, company: Company, port: int, ledger: Ledger, seed: int) -> None:
        self.company = company
        self.match = ""
        self.last_move_at = 0.0
        self._number = number
        self._port = port
        self._ledger = ledger
        self._seed = seed
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live, name=f"table {number}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ask_to_stop(self) -> None:
        self._stop.set()

    def join(self) -> None:
        self._thread.join()

    def _live(self) -> None:
        try:
            while not self._stop.is_set():
                tokens = self._opened()
                people = [
                    threading.Thread(target=self._play, args=(seat, token), daemon=True)
                    for seat, token in enumerate(tokens)
                ]
                for person in people:
                    person.start()
                for person in people:
                    person.join()
        except Exception as error:  # noqa: BLE001 - told by the test, not by this thread
            self._ledger.failures.append(error)

    def _opened(self) -> list[str]:
        with Door(self._port, self._ledger) as door:
            seats: list[dict[str, str]] = [{}] * self.company.people + [{"bot": "steady"}] * self.company.bots
            made = door.make("/matches", {"game": self.company.game, "seats": seats, "start": "host"})
            match, tokens = made["match"], []
            for seat in range(self.company.people):
                taken = door.make(f"/matches/{match}/seats", {"seat": seat})
                tokens.append(taken["seat_token"])
                door.command(match, "ready", tokens[-1], {})
            door.command(match, "start", made["host_token"], {})
            self.match = match
            return tokens

    def _play(self, seat: int, token: str) -> None:
        door, match = Door(self._port, self._ledger), self.match
        chance = random.Random(f"{self._seed} {self._number} {match} {seat}")
        try:
            while not self._stop.is_set():
                view = door.look(match, token)
                if view["lifecycle"]["phase"] != "playing":
                    return
                if view["legal"] is None:
                    self._stop.wait(_LOOK_AGAIN)
                    continue
                self._move(door, token, view, chance)
                self._stop.wait(_THINKING)
        except Exception as error:  # noqa: BLE001 - told by the test, not by this thread
            self._ledger.failures.append(error)
        finally:
            door.close()

    def _move(self, door: Door, token: str, view: dict[str, Any], chance: random.Random) -> None:
        move = chance.choice(list(_moves(self.company.game, view["legal"])))
        try:
            patient = chance.random() > _IMPATIENT
            door.command(view["match"], "moves", token, move, view["version"], patient=patient)
        except GaveUp:
            return
        except Refused as refusal:
            self._ledger.refusals[refusal.code] += 1
            if refusal.code not in ALLOWED_REFUSALS:
                raise
        else:
            self.last_move_at = time.monotonic()


class Crowd:
    """All tables."""

    def __init__(self, port: int, *, tables: int = len(COMPANIES), seed: int = 1) -> None:
        self.ledger = Ledger()
        self._port = port
        self.tables = [
            Table(number, COMPANIES[number % len(COMPANIES)], port, self.ledger, seed)
            for number in range(tables)
        ]

    def __enter__(self) -> Self:
        for table in self.tables:
            table.start()
        self.wait_for_moves(0.0)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop all moves; commands under way are still answered."""
        for table in self.tables:
            table.ask_to_stop()
        for table in self.tables:
            table.join()

    def wait_for_moves(self, since: float, seconds: float = 70.0) -> None:
        """Wait until every table has had an acknowledged move since an instant."""

        def all_moved() -> bool:
            self.require_no_failure()
            return all(table.last_move_at > since for table in self.tables)

        until_true(all_moved, seconds=seconds, what="a move at every table")

    def wait_for_answers(self, since: float) -> None:
        """Wait until everybody has had an answer since an instant, so that nobody still notices what came before."""

        def all_answered() -> bool:
            self.require_no_failure()
            return all(instant > since for instant in list(self.ledger.last_answers.values()))

        until_true(all_answered, seconds=60, what="an answer for everybody")

    def settle(self) -> None:
        """Wait until no bot owes a move at any table. All people must have stopped."""
        with Door(self._port, Ledger()) as door:
            for table in self.tables:
                until_true(
                    lambda match=table.match: not self._bots_to_act(door, match),
                    seconds=_SETTLE_PATIENCE,
                    what=f"the bots' turns at {table.company.game}, {table.match}",
                )

    def require_no_failure(self) -> None:
        if self.ledger.failures:
            raise self.ledger.failures[0]

    def _bots_to_act(self, door: Door, match: str) -> bool:
        if not match:
            return False
        view = door.get(f"/matches/{match}")
        return any(view["seats"][seat]["kind"] == "bot" for seat in view["to_act"])


def _moves(game: str, legal: Any) -> Iterator[dict[str, Any]]:
    played = CURRENT[game]
    for move in played.expand(msgspec.convert(legal, played.legal_type)):
        yield msgspec.to_builtins(move)
