"""What can be looked for by its card: the fields of events that name one."""

from msgspec.structs import fields

from domain.games.registry import CURRENT


def test_every_game_says_which_events_move_cards_and_names_fields_that_these_have():
    for game in CURRENT.values():
        moved = game.cards_moved()
        assert moved
        kinds = {kind.__name__: kind for kind in game.event_types}
        for kind, named in moved.items():
            assert {*named} <= {field.name for field in fields(kinds[kind])}
