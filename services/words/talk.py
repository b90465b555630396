"""Reactions at a table, as people read them: a language is a view of them, too."""

from typing import Final

from services.words.phrases import Phrase, phrase, words_in

_REACTIONS: Final[dict[str, Phrase]] = {
    "well-played": phrase("👏 Well played!"),
    "thanks": phrase("🙏 Thank you!"),
    "sorry": phrase("😅 Sorry!"),
    "wow": phrase("😮 Oh!"),
    "good-luck": phrase("🍀 Good luck!"),
}


def reaction_text(reaction: str, language: str) -> str:
    """Return what a reaction says."""
    said = _REACTIONS.get(reaction)
    return reaction if said is None else words_in(language).say(said)
