"""The renderer of tables: one for players, spectators, replays and tests."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from markupsafe import Markup

from api.pages.drawing import card_drawer, place_html
from api.pages.games import page_of
from api.pages.games.contract import Places, Reckoning, RoundEnd, has_broken_off, without_marks
from api.pages.rendering import rendered
from api.pages.scene import Scene
from domain.match.view import MatchView
from services.words.names import game_name
from services.words.phrases import phrase, words_in

PARTS: Final = (
    "head",
    "next",
    "status",
    "summary",
    "requests",
    "board",
    "moves",
    "scores",
    "history",
    "menu",
)
"""The parts of a table's page, in their order. Each is replaced when it has changed."""


def render_table(scene: Scene) -> dict[str, Markup]:
    """Return the HTML of a table's parts, by name."""
    drawn = _drawn(scene)
    return {part: rendered(f"table/{part}.html", scene.language, **drawn) for part in PARTS}


def render_board(scene: Scene) -> Markup:
    """Return what lies on the table, and nothing else."""
    return rendered("table/board.html", scene.language, **_drawn(scene))


def render_fragment(scene: Scene) -> Markup:
    """Return the parts as the live module takes them."""
    parts = render_table(scene)
    return rendered("table/fragment.html", scene.language, scene=scene, title=title_of(scene), parts=parts)


def title_of(scene: Scene) -> str:
    """Return the page's title: a tab tells by it that somebody waits for its reader."""
    name = game_name(scene.game_key, scene.language)
    if not scene.waits_for_me:
        return f"{name} \N{EN DASH} Tablée"
    words = words_in(scene.language)
    return words.say(
        phrase("● Your turn: {game}") if scene.is_my_turn else phrase("● {game} waits for you"), game=name
    )


def _drawn(scene: Scene) -> dict[str, Any]:
    places = _places(scene.view, scene)
    drawn: dict[str, Any] = {
        "scene": scene,
        "others": scene.waiting_elsewhere,
        "here": scene.view.match,
        "view": scene.view,
        "legal": scene.view.legal if scene.may_move else None,
        "card": card_drawer(scene.game_key, scene.language),
        "at": _drawer(scene, places),
        "has": places.__contains__,
        "reckoning": _reckoning(scene),
    }
    if scene.game is not None:
        drawn |= page_of(scene.game_key).moves(scene)
    return drawn


def _places(view: MatchView | None, scene: Scene) -> Places:
    if view is None or view.game is None:
        return {}
    found = page_of(scene.game_key).places(view.game, scene.names, scene.language)
    return without_marks(found) if has_broken_off(view) else found


def _drawer(scene: Scene, places: Places) -> Callable[..., Markup]:
    """Return what draws a place; those in which something else lay after the reader's last move are marked."""
    game, language = scene.game_key, scene.language
    before = _places(scene.before, scene)

    def drawn(name: str, *, silent: bool = False) -> Markup:
        changed = before.get(name, places[name]) != places[name]
        return place_html(game, language, name, places[name], changed=changed, silent=silent)

    return drawn


def _reckoning(scene: Scene) -> Sequence[Reckoning]:
    """Return by seat what the round brought whose end is news; nothing if there is none."""
    scored = scene.scored
    if scored is None or scene.is_replay:
        return ()
    end = RoundEnd(scored, _places(scene.ended, scene), scene.language)
    return page_of(scene.game_key).reckoning(end)
