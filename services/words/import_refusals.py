"""Why a file with a match is not taken in when a person brings it."""

from collections.abc import Mapping

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import phrase

_FILES = phrase(
    "A file of a match is what “The file of this match” or “Take it along as one page” gave you, unchanged."
)
_FETCH = phrase("Fetch the file again where the match was played.")
_NEWER = phrase("It was written by a newer release of this program than runs here.")
_UPGRADE = phrase("Ask whoever runs this service to bring it up to date.")
_WHOLE = phrase("A match is taken in when all of it is there, and nothing of it was changed.")

IMPORT_REFUSALS: Mapping[str, RefusalWords] = {
    "import.no_file": RefusalWords(phrase("There is no file."), NOTHING, phrase("Choose a file first.")),
    "export.malformed": RefusalWords(phrase("This is no file of a match."), _FILES, _FETCH),
    "export.truncated": RefusalWords(phrase("This file is cut off or damaged."), _WHOLE, _FETCH),
    "export.too_large": RefusalWords(phrase("This file is larger than any match is."), _FILES, NOTHING),
    "export.format_unknown": RefusalWords(_NEWER, NOTHING, _UPGRADE),
    "import.rules_unknown": RefusalWords(
        phrase("This match was played with a game or by rules that this service does not know."),
        NOTHING,
        _UPGRADE,
    ),
    "import.format_unknown": RefusalWords(_NEWER, NOTHING, _UPGRADE),
    "import.newer_release": RefusalWords(_NEWER, NOTHING, _UPGRADE),
    "import.id_malformed": RefusalWords(phrase("This is no file of a match."), _FILES, _FETCH),
    "import.several": RefusalWords(
        phrase("There are several matches in this file."),
        phrase("One match is taken in at a time."),
        phrase("Whoever runs this service can import all of them with one command."),
    ),
    "import.redacted": RefusalWords(
        phrase("This file was written while the match was played, and hidden cards are missing in it."),
        _WHOLE,
        phrase("Fetch the file again when the match is over."),
    ),
    "import.not_over": RefusalWords(
        phrase("This match was not over when the file was written."),
        phrase("Only matches that are over are taken in."),
        phrase("Fetch the file again when the match is over."),
    ),
    "import.broken_log": RefusalWords(
        phrase("This file does not hold: it was changed, or the match was not played by the rules."),
        _WHOLE,
        _FETCH,
    ),
    "import.altered": RefusalWords(phrase("This file was changed since it was written."), _WHOLE, _FETCH),
    "import.in_future": RefusalWords(
        phrase("This match is said to have ended on a day that has not come yet."),
        _WHOLE,
        phrase("Ask whoever runs the service where it was played to set its clock right."),
    ),
    "import.differs_here": RefusalWords(
        phrase("Another match is here under the same id. It stays as it is."),
        phrase("An id names one match for ever."),
        _FETCH,
    ),
    "import.known_players": RefusalWords(
        phrase("This file names players of matches that are played here."),
        phrase("Nobody can bring a match in which people of this house are said to have played."),
        phrase("Whoever runs this service can import it."),
    ),
    "import.too_many": RefusalWords(
        phrase("You have brought as many matches as one person may."),
        NOTHING,
        phrase("You can still play on from a file, or ask whoever runs this service to import it."),
    ),
    "import.off": RefusalWords(
        phrase("This service takes no matches in from people."),
        NOTHING,
        phrase("Whoever runs it can import them. You can still play on from a file."),
    ),
    "import.impossible_position": RefusalWords(
        phrase("This match begins with a position that cannot be."), _WHOLE, NOTHING
    ),
    "fork.no_such_position": RefusalWords(
        phrase("The match in this file has no position {version}."),
        NOTHING,
        phrase("Choose one from 1 to {last}, as its replay counts them."),
    ),
}
"""By code."""
