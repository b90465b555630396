"""Why somebody cannot be told at an address that they gave."""

from collections.abc import Mapping

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import phrase

_PROOF_RULE = phrase("A link and a code in a mail are good once, and for a short time.")
_HOUSE_RULE = phrase("What a house can do, its operator decides.")

CONTACT_REFUSALS: Mapping[str, RefusalWords] = {
    "contact.unknown": RefusalWords(
        phrase("You have no such contact."), NOTHING, phrase("Look at your contacts.")
    ),
    "contact.too_many": RefusalWords(
        phrase("You have {most} of them already."), NOTHING, phrase("Take one away first.")
    ),
    "contact.mail_off": RefusalWords(
        phrase("This house sends no mails."), _HOUSE_RULE, phrase("Take your feed, or another way.")
    ),
    "contact.mail_malformed": RefusalWords(
        phrase("This is no mailbox."), NOTHING, phrase("It looks like anna@example.org.")
    ),
    "contact.mail_not_sent": RefusalWords(
        phrase("The mail could not be sent: {reason}."),
        NOTHING,
        phrase("Check the address, or try again later."),
    ),
    "contact.not_reached": RefusalWords(
        phrase("The test did not arrive: {reason}."),
        NOTHING,
        phrase("Check the address, or try again later."),
    ),
    "contact.shape_unknown": RefusalWords(
        phrase("There is no such shape."), NOTHING, phrase("Choose one of these: {allowed}.")
    ),
    "contact.push_malformed": RefusalWords(
        phrase("This is no subscription of a browser."), NOTHING, phrase("Press the button on the page.")
    ),
    "proof.unknown": RefusalWords(
        phrase("This link or code is not good any more."), _PROOF_RULE, phrase("Ask for a new mail.")
    ),
    "proof.wrong_code": RefusalWords(
        phrase("This is not the code in the mail."),
        _PROOF_RULE,
        phrase("Look again. Tries that are left: {left}."),
    ),
}
"""By code."""
