"""The words that every game provides, in a module with a constant ``WORDS``.

It is ``services/words/games/<key>.py``, or ``words.py`` in the package of a game from outside.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from services.words.phrases import Phrase, Words
from services.words.telling import Data, Teller

Line = Callable[[Teller, Data], str]
"""Writes the history line of one type of event."""

JoinedLine = Callable[[Teller, Sequence[Data]], str]
"""Writes one line for several events of one type that followed one another."""

Arguments = Mapping[str, Any]

NOTHING = Phrase("")
"""An empty part of a refusal."""


class RefusalWords(NamedTuple):
    """Why something is refused, in three sentences.

    Attributes:
        wrong: What was wrong.
        rule: The rule that says so, or a text for each rule number that this code can come with.
        right: What would be right.
    """

    wrong: Phrase
    rule: Phrase | Mapping[str, Phrase]
    right: Phrase

    def rule_text(self, rule: str) -> Phrase:
        """Return the text of the rule with this number."""
        return self.rule if isinstance(self.rule, Phrase) else self.rule.get(rule, NOTHING)


class MomentWords(NamedTuple):
    """How a question about a match is asked, and what an answer to it says.

    Attributes:
        question: The question, as the title of its answers.
        you: An answer that is the reader's own, with its number as ``value``.
        other: One that is somebody else's, ``name``, or the whole table's.
    """

    question: Phrase
    you: Phrase
    other: Phrase


class GameWords(NamedTuple):
    """The words of one game.

    Attributes:
        lines: By event type, the function that writes its history line.
        refusals: By code, why a move is refused.
        refusal_arguments: Turns a refusal's arguments into what its sentences need, such as cards into their names.
        card: Returns a card's name.
        move: Returns what a move does, as a button says it.
        option_values: By option and value, as text, what the value means. Numbers speak for themselves.
        phases: By phase of the game's view, its name.
        seat_options: The options whose numbers are seats.
        joined: By event type, the function that writes one line for several of them in a row. Where people choose at
            the same time, "everybody has chosen" says more than a line for each of them.
        plans: By type, what a plan does, as a form says it; its numbers stand in it by their names.
        plan_fields: By name, what a number of a plan is.
        moments: By name, the game's questions about a match.
        plan_values: By name, the function that says what a value of such a number is; other numbers speak for
            themselves.
    """

    name: Phrase
    lines: Mapping[str, Line]
    refusals: Mapping[str, RefusalWords]
    refusal_arguments: Callable[[Words, Arguments], Arguments]
    card: Callable[[Words, Any], str]
    move: Callable[[Words, Arguments], str]
    options: Mapping[str, Phrase]
    option_values: Mapping[tuple[str, str], Phrase]
    phases: Mapping[str, Phrase]
    summary: tuple[Phrase, ...]
    seat_options: frozenset[str] = frozenset()
    joined: Mapping[str, JoinedLine] = MappingProxyType({})
    plans: Mapping[str, Phrase] = MappingProxyType({})
    plan_fields: Mapping[str, Phrase] = MappingProxyType({})
    moments: Mapping[str, MomentWords] = MappingProxyType({})
    plan_values: Mapping[str, Callable[[Words, int], str]] = MappingProxyType({})
