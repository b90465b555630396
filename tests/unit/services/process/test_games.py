"""Games from outside are loaded by the names of their modules, and all parts of a game are found by its key."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from api.command_line.playing.tables import table_of
from api.pages.games import page_of
from api.pages.rendering import ENVIRONMENT
from domain.games.registry import CURRENT
from services.process.games import GamePart, GamesNotLoaded, folder_of, games_from_outside, load_games
from services.words.contract import GameWords
from services.words.games import words_of
from services.words.names import game_name
from tests.kit.checkout import ROOT


@pytest.mark.parametrize("game", sorted(CURRENT))
def test_every_game_has_words_a_page_templates_and_a_table_in_the_terminal(game):
    assert words_of(game) is not None
    assert page_of(game).face(CURRENT[game].cards[0], "en").label
    assert table_of(game).verbs
    for template in (f"games/{game}.html", f"games/{game}_moves.html"):
        assert ENVIRONMENT.get_template(template).name == template


def test_a_game_from_outside_has_them_in_its_own_package():
    assert "alone" in games_from_outside()
    assert folder_of("alone").joinpath("templates", "alone.html").is_file()
    assert game_name("alone", "fr") == "Seul en tête"


def test_nothing_is_imported_for_a_game_that_there_is_not():
    assert words_of("os") is None
    for find in (page_of, table_of):
        with pytest.raises(LookupError):
            find("os")


def test_a_part_that_is_missing_is_named():
    with pytest.raises(GamesNotLoaded, match=r"The game alone has no tests\.games\.alone\.songs with SONGS"):
        GamePart("services.words.games", "songs", "SONGS", GameWords).of("alone")
    with pytest.raises(GamesNotLoaded, match=r"no tests\.games\.alone\.words with PAGE"):
        GamePart("services.words.games", "words", "PAGE", GameWords).of("alone")


def test_all_parts_that_a_game_lacks_are_named_when_it_is_loaded(tmp_path: Path):
    package = tmp_path / "bare"
    package.mkdir()
    (package / "__init__.py").write_text("from bare.game import Bare\nGAMES = (Bare(),)\n")
    (package / "words.py").touch()
    (package / "game.py").write_text(
        "from tests.games.alone.game import Alone\nclass Bare(Alone):\n    key = 'bare'\n"
    )
    assert loading("bare", tmp_path) == (
        "tablee: The game bare lacks page.py, terminal.py, templates/bare.html, templates/bare_moves.html "
        "in its package bare.\n"
    )


def test_a_part_that_is_broken_is_not_called_missing(tmp_path: Path):
    (tmp_path / "broken.py").write_text("import nowhere_at_all\n")
    assert "nowhere_at_all" in loading("broken", tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "which must be a module with GAMES, a tuple of games"),
        ("GAMES = (1,)", "it is no instance of a subclass of domain.games.contract.Game"),
        (
            "from domain.games.contract import Game\nclass Half(Game): pass\nGAMES = (Half(),)",
            "abstract methods",
        ),
    ],
)
def test_a_module_that_cannot_be_used_is_told_in_one_line(tmp_path: Path, text, told):
    (tmp_path / "club.py").write_text(text)
    line = loading("club", tmp_path)
    assert told in line
    assert line.startswith("tablee: ")
    assert line.count("\n") == 1


def loading(module: str, folder: Path) -> str:
    """Return what a command says that is to load a module."""
    environment = {**os.environ, "TABLEE_GAMES": module, "PYTHONPATH": f"{folder}:{ROOT}"}
    argv = [sys.executable, "-m", "api.command_line.main", "play", "--help"]
    done = subprocess.run(argv, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done
    return done.stderr


def test_a_command_offers_the_games_from_outside():
    argv = [sys.executable, "-m", "api.command_line.main", "demo", "--help"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "alone" in done.stdout


def test_names_may_be_given_with_spaces_and_none_is_no_error():
    load_games(" tests.games.alone , ")
    load_games("")
