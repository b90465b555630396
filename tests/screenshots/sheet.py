"""The contact sheet: all pictures on one page, those of a state in a row."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from playwright.async_api import ViewportSize

SIZES: Final[dict[str, ViewportSize]] = {
    "phone": {"width": 360, "height": 740},
    "tablet": {"width": 820, "height": 1180},
    "desktop": {"width": 1366, "height": 768},
}


class Picture(NamedTuple):
    """One picture of a state."""

    state: str
    language: str
    theme: str
    size: str

    @property
    def file(self) -> str:
        """Its name in the folder."""
        return f"{'.'.join(self)}.png"


def write_sheet(folder: Path, pictures: Iterable[Picture]) -> None:
    """Write ``index.html`` beside the pictures."""
    rows = []
    for state, some in groupby(pictures, key=lambda picture: picture.state):
        shown = "".join(
            f'<a href="{one.file}"><img src="{one.file}" alt="{" ".join(one)}" height="360" loading="lazy"></a>'
            for one in some
        )
        rows.append(f"<h2>{state}</h2><p>{shown}</p>")
    page = f'<!doctype html><meta charset="utf-8"><title>Tablée</title>{"".join(rows)}'
    (folder / "index.html").write_text(page, encoding="utf-8")
