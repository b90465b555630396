"""The guide for new games: the files that it shows, and the commands that end its steps."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.kit.checkout import ROOT

GUIDE: Final = ROOT / "docs" / "learn" / "new-game.md"

NAMED_BLOCK: Final = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND: Final = re.compile(r"^```sh\n(.*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Step(NamedTuple):
    """A step of the guide.

    Attributes:
        title: Its heading.
        files: The files that it adds.
        commands: What to run at its end, each with what it prints.
    """

    title: str
    files: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]


def steps() -> Iterator[Step]:
    """Yield the steps, in order."""
    for part in re.split(r"^## ", GUIDE.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        files = tuple(name for name, _, _ in NAMED_BLOCK.findall(part))
        yield Step(part.partition("\n")[0], files, tuple(_COMMAND.findall(part)))


def written_anew(text: str) -> str:
    """Return the guide with the files as they are now."""

    def block(found: re.Match[str]) -> str:
        content = (ROOT / found[1]).read_text("utf-8")
        return f"**`{found[1]}`**\n\n```{found[2]}\n{content}```"

    return NAMED_BLOCK.sub(block, text)
