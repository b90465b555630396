"""The documents hold what the code has: commands, settings, codes, addresses, files, and links that lead on."""

import ast
import re
from collections.abc import Iterator

import click
import pytest
from litestar import Router

from api.command_line.main import cli
from api.ops.routing import operator_pages
from api.pages.routing import pages
from services.process.settings import Settings
from services.words.table_refusals import TABLE_REFUSALS
from tests.kit.checkout import ROOT

DOCS = ROOT / "docs"
COMMAND_LINE = (DOCS / "reference" / "command-line.md").read_text()
ARCHIVE = (DOCS / "understand" / "archive.md").read_text()
SETTINGS = (DOCS / "reference" / "settings.md").read_text()
PAGES = (DOCS / "understand" / "pages.md").read_text()

FINDERS = (
    "api/command_line/commands",
    "domain/match",
    "services/log/archive",
    "services/audit",
    "services/log/event_store",
    "services/matches",
)
CODE = re.compile(
    r"(?:archive|deal|digest|draw|fold|head|import|log|meta|nonce|rules|seal)\.[a-z_]+"
).fullmatch
NO_CODES = {"archive.unavailable", "digest.unreadable", "rules.html"}
"""Said in a sentence on the command line, which needs no table; or no code at all."""

DOCUMENTS = sorted(str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")))


def anchors(text: str) -> set[str]:
    """The anchors of a document: those that it sets, and those of its headings."""
    headings = (line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#"))
    made = {re.sub(r"[^a-z0-9 -]", "", heading).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


def codes() -> set[str]:
    """Every code with which a log, an archive or a digest can be found bad."""
    found = set()
    for folder in FINDERS:
        for source in (ROOT / folder).rglob("*.py"):
            texts = (getattr(node, "value", None) for node in ast.walk(ast.parse(source.read_text())))
            found |= {text for text in texts if isinstance(text, str) and CODE(text)}
    return found - TABLE_REFUSALS.keys() - NO_CODES


def paths(router: Router) -> Iterator[str]:
    """Every address of a router, as the documents write it."""
    for route in router.routes:
        yield re.sub(r"\{([a-z_]+):[a-z]+\}", lambda part: part[1].upper(), route.path)


def test_every_command_stands_in_the_table_of_commands():
    table = COMMAND_LINE[: COMMAND_LINE.index("**Where the log is.**")]
    linked = dict(re.findall(r"\[`([a-z-]+)`\]\(#([a-z-]+)\)", table))
    assert set(cli.list_commands(click.Context(cli))) == set(linked)
    assert set(linked.values()) <= anchors(COMMAND_LINE)


def test_every_code_of_a_finding_stands_in_a_table():
    rows = [line for text in (COMMAND_LINE, ARCHIVE) for line in text.splitlines() if line.startswith("|")]
    documented = set(re.findall(r"`([a-z]+\.[a-z_]+)`", "\n".join(rows)))
    assert {"log.gap", "fold.differs", "archive.other_head", "import.other_history"} <= codes()
    assert codes() - documented == set()


def test_every_setting_is_listed_once_with_its_default():
    rows = re.findall(r"^\| `TABLEE_([A-Z_]+)` \| *([^|]*?) *\|", SETTINGS, re.MULTILINE)
    assert sorted(name.lower() for name, _ in rows) == sorted(Settings.__struct_fields__)
    for name, shown in rows:
        default = getattr(Settings(), name.lower())
        if name != "DATA" and default not in {None, ""}:
            assert shown == f"`{str(default).lower().removesuffix('.0')}`", name


@pytest.mark.parametrize("router", [pages, operator_pages])
def test_every_address_of_a_page_is_listed(router):
    listed = PAGES.replace("/GAME", "/").replace("/LINK", "/").replace("/N", "/").replace("MATCH", "")
    for path in paths(router()):
        last = path.rstrip("/").rpartition("/")[2]
        assert not last or last.isupper() or f"/{last}" in listed or path in listed, path


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_of_the_documents_leads_somewhere(name):
    document = ROOT / name
    for target in re.findall(
        r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    ):
        if "://" in target or (target.startswith("/") and document.parent.name == "handbook"):
            continue  # An address of a page; tests/unit/test_handbook.py opens those.
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text()), target


@pytest.mark.parametrize("name", sorted(set(DOCUMENTS) - {"CHANGELOG.md"}))
def test_every_file_that_a_document_names_is_there(name):
    named = re.findall(
        r"`((?:api|deploy|docs|domain|services|tests|workers)/[\w./-]+)`", (ROOT / name).read_text()
    )
    assert [path for path in named if not (ROOT / path).exists()] == []
