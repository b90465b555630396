"""What serves all games names none of them: only a game's own files do, and the registry."""

import re
from pathlib import PurePath

from domain.games.registry import CURRENT, is_built_in
from services.words.names import game_name
from tests.kit.checkout import ROOT

GAMES = [key for key in CURRENT if is_built_in(key)]
NAMES = re.compile(
    r"\b("
    + "|".join(re.escape(name) for key in GAMES for name in (key, game_name(key, "en")))
    + r")(\b|(?<=\.))",
    re.IGNORECASE,
)
ENDINGS = {".py", ".html", ".css", ".js", ".svg"}


def is_a_games_own(file: PurePath) -> bool:
    return file == PurePath("domain/games/registry.py") or any(
        key in file.parts or re.fullmatch(rf"{key}(_\w+)?", file.stem) for key in GAMES
    )


def test_only_a_games_own_files_name_it():
    found, looked_at = [], 0
    for ring in ("domain", "services", "workers", "api"):
        for path in sorted((ROOT / ring).rglob("*")):
            file = path.relative_to(ROOT)
            if path.suffix in ENDINGS and not is_a_games_own(file):
                looked_at += 1
                lines = enumerate(path.read_text("utf-8").splitlines(), 1)
                found += [f"{file}:{number}: {line.strip()}" for number, line in lines if NAMES.search(line)]
    assert found == []
    assert looked_at > 200


def test_the_names_are_found_where_they_are():
    for line in ("as in Skyjo", "L.A.M.A. is", "``odin.py``", 'CreateMatch("lama")'):
        assert NAMES.search(line), line
    assert not NAMES.search("encoding, llama, decoding")
