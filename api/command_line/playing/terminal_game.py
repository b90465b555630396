"""A match played in the terminal, by one who holds a seat."""

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from api.command_line.output import say
from api.command_line.playing.choosing import Choice, Move, find_choice
from api.command_line.playing.client import Answered, Client
from api.command_line.playing.following import Follower, seat_names
from api.command_line.playing.saved_seats import SavedSeat
from api.command_line.playing.tables import table_of
from api.command_line.playing.typed_moves import folded, typed_move
from domain.match.state import OVER
from services.words.names import rules_summary
from services.words.phrases import Phrase, phrase, words_in
from services.words.refusals import refusal_text
from services.words.telling import Teller

_QUICK, _SLOW = 0.1, 0.5
_QUICK_LOOKS = 20
_LOOKS_UNTOLD = 5
"""Bots that are quicker than so many looks need no word."""
_STALE = "version.stale"

_RULE = phrase("Rule {number}: {rule}")
_HELP = phrase("help")
_RULES = phrase("rules")
_TABLE = phrase("table")
_UNDO = phrase("undo")
_REDO = phrase("redo")
_EXIT = phrase("exit")


class Left(Exception):
    """The player has left the table; the match goes on without them."""


class _Again(NamedTuple):
    """The player wants to see the table once more."""


class TerminalGame:
    """Shows a match to one player and asks for their moves."""

    def __init__(self, client: Client, seat: SavedSeat, language: str) -> None:
        self._client = client
        self._seat = seat
        self._words = words_in(language)
        self._table = table_of(seat.game)
        view = self._look()
        names = seat_names(view, language)
        self._teller = Teller(self._words, names, seat.seat)
        self._follower = Follower(client, seat.match, seat.game, names, language, seat.seen)

    @property
    def seen(self) -> int:
        """The last version that the player has been told of."""
        return self._follower.version

    def run(self) -> None:
        """Play until the match is over.

        Raises:
            Left: The player has left before.
        """
        while True:
            view = self._look()
            self._tell_news()
            if self.seen > view["version"]:
                # Something happened between the two: perhaps it is our turn by now.
                continue
            if view["lifecycle"]["phase"] in OVER:
                return
            # A seat that may only choose again waits with everybody: nobody is told anything while they type.
            if self._seat.seat in view["to_act"]:
                self._take_turn(view)
            else:
                self._wait(view)

    def _wait(self, view: Mapping[str, Any]) -> None:
        looks = 0
        while not self._tell_news():
            if looks == _LOOKS_UNTOLD:
                self._tell_whose_turn(view)
            time.sleep(_QUICK if looks < _QUICK_LOOKS else _SLOW)
            looks += 1

    def _look(self) -> dict[str, Any]:
        return self._client.view(self._seat.match, self._seat.token)

    def _tell_news(self) -> bool:
        """Tell what has happened; return whether anything has."""
        before = self._follower.version
        for line in self._follower.news(self._seat.token, self._seat.seat):
            say(line)
        return self._follower.version > before

    def _tell_whose_turn(self, view: Mapping[str, Any]) -> None:
        if view["to_act"]:
            say(self._teller.say(phrase("To play: {names} ..."), names=self._teller.all_of(view["to_act"])))

    def _take_turn(self, view: Mapping[str, Any]) -> None:
        choices = self._table.choices(self._teller, view, view["legal"])
        say()
        for line in self._table.lines(self._teller, view):
            say(line)
        say()
        self._list(choices)
        while True:
            asked = self._ask(choices)
            if isinstance(asked, _Again) or (asked is not None and self._played(asked, view["version"])):
                return

    def _played(self, move: Move, version: int) -> bool:
        """Make a move; tell whether the table must be looked at again."""
        return self._done(lambda: self._client.move(self._seat.match, self._seat.token, move, version))

    def _done(self, command: Callable[[], None]) -> bool:
        try:
            command()
        except Answered as problem:
            say(problem_text(problem, self._words.language, self._seat.game))
            # What the rules refuse has changed nothing; else somebody was quicker.
            return problem.status != 422  # noqa: PLR2004 - HTTP: refused by the rules
        return True

    def _ask(self, choices: tuple[Choice, ...]) -> Move | _Again | None:
        """Ask what the player does; None if that was no move."""
        typed = _read("> ")
        chosen = find_choice(choices, typed)
        if chosen is not None:
            return chosen.move if chosen.move is not None else self._ask_more(chosen)
        move = typed_move(typed, self._seat.game, self._words)
        if move is not None:
            return move
        return self._obeyed(typed, choices)

    def _ask_more(self, choice: Choice) -> Move | None:
        if choice.question is None:
            return None
        say(self._teller.say(choice.question))
        self._list(choice.answers)
        typed = _read(">> ")
        answer = find_choice(choice.answers, typed)
        return answer.move if answer is not None else typed_move(typed, self._seat.game, self._words)

    def _obeyed(self, typed: str, choices: tuple[Choice, ...]) -> _Again | None:
        said = folded(typed)
        if self._is(said, _TABLE):
            return _Again()
        if self._is(said, _UNDO) or said == "annuler":
            undone = self._done(lambda: self._client.undo(self._seat.match, self._seat.token))
            return _Again() if undone else None
        if self._is(said, _REDO):
            redone = self._done(lambda: self._client.redo(self._seat.match, self._seat.token))
            return _Again() if redone else None
        if self._is(said, _EXIT) or said in {"quit", "q"}:
            raise Left
        if self._is(said, _RULES):
            for sentence in rules_summary(self._seat.game, self._words.language):
                say(f"- {sentence}")
        elif said and not self._is(said, _HELP) and said != "?":
            say(self._teller.say(phrase("That is no move of this game.")))
            self._help()
        else:
            self._help()
            self._list(choices)
        return None

    def _is(self, said: str, command: Phrase) -> bool:
        return said in {folded(command.text), folded(self._teller.say(command))}

    def _help(self) -> None:
        words = [self._teller.say(command) for command in (_TABLE, _UNDO, _REDO, _RULES, _HELP, _EXIT)]
        verbs = self._table.verbs
        examples = (
            " ".join(self._teller.say(verbs[word]) if word in verbs else word for word in example.split())
            for example in self._table.examples
        )
        say(self._teller.say(phrase("Type a number, or a move: {examples}."), examples=", ".join(examples)))
        say(self._teller.say(phrase("Or one of these: {commands}."), commands=", ".join(words)))

    def _list(self, choices: tuple[Choice, ...]) -> None:
        for choice in choices:
            say(f"{choice.key:>4}) {choice.label}")


def problem_text(problem: Answered, language: str, game: str) -> str:
    """Return what the service answered, in the player's language."""
    said = refusal_text(problem.code, problem.rule, problem.arguments, language, game=game)
    if problem.code in said.wrong:
        # A code that has no sentence of its own: the service's own words say more.
        return problem.detail
    told = [said.wrong, said.right]
    if said.rule and any(character.isdigit() for character in problem.rule):
        told.append(words_in(language).say(_RULE, number=problem.rule, rule=said.rule))
    else:
        told.append(said.rule)
    return " ".join(filter(None, told))


def _read(prompt: str) -> str:
    """Read a line.

    Raises:
        Left: The input has ended, or the player presses Ctrl-C.
    """
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        raise Left from None
