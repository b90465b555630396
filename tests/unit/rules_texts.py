"""Reading the rules that people read: ``docs/rules/<game>.<language>.md``."""

import re
from functools import cache

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from domain.games.registry import CURRENT, is_built_in
from services.words.languages import LANGUAGES
from services.words.update import CHECKOUT

FOLDER = CHECKOUT / "docs" / "rules"

GAMES = [game for game in sorted(CURRENT) if is_built_in(game)]
"""A game from outside may be without such texts: then its rules in brief are its rules."""

every_text = pytest.mark.parametrize(
    ("game", "language"), [(game, language) for game in GAMES for language in LANGUAGES]
)
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", GAMES)


@cache
def rules(game: str, language: str) -> str:
    return (FOLDER / f"{game}.{language}.md").read_text("utf-8")


def anchors(text: str) -> list[str]:
    return re.findall(r'<a id="([^"]+)"></a>', text)


def numbers(text: str) -> list[int]:
    joined = re.sub(r"(?<=\d)[\u00a0,](?=000)", "", text)
    return [int(number) for number in re.findall(r"(?<![\w#.])-?\d+", joined)]


def block(text: str, anchor: str) -> str:
    """The paragraph, list item, heading or table that an anchor stands in."""
    after = text[text.index(f'<a id="{anchor}"></a>') :]
    return re.split(r"\n\n|\n(?=\s*(?:- |\d+\. ))", after)[0]


def section(text: str, anchor: str) -> str:
    """From the heading that an anchor stands in to the next heading that is not below it."""
    found = re.search(rf'^(#+) .*<a id="{anchor}"></a>.*\n', text, re.MULTILINE)
    assert found is not None, anchor
    rest = text[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest if end is None else rest[: end.start()]


def table(text: str, anchor: str) -> list[list[str]]:
    """The rows, without the heading, of the first table at or after an anchor."""
    before = text[: text.index(f'<a id="{anchor}"></a>')]
    lines = text[before.rfind("\n") + 1 :].splitlines()
    start = next(place for place, line in enumerate(lines) if line.lstrip().startswith("|"))
    rows = []
    for line in lines[start:]:
        if not line.lstrip().startswith("|"):
            break
        rows.append([cell.strip() for cell in line.replace("\u00a0", " ").strip().strip("|").split("|")])
    return rows[2:]


def blocks(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)
