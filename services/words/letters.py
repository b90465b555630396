"""What mails say around the notices in them, and the mails that prove that a mailbox is somebody's."""

from typing import Final

from services.words.phrases import Phrase, counted, phrase, words_in

WITH: Final = phrase("With {people}")
UNTIL: Final = phrase("Until {deadline}")
LAST: Final = phrase("What happened last:")
GO: Final = phrase("Go to the table")
GO_LIST: Final = phrase("Read the list here")
GO_HOME: Final = phrase("Go to my tables")
WHY: Final = phrase("You get this mail because you gave this address at {place}.")
STOP: Final = phrase("No more mails")
CHOOSE: Final = phrase("Choose what you are told")

PROOF_SUBJECT: Final = phrase("{code} is your code to confirm this address")
PROOF: Final = phrase(
    "Somebody, probably you, wants to be told by mail at {place} when others wait for them."
)
PROOF_CODE: Final = phrase("Type this code there:")
PROOF_LINK: Final = phrase("Or confirm with this link, on any device:")
PROOF_GO: Final = phrase("Confirm the address")
PROOF_NOT_YOU: Final = phrase("If it was not you, do nothing: you will get no more mail.")
HOURS: Final = counted("Both are good for {hours} hour.", "Both are good for {hours} hours.", "hours")

RETURN_SUBJECT: Final = phrase("Come back to your tables at {place}")
RETURN: Final = phrase("Somebody, probably you, wants to come back to {place} as {name}.")
RETURN_LINK: Final = phrase("This link leads to a button that lets you in on any device:")
RETURN_GO: Final = phrase("Come back")
RETURN_TIME: Final = phrase("This is good once, for 15 minutes.")
RETURN_NOT_YOU: Final = phrase(
    "If it was not you, do nothing, and give the code to nobody: without this mail nobody comes in."
)
NOBODY: Final = phrase("a player without a name")


def go_words(*, match: str, published: int) -> Phrase:
    """Return what leads on: to a table, to a published list, or home."""
    if match:
        return GO
    return GO_LIST if published else GO_HOME


def said(text: Phrase, language: str, **arguments: object) -> str:
    """Return one of the texts above in a language."""
    return words_in(language).say(text, **arguments)
