"""Secret choices made at the same time: who chose is seen, what is not, and one line tells of all."""

from api.command_line.playing.client import EventLine
from api.command_line.playing.following import Follower
from api.pages.drawing import card_html
from domain.entries import decode_openings
from domain.games.registry import CURRENT
from domain.match.commands import PlayMove
from domain.sealing import redact
from domain.viewers import Viewer, seat_viewer
from tests.games.alone.moves import Lay
from tests.integration.api.pages.conftest import Pages
from tests.integration.api.pages.scenes import NAMES, Played

GAME = CURRENT["alone"]


def playing() -> Played:
    return Played("alone", 3).begin()


def cards(played: Played, seat: int) -> tuple[int, ...]:
    assert played.position.state.game is not None
    hand = GAME.view(played.position.state.game, seat_viewer(seat)).hands[seat]  # type: ignore[attr-defined]
    return tuple(hand)


def lay(played: Played, seat: int, which: int = 0) -> int:
    card = cards(played, seat)[which]
    played.do(PlayMove(seat, Lay(card)), f"p{seat}")
    return card


def told(played: Played, seat: int | None, language: str = "en") -> list[str]:
    return [line.text for line in played.scene(seat, language).told]


def test_choices_share_a_line_and_your_own_is_told_to_you():
    played = playing()
    first, second = lay(played, 0), lay(played, 1)
    assert told(played, 1)[-1] == f"You have chosen {second}. Anna has chosen."
    assert told(played, 0)[-1] == f"You have chosen {first}. Bert has chosen."
    assert told(played, None)[-1] == "Anna and Bert have chosen."
    lay(played, 2)
    assert told(played, None)[-2] == "Everybody has chosen."
    assert told(played, None, "fr")[-2] == "Tout le monde a choisi."


def test_choosing_again_is_one_choice_and_tells_the_later_one():
    played = playing()
    lay(played, 0)
    again = lay(played, 0, which=1)
    assert told(played, 0)[-1] == f"You have chosen {again}."
    assert told(played, None)[-1] == "Anna has chosen."


def test_the_terminal_joins_them_too():
    played = playing()
    before = played.position.version
    for seat in range(3):
        lay(played, seat)

    class Log:
        def events(self, match: str, token: str, after: int) -> list[EventLine]:
            del match, token
            return [
                EventLine(
                    entry.version, entry.e.decode(), redact(decode_openings(entry.s), Viewer()), entry.h.hex()
                )
                for entry in played.entries[after:]
            ]

    lines = Follower(Log(), "golden", "alone", NAMES[:3], "en", seen=before).news()  # type: ignore[arg-type]
    assert lines[0] == "Everybody has chosen."
    assert lines[1].startswith("The cards are turned: Anna ")


async def test_on_a_page_one_chooses_again_until_everybody_has(pages: Pages):
    anna, bert = pages.reader(), pages.reader()
    match = await anna.make_table("alone", "me", "person", name="Anna")
    await bert.sit(match)
    await bert.submit("/ready")
    laid = []
    for _ in range(2):
        await anna.get(f"/m/{match}")
        form = anna.form("/move")
        laid.append(next(value for name, value in form["buttons"] if name == "move" and value not in laid))
        await anna.submit("/move", ("move", laid[-1]))
    await anna.get(f"/m/{match}")
    assert "You may choose again until everybody has chosen." in anna.page.text
    assert f"You have chosen {laid[1].removeprefix('lay:')}." in anna.page.text
    await bert.get(f"/m/{match}")
    assert "Anna has chosen." in bert.page.text
    assert bert.page.text.count(str(card_html("alone", "back", "en"))) == 1
