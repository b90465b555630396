"""Every code that the doctor can say stands in the documents, and none that it cannot; likewise commands."""

import ast
import re
from typing import TypeGuard

import click

from api.command_line.main import cli
from services.log.embedded.errors import FolderLocked, FolderUnusable
from services.process.settings import Settings
from tests.kit.checkout import ROOT

SOURCES = (
    ROOT / "services" / "watch" / "findings.py",
    ROOT / "services" / "watch" / "kept_records.py",
    ROOT / "services" / "audit" / "published.py",
    *sorted((ROOT / "services" / "watch" / "doctor").glob("*.py")),
    ROOT / "api/command_line/commands/doctor.py",
)
OPERATING = "\n".join(page.read_text() for page in sorted((ROOT / "docs" / "operate").glob("*.md")))
COMMANDS = (ROOT / "docs" / "reference" / "command-line.md").read_text()
CODE = re.compile(r"[a-z]+\.[a-z_]+").fullmatch

# What `fine` says needs no explanation, and these say that nothing is known or nothing was to be done.
OF_VERIFY = {
    "archive.other_head",
    "log.unknown_rules",
    "log.chain_broken",
    "log.cannot_be_folded",
    "meta.missing",
    "meta.unreadable",
}


def said_codes() -> set[str]:
    """Codes of findings that are not fine: of calls of Finding, and of helpers that are handed one."""
    found = {FolderLocked.code, FolderUnusable.code}
    for source in SOURCES:
        tree = ast.parse(source.read_text())
        fine = {id(node.args[0]) for node in ast.walk(tree) if _calls(node, "fine") and node.args}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and id(node) not in fine and CODE(text):
                found.add(text)
    return found


def _calls(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def test_every_code_is_documented():
    section = COMMANDS[COMMANDS.index("## tablee doctor") :]
    section = section[: section.index("\n## ", 5)]
    documented = set(re.findall(r"`([a-z]+\.[a-z_]+)`", section))
    stores = {
        "store.aof_off",
        "store.fsync_not_always",
        "store.fsync_pauses",
        "store.evicts",
        "store.aof_write_fails",
    }
    said = said_codes() - OF_VERIFY
    assert said - documented == set()
    assert documented - said - stores == set()


def test_every_command_in_the_operators_guide_exists():
    named = set(re.findall(r"(?:`|\$ |bin/|; )tablee ([a-z][a-z-]+)\b", OPERATING))
    known = set(cli.list_commands(click.Context(cli)))
    assert {"doctor", "backup", "restore"} <= named
    assert named - known == set()


def test_the_unit_for_systemd_sets_what_there_is():
    unit = (ROOT / "deploy" / "tablee.service").read_text()
    known = {f"TABLEE_{name.upper()}" for name in Settings.__struct_fields__}
    assert set(re.findall(r"TABLEE_[A-Z_]+", unit)) <= known
    assert "ExecStart=/opt/tablee/.venv/bin/tablee up" in unit
