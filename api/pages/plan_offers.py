"""What a table's page offers of plans."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.games.contract import AnyGame
from services.matches.plans import KeptPlan
from services.words.games import words_of
from services.words.phrases import words_in


class PlanField(msgspec.Struct, frozen=True):
    """A number of a plan, as a form asks for it.

    Attributes:
        values: What can be chosen, each with its words.
    """

    name: str
    label: str
    values: tuple[tuple[int, str], ...]


class PlanOffer(msgspec.Struct, frozen=True):
    """A plan that a seat may make.

    Attributes:
        kind: Its type.
        text: What it does.
        is_made: Whether the seat has made it.
    """

    kind: str
    text: str
    fields: tuple[PlanField, ...]
    is_made: bool


def plan_offers(game: AnyGame, kept: KeptPlan | None, language: str) -> tuple[PlanOffer, ...]:
    """Return the plans of a game, as a form offers them."""
    words, said = words_of(game.key), words_in(language)
    if words is None:
        return ()
    made = "" if kept is None else str(kept.plan.get("type", ""))
    return tuple(
        PlanOffer(
            kind=(tag := str(kind.__struct_config__.tag)),
            text=said.say(words.plans[tag]),
            fields=tuple(plan_fields(game, kind, language)),
            is_made=tag == made,
        )
        for kind in game.plan_types
        if str(kind.__struct_config__.tag) in words.plans
    )


def plan_fields(game: AnyGame, kind: type[msgspec.Struct], language: str) -> Iterator[PlanField]:
    """Yield the numbers for which a plan asks."""
    words, said = words_of(game.key), words_in(language)
    if words is None:
        return
    schema: dict[str, Any] = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    for name, phrase in words.plan_fields.items():
        if name in schema:
            first, last = schema[name]["minimum"], schema[name]["maximum"]
            named = words.plan_values.get(name)
            values = tuple(
                (value, str(value) if named is None else named(said, value))
                for value in range(first, last + 1)
            )
            yield PlanField(name, said.say(phrase), values)
