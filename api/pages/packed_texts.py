"""Long texts for people that the pages serve: in the installed package, else in the checkout's ``docs``."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from services.words.languages import SOURCE

_DOCS: Final = Path(__file__).parents[2] / "docs"


def folder_of_texts(name: str) -> Traversable:
    """Return where the texts of a folder of ``docs`` are."""
    packed = files("api.pages").joinpath(f"{name}_texts")
    return packed if packed.is_dir() else _DOCS / name


def text_for(name: str, about: str, language: str) -> str | None:
    """Return a text of a folder; in English where it is not translated, None where there is none."""
    for wanted in (language, SOURCE):
        file = folder_of_texts(name).joinpath(f"{about}.{wanted}.md")
        if file.is_file():
            return file.read_text("utf-8")
    return None
