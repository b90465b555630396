"""What a player may choose from: numbered moves, some with a second question."""

from typing import Any, NamedTuple

from services.words.phrases import Phrase

Move = dict[str, Any]
"""A move as it goes over the wire."""


class Choice(NamedTuple):
    """One thing to choose.

    Attributes:
        key: What one types to choose it.
        label: What it is, for people.
        move: The move, if that is all.
        question: Else, what is asked next.
        answers: And the answers to that.
    """

    key: str
    label: str
    move: Move | None = None
    question: Phrase | None = None
    answers: tuple["Choice", ...] = ()


def numbered(choices: list[Choice]) -> tuple[Choice, ...]:
    """Return choices with the keys 1, 2, 3 and so on."""
    return tuple(choice._replace(key=str(number)) for number, choice in enumerate(choices, 1))


def find_choice(choices: tuple[Choice, ...], key: str) -> Choice | None:
    """Return the choice with a key."""
    return next((choice for choice in choices if choice.key == key), None)
