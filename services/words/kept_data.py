"""What is kept about a person, and for how long: the privacy page, by the kinds of ``services/people/dossiers.py``."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from services.words.phrases import Phrase, phrase


class KeptData(NamedTuple):
    """One kind of data.

    Attributes:
        what: What it is, and what it is for.
        until: How long it is kept.
    """

    what: Phrase
    until: Phrase


_UNTIL_ERASED: Final = phrase("until you have yourself erased")

KEPT_DATA: Final[Mapping[str, KeptData]] = {
    "person": KeptData(
        phrase(
            "The name that you gave, your language, your time zone, and what else you chose for yourself."
        ),
        phrase(
            "until you have yourself erased; 30 days if you never made a move and never came back on another day"
        ),
    ),
    "tables": KeptData(
        phrase(
            "Which seats and tables are yours. The logs of matches do not say it: there you are a number."
        ),
        _UNTIL_ERASED,
    ),
    "names_at_tables": KeptData(
        phrase("The name with which you sat down at each table: everybody who sees that table sees it."),
        _UNTIL_ERASED,
    ),
    "contacts": KeptData(
        phrase("Where you can be reached: mailboxes, addresses and devices that you gave for notices."),
        phrase("until you take them away or have yourself erased"),
    ),
    "notices": KeptData(
        phrase(
            "What your feed says, and a list of the notices that were sent to you. No card that was hidden."
        ),
        phrase("90 days; notices that could not be delivered, 30 days"),
    ),
    "clubs": KeptData(
        phrase("In which clubs you are, with which role, and since when. The club's members see it."),
        phrase("until you leave the club, it closes, or you have yourself erased"),
    ),
    "leagues": KeptData(
        phrase("In which leagues of your clubs you take part, or were asked to, and which of them you made."),
        phrase(
            "until the club closes, or you have yourself erased; then your results stand without your name"
        ),
    ),
    "ways_back": KeptData(
        phrase(
            "That you have a recovery code, and a link to your other devices. The code and the link themselves are not "
            "kept, only what recognises them."
        ),
        phrase("the code until you replace it, the link 31 days, or until you have yourself erased"),
    ),
    "passkeys": KeptData(
        phrase(
            "Which passkeys your devices keep for you: what you call each, since when, and when you last came back "
            "with it. Of the passkey itself only the public half, from which nobody comes in."
        ),
        phrase("until you remove them or have yourself erased"),
    ),
    "keys": KeptData(
        phrase(
            "Keys of your own programs: what you call them, when they were made and used, and where your bots sit. Of "
            "a key itself, only a hash."
        ),
        phrase("until you revoke them or have yourself erased"),
    ),
    "talk": KeptData(
        phrase(
            "What you said at tables, for those who sit there: the last 200 messages of each. And whom you do not want "
            "to read."
        ),
        phrase(
            "until you or the host delete it, 180 days after the last word, or until you have yourself erased"
        ),
    ),
    "bookmarks": KeptData(
        phrase(
            "Positions of matches that you keep, with your notes. If you share one, whoever has its address reads the "
            "note and your name."
        ),
        phrase("until you take them away or have yourself erased"),
    ),
    "imported_matches": KeptData(
        phrase("Which matches you brought here from elsewhere."),
        phrase("until you have yourself erased; the matches stay, without your name"),
    ),
    "looks": KeptData(
        phrase(
            "Up to where you have seen your tables, to tell you what is new. Nobody else is told whether you looked."
        ),
        phrase("until you have seen the end of the match, or have yourself erased"),
    ),
    "devices": KeptData(
        phrase(
            "On which devices you are known: what each calls itself, such as “Firefox, Android”, since when, by "
            "which way you came in, and the day on which you were last there. No address."
        ),
        phrase(
            "400 days after you were last there; 30 days if you never came back with it; or until you sign it out"
        ),
    ),
}
"""By kind."""
