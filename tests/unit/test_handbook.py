"""The guide cannot rot: its pictures are there, its links lead on, and what it quotes stands so on the pages."""

import io
import re
from functools import cache
from html import unescape

import click
import pytest
from babel.messages.pofile import read_po
from PIL import Image

from api.command_line.main import cli
from api.pages.handbook import READERS, handbook, pictures
from api.pages.routing import pages
from services.words.languages import LANGUAGES, SOURCE
from tests.kit.checkout import ROOT
from tests.screenshots.handbook_shots import SHOTS

FOLDER = ROOT / "docs" / "handbook"
OTHERS = [language for language in LANGUAGES if language != SOURCE]

MOST_BYTES = 640_000
"""What all pictures may take in the repository."""

every_part = pytest.mark.parametrize("reader", READERS)
every_text = pytest.mark.parametrize(
    ("reader", "language"), [(reader, language) for reader in READERS for language in LANGUAGES]
)


@cache
def text(reader: str, language: str) -> str:
    return (FOLDER / f"{reader}.{language}.md").read_text("utf-8")


def images(reader: str, language: str) -> list[tuple[str, str]]:
    """What each picture shows, and its file."""
    return re.findall(r"!\[([^\]]*)\]\(pictures/([^)\s]+)", text(reader, language))


def links(reader: str, language: str) -> list[str]:
    return re.findall(
        r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"!\[.*?\]\(.*?\)", "", text(reader, language))
    )


def quoted(reader: str, language: str) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", text(reader, language))


@cache
def said(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Every text of the pages in a language as a pattern, with the source that it stands for."""
    file = ROOT / "services" / "words" / "locale" / language / "LC_MESSAGES" / "tablee.po"
    found = []
    for message in read_po(io.BytesIO(file.read_bytes())):
        sources = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        shown = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        for one in sources if language == SOURCE else shown:
            if one:
                pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(one))
                found.append((re.compile(pattern), sources[0]))
    return found


def sources_of(words: str, language: str) -> set[str]:
    return {source for pattern, source in said(language) if pattern.fullmatch(words)}


@every_part
@pytest.mark.parametrize("language", OTHERS)
def test_all_languages_have_the_same_sections_tables_and_pictures(reader, language):
    for found in (
        lambda one: [anchor for anchor, _ in handbook(reader, one).headings],
        lambda one: [file.replace(f".{one}.", ".") for _, file in images(reader, one)],
        lambda one: re.findall(r"^(#+|\||\d+\.|-) ", text(reader, one), re.MULTILINE),
        lambda one: [link.replace(f".{one}.md", ".md") for link in links(reader, one)],
    ):
        assert found(language) == found(SOURCE)


@every_text
def test_every_picture_is_there_in_the_language_with_its_size_and_tells_what_it_shows(reader, language):
    html = unescape(handbook(reader, language).html)
    for told, file in images(reader, language):
        assert f".{language}." in file
        picture = pictures()[file]
        assert Image.open(io.BytesIO(picture.content)).size == (picture.width, picture.height)
        assert len(told) > 40, file
        assert f'alt="{told}" width="{picture.width}" height="{picture.height}"' in html
    assert "<img" not in re.sub(
        r'<img src="/guide/pictures/\S+" alt="[^"]+" width="\d+" height="\d+"', "", html
    )


def test_every_picture_is_used_and_can_be_taken_again():
    used = {file for reader in READERS for language in LANGUAGES for _, file in images(reader, language)}
    assert used == {file.name for file in (FOLDER / "pictures").iterdir()} == set(pictures())
    assert used == {f"{shot.name}.{language}.avif" for shot in SHOTS for language in LANGUAGES}


def test_all_pictures_together_are_small():
    assert sum(len(picture.content) for picture in pictures().values()) <= MOST_BYTES


@every_text
def test_what_is_bold_stands_so_on_the_pages(reader, language):
    assert [words for words in quoted(reader, language) if not sources_of(words, language)] == []


@every_part
@pytest.mark.parametrize("language", OTHERS)
def test_all_languages_quote_the_same_buttons(reader, language):
    ours, theirs = quoted(reader, SOURCE), quoted(reader, language)
    known = set[str]().union(*(sources_of(words, SOURCE) for words in ours))
    assert [words for words in theirs if not sources_of(words, language) & known] == []
    assert len(ours) == len(theirs)


@every_text
def test_every_link_leads_to_a_section_or_to_a_page(reader, language):
    addresses = {re.sub(r"\{\w+:\w+\}", "*", route.path) for route in pages().routes}
    for link in links(reader, language):
        path, _, anchor = link.partition("#")
        if path.startswith("/"):
            assert path in addresses or re.sub(r"[^/]+$", "*", path) in addresses, link
        else:
            part, written, _ = path.split(".")
            assert written == language
            assert not anchor or anchor in dict(handbook(part, language).headings), link


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_that_operators_are_told_is_one(language):
    told = set(re.findall(r"(?:`|^ {4})tablee ([a-z-]+)", text("operators", language), re.MULTILINE))
    assert "doctor" in told
    assert told <= set(cli.list_commands(click.Context(cli)))


@every_text
def test_its_html_has_no_anchor_or_file_left_over(reader, language):
    html = handbook(reader, language).html
    assert "&lt;" not in html
    assert ".md" not in re.sub(r"<code>.*?</code>", "", html)
    for anchor, heading in handbook(reader, language).headings:
        assert f'id="{anchor}">{heading}</h' in html
