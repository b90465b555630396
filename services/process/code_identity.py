"""Which code this is: the commit that it was made of, and a digest of its files as they are on the disk."""

import hashlib
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""Where the packages are: a checkout, or the folder into which they were installed."""

RECORDED: Final = "commit.txt"
"""The file beside this one in which a built wheel says its commit; ``deploy/record_commit.py`` writes it."""

_PACKAGES: Final = ("domain", "services", "workers", "api")
_COMPILED: Final = "__pycache__"
_SHORT: Final = 12


def release() -> str:
    """Return the release with its commit, where that is known: ``0.2.0 (commit 0123456789ab)``."""
    commit = commit_of(ROOT) or _recorded()
    return f"{version('tablee')} (commit {commit[:_SHORT]})" if commit else version("tablee")


def commit_of(checkout: Path) -> str:
    """Return the commit that a checkout stands at; empty if it is none. Git itself need not be there."""
    try:
        git = checkout / ".git"
        if git.is_file():
            # A further work tree of a repository elsewhere.
            git = checkout / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        name, common = head.removeprefix("ref: "), git / "commondir"
        shared = git / common.read_text().strip() if common.is_file() else git
        if (shared / name).is_file():
            return (shared / name).read_text().strip()
        packed = (line.split() for line in (shared / "packed-refs").read_text().splitlines())
        return next((row[0] for row in packed if row[1:] == [name]), "")
    except (OSError, UnicodeDecodeError):
        return ""


def code_digest(root: Path = ROOT) -> str:
    """Return a digest of all files of the product as they are on the disk now."""
    return _digest((root, root / package) for package in _PACKAGES)[:_SHORT]


def packages_digest(packages: Iterable[str]) -> str:
    """Return a digest of all files of some packages that are in use, wherever they are."""
    folders = (
        (Path(folder).parent, Path(folder))
        for package in sorted(set(packages))
        for folder in getattr(sys.modules.get(package), "__path__", ())
    )
    return _digest(folders)


def _digest(folders: Iterable[tuple[Path, Path]]) -> str:
    """Return a digest of all files in folders, each with its name below another folder."""
    whole = hashlib.sha256()
    for root, folder in folders:
        for path in sorted(folder.rglob("*")):
            if _COMPILED not in path.parts and path.is_file():
                content = hashlib.sha256(path.read_bytes()).digest()
                whole.update(str(path.relative_to(root)).encode() + b"\0" + content)
    return whole.hexdigest()


def _recorded() -> str:
    try:
        return Path(__file__).with_name(RECORDED).read_text().strip()
    except OSError:
        return ""
